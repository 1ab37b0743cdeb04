package journal

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

var at = time.Unix(1767323045, 0).UTC()

const Main = "refs/sage/heads/main"

// What a ref was last, from lines in any order that writers may leave them in.
func TestJournalLast(t *testing.T) {
	step := func(old, new string) string { return journalText(Move{Main, old, new}, at, "", "") }
	say := func(old, new string) string { return journalText(Move{Main, old, new}, at, "?", "") }
	for name, c := range map[string]struct {
		journal string
		want    Entry
		unknown bool
	}{
		"nothing":                     {journal: "", unknown: true},
		"another ref":                 {journal: journalText(Move{Main + "2", "", "aa"}, at, "", ""), unknown: true},
		"in order":                    {journal: step("", "aa") + step("aa", "bb"), want: Entry{Old: "aa", New: "bb", At: at}},
		"out of order":                {journal: step("", "aa") + step("bb", "cc") + step("aa", "bb"), want: Entry{Old: "bb", New: "cc", At: at}},
		"a step is missing":           {journal: step("", "aa") + step("bb", "cc"), want: Entry{Old: "bb", New: "cc", At: at}},
		"twice":                       {journal: step("", "aa") + step("aa", "bb") + step("bb", "cc") + step("aa", "bb"), want: Entry{Old: "bb", New: "cc", At: at}},
		"deleted":                     {journal: step("", "aa") + step("aa", ""), want: Entry{Old: "aa", At: at}},
		"back":                        {journal: step("", "aa") + step("aa", "bb") + say("bb", "aa") + step("bb", "aa"), want: Entry{Old: "bb", New: "aa", At: at}},
		"back, announced":             {journal: step("", "aa") + step("aa", "bb") + say("bb", "aa"), want: Entry{Old: "aa", New: "bb", At: at, Begun: []string{"aa"}}},
		"back, announced, then on":    {journal: step("", "aa") + step("aa", "bb") + say("bb", "aa") + step("aa", "cc"), want: Entry{Old: "aa", New: "cc", At: at}},
		"announced to be deleted":     {journal: step("", "aa") + say("aa", ""), want: Entry{New: "aa", At: at, Begun: []string{""}}},
		"only announced":              {journal: say("aa", ""), unknown: true},
		"a damaged line":              {journal: step("", "aa") + strings.Replace(step("aa", "bb"), "bb", "dd", 1), want: Entry{New: "aa", At: at}},
		"a line cut short":            {journal: step("", "aa") + step("aa", "bb")[:20] + step("aa", "cc"), want: Entry{Old: "aa", New: "cc", At: at}},
		"a line cut short at a word":  {journal: step("", "aa") + strings.SplitAfter(step("aa", "bb"), " ")[0] + step("aa", "cc"), want: Entry{Old: "aa", New: "cc", At: at}},
		"cut short at the end":        {journal: step("", "aa") + step("aa", "bb")[:30], want: Entry{New: "aa", At: at}},
		"zeros, as after a power cut": {journal: step("", "aa") + strings.Repeat("\x00", 500), want: Entry{New: "aa", At: at}},
	} {
		t.Run(name, func(t *testing.T) {
			got, ok := lastOf(parseJournal([]byte(c.journal), Main))
			if ok == c.unknown {
				t.Fatalf("known: %v", ok)
			}
			if diff := cmp.Diff(c.want, got, cmp.AllowUnexported(Entry{})); diff != "" {
				t.Error(diff)
			}
			if all := lastOfEach([]byte(c.journal)); !c.unknown && !cmp.Equal(all[Main], got, cmp.AllowUnexported(Entry{})) {
				t.Errorf("of all: %+v", all[Main])
			}
		})
	}
}

// A walk that never comes back to a value ends where it ends, however its steps
// are shuffled and whichever are told twice.
func TestJournalLastOfAnyOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 12).Draw(t, "steps")
		var lines []string
		for i := range n {
			lines = append(lines, journalText(Move{Main, fmt.Sprintf("%02x", i), fmt.Sprintf("%02x", i+1)}, at, "", ""))
		}
		more := rapid.SliceOfN(rapid.SampledFrom(lines), 0, 4).Draw(t, "twice")
		lines = rapid.Permutation(append(lines, more...)).Draw(t, "order")
		e, ok := lastOf(parseJournal([]byte(strings.Join(lines, "")), Main))
		if want := fmt.Sprintf("%02x", n); !ok || e.New != want {
			t.Fatalf("%v %q, want %q", ok, e.New, want)
		}
	})
}
