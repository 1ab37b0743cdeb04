package gitstore

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/git-sage/git-sage/gitstore/storetest"
)

var at = time.Unix(1767323045, 0).UTC()

const main = "refs/sage/heads/main"

// What a ref was last, from lines in any order that writers may leave them in.
func TestJournalLast(t *testing.T) {
	step := func(old, new string) string { return journalText(move{main, old, new}, at, "", "") }
	say := func(old, new string) string { return journalText(move{main, old, new}, at, "?", "") }
	for name, c := range map[string]struct {
		journal string
		want    entry
		unknown bool
	}{
		"nothing":                     {journal: "", unknown: true},
		"another ref":                 {journal: journalText(move{main + "2", "", "aa"}, at, "", ""), unknown: true},
		"in order":                    {journal: step("", "aa") + step("aa", "bb"), want: entry{old: "aa", new: "bb", at: at}},
		"out of order":                {journal: step("", "aa") + step("bb", "cc") + step("aa", "bb"), want: entry{old: "bb", new: "cc", at: at}},
		"a step is missing":           {journal: step("", "aa") + step("bb", "cc"), want: entry{old: "bb", new: "cc", at: at}},
		"twice":                       {journal: step("", "aa") + step("aa", "bb") + step("bb", "cc") + step("aa", "bb"), want: entry{old: "bb", new: "cc", at: at}},
		"deleted":                     {journal: step("", "aa") + step("aa", ""), want: entry{old: "aa", at: at}},
		"back":                        {journal: step("", "aa") + step("aa", "bb") + say("bb", "aa") + step("bb", "aa"), want: entry{old: "bb", new: "aa", at: at}},
		"back, announced":             {journal: step("", "aa") + step("aa", "bb") + say("bb", "aa"), want: entry{old: "aa", new: "bb", at: at, begun: []string{"aa"}}},
		"back, announced, then on":    {journal: step("", "aa") + step("aa", "bb") + say("bb", "aa") + step("aa", "cc"), want: entry{old: "aa", new: "cc", at: at}},
		"announced to be deleted":     {journal: step("", "aa") + say("aa", ""), want: entry{new: "aa", at: at, begun: []string{""}}},
		"only announced":              {journal: say("aa", ""), unknown: true},
		"a damaged line":              {journal: step("", "aa") + strings.Replace(step("aa", "bb"), "bb", "dd", 1), want: entry{new: "aa", at: at}},
		"a line cut short":            {journal: step("", "aa") + step("aa", "bb")[:20] + step("aa", "cc"), want: entry{old: "aa", new: "cc", at: at}},
		"a line cut short at a word":  {journal: step("", "aa") + strings.SplitAfter(step("aa", "bb"), " ")[0] + step("aa", "cc"), want: entry{old: "aa", new: "cc", at: at}},
		"cut short at the end":        {journal: step("", "aa") + step("aa", "bb")[:30], want: entry{new: "aa", at: at}},
		"zeros, as after a power cut": {journal: step("", "aa") + strings.Repeat("\x00", 500), want: entry{new: "aa", at: at}},
	} {
		t.Run(name, func(t *testing.T) {
			got, ok := lastOf(parseJournal([]byte(c.journal), main))
			if ok == c.unknown {
				t.Fatalf("known: %v", ok)
			}
			if diff := cmp.Diff(c.want, got, cmp.AllowUnexported(entry{})); diff != "" {
				t.Error(diff)
			}
			if all := lastOfEach([]byte(c.journal)); !c.unknown && !cmp.Equal(all[main], got, cmp.AllowUnexported(entry{})) {
				t.Errorf("of all: %+v", all[main])
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
			lines = append(lines, journalText(move{main, fmt.Sprintf("%02x", i), fmt.Sprintf("%02x", i+1)}, at, "", ""))
		}
		more := rapid.SliceOfN(rapid.SampledFrom(lines), 0, 4).Draw(t, "twice")
		lines = rapid.Permutation(append(lines, more...)).Draw(t, "order")
		e, ok := lastOf(parseJournal([]byte(strings.Join(lines, "")), main))
		if want := fmt.Sprintf("%02x", n); !ok || e.new != want {
			t.Fatalf("%v %q, want %q", ok, e.new, want)
		}
	})
}

func fresh(t *testing.T) (*Store, *storetest.World) {
	t.Helper()
	w := storetest.New(t)
	w.Repo("r")
	s, err := Open(context.Background(), Options{Dir: w.Path("r"), Env: w.Env, Now: storetest.Clock()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s, w
}

// The journal stays short, and what it knows it still knows afterwards, with what
// others append while it is written anew.
func TestJournalIsCompacted(t *testing.T) {
	s, _ := fresh(t)
	id := func(n int) string { return fmt.Sprintf("%040x", n) }
	for i := range 4000 {
		ref := fmt.Sprintf("refs/sage/heads/l%d", i%3)
		if err := s.journal([]move{{ref, id(i), id(i + 3)}}, ""); err != nil {
			t.Fatal(err)
		}
	}
	if st, err := os.Stat(s.journalFile()); err != nil || st.Size() > journalMax+1000 {
		t.Errorf("%v %v", st.Size(), err)
	}
	for ref, want := range map[string]int{"l0": 4002, "l1": 4000, "l2": 4001} {
		if e, ok := s.lastEntry("refs/sage/heads/" + ref); !ok || e.new != id(want) {
			t.Errorf("%s: %+v", ref, e)
		}
	}
	err := s.rewriteJournal(func(known map[string]entry) error {
		delete(known, "refs/sage/heads/l1")
		return s.journal([]move{{"refs/sage/heads/l2", id(4001), id(9999)}}, "") // by another process
	})
	if err != nil {
		t.Fatal(err)
	}
	known, err := s.journaled()
	if err != nil || len(known) != 2 || known["refs/sage/heads/l2"].new != id(9999) {
		t.Errorf("%v %v", known, err)
	}
	if _, err := os.Stat(s.oldJournal()); err == nil {
		t.Error("its second name stays")
	}
}

// A journal whose rewriter was killed at any step is read whole.
func TestJournalRewriterKilled(t *testing.T) {
	s, _ := fresh(t)
	if err := s.journal([]move{{main, "", "aa"}}, ""); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(s.journalFile())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Link(s.journalFile(), s.oldJournal()); err != nil { // killed behind this
		t.Fatal(err)
	}
	if err := s.journal([]move{{main, "aa", "bb"}}, ""); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(s.journalFile()+".x", before, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(s.journalFile()+".x", s.journalFile()); err != nil { // or behind this, with "bb" not carried over
		t.Fatal(err)
	}
	known, err := s.journaled()
	if err != nil || known[main].new != "bb" {
		t.Errorf("%v %v", known, err)
	}
	if err := s.rewriteJournal(func(map[string]entry) error { return nil }); err != nil {
		t.Fatal(err)
	}
	if e, ok := s.lastEntry(main); !ok || e.new != "bb" {
		t.Errorf("%+v", e)
	}
	if left, _ := filepath.Glob(s.dir("journal.old")); len(left) != 0 {
		t.Error(left)
	}
}
