package worktree

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/git-sage/git-sage/internal/hunks"
)

// Where a line is said to be, before or after, it is.
func TestLineNow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lines := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c", ""}), 0, 14)
		old, now := lines.Draw(t, "old"), lines.Draw(t, "now")
		list := hunks.Between(old, now)
		for i := range old {
			if n, kept := lineNow(list, i); kept && now[n] != old[i] {
				t.Fatalf("%v: line %d is said to be at %d", list, i, n)
			}
		}
		for i := range now {
			if n, kept := lineNow(turned(list), i); kept && old[n] != now[i] {
				t.Fatalf("%v: line %d is said to come from %d", list, i, n)
			}
		}
	})
}

func TestShortDiffIsOfTheLinesThatAreMeant(t *testing.T) {
	old := strings.Split("one\ntwo\nthree\nfour\nfive", "\n")
	now := strings.Split("zero\none\ntwo\n3\nfour and\nmore\nfive", "\n")
	list := hunks.Between(old, now)
	for _, c := range []struct {
		from, to int
		want     string
		first    int
		end      int
	}{
		{0, 1, "", 1, 2}, {1, 3, "-three\n+3\n+four and\n+more", 2, 6}, {3, 4, "-four\n+3\n+four and\n+more", 3, 6}, {4, 5, "", 6, 7},
	} {
		if got := shortDiff(list, old, now, c.from, c.to); got != c.want {
			t.Errorf("%d-%d: %q, want %q", c.from, c.to, got, c.want)
		}
		if first, end := spanNow(list, c.from, c.to); first != c.first || end != c.end {
			t.Errorf("%d-%d is at %d-%d, want %d-%d", c.from, c.to, first, end, c.first, c.end)
		}
	}
	long := make([]string, 20)
	if got := shortDiff([]hunks.Hunk{{Olds: 20}}, long, nil, 0, 20); strings.Count(got, "\n") != mostDiffLines || !strings.HasSuffix(got, "\n(14 more changed lines)") {
		t.Errorf("%q", got)
	}
}
