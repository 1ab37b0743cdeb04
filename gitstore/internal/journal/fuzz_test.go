package journal

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/git-sage/git-sage/gitstore/internal/record"
)

// FuzzJournal: every line that is believed stands in the file, word for word.
func FuzzJournal(f *testing.F) {
	at := record.Unix("1767323045")
	whole := journalText(Move{"refs/sage/heads/main", "", "aa"}, at, "", "") + journalText(Move{"refs/sage/heads/main", "aa", "bb"}, at, "", "") + journalText(Move{"refs/sage/heads/main", "bb", ""}, at, "?", "")
	for _, s := range []string{whole, whole[:len(whole)-9], whole[:30] + whole, strings.Replace(whole, "aa", "ab", 1), "\n\n00000000 1 - - refs/x\n"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, l := range parseJournal(b, "") {
			if !bytes.Contains(b, []byte(l.Text)) || !strings.HasPrefix(l.Ref, "refs/") {
				t.Fatalf("%+v stands nowhere", l)
			}
		}
		for ref, e := range lastOfEach(b) {
			if lines := parseJournal(b, ref); !slices.ContainsFunc(lines, func(l JournalLine) bool { return l.New == e.New && !l.Begun }) {
				t.Fatalf("%s was never %s", ref, e.New)
			}
		}
	})
}
