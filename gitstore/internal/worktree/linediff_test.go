package worktree

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// What the hunks say makes the one text of the other, and they are the least that do.
func TestDiffLinesMakesOneOfTheOther(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lines := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c", ""}), 0, 14)
		old, now := lines.Draw(t, "old"), lines.Draw(t, "now")
		hunks := diffLines(old, now)
		var made []string
		at, edits := 0, 0
		for _, h := range hunks {
			if h.old < at {
				t.Fatalf("%v: out of order", hunks)
			}
			made = append(append(made, old[at:h.old]...), now[h.now:h.now+h.nows]...)
			at, edits = h.old+h.olds, edits+h.olds+h.nows
		}
		made = append(made, old[at:]...)
		if !slices.Equal(made, now) {
			t.Fatalf("%v makes %q of %q, want %q", hunks, made, old, now)
		}
		if want := len(old) + len(now) - 2*longestCommon(old, now); edits != want {
			t.Fatalf("%v: %d edits, %d are enough", hunks, edits, want)
		}
		for i := range old {
			if n, kept := lineNow(hunks, i); kept && now[n] != old[i] {
				t.Fatalf("%v: line %d is said to be at %d", hunks, i, n)
			}
		}
		for i := range now {
			if n, kept := lineNow(turned(hunks), i); kept && old[n] != now[i] {
				t.Fatalf("%v: line %d is said to come from %d", hunks, i, n)
			}
		}
	})
}

func longestCommon(a, b []string) int {
	row := make([]int, len(b)+1)
	for _, x := range a {
		before := 0
		for j, y := range b {
			was := row[j+1]
			if row[j+1] = max(was, row[j]); x == y {
				row[j+1] = before + 1
			}
			before = was
		}
	}
	return row[len(b)]
}

// Of what differs all over there is one hunk, found at once.
func TestDiffLinesGivesUp(t *testing.T) {
	old, now := strings.Split(strings.Repeat("a\n", 5000), "\n"), strings.Split(strings.Repeat("b\n", 5000), "\n")
	if got := diffLines(old, now); !slices.Equal(got, []hunk{{0, 5000, 0, 5000}}) {
		t.Errorf("%v", got)
	}
}

func TestShortDiffIsOfTheLinesThatAreMeant(t *testing.T) {
	old := strings.Split("one\ntwo\nthree\nfour\nfive", "\n")
	now := strings.Split("zero\none\ntwo\n3\nfour and\nmore\nfive", "\n")
	hunks := diffLines(old, now)
	for _, c := range []struct {
		from, to int
		want     string
		first    int
		end      int
	}{
		{0, 1, "", 1, 2}, {1, 3, "-three\n+3\n+four and\n+more", 2, 6}, {3, 4, "-four\n+3\n+four and\n+more", 3, 6}, {4, 5, "", 6, 7},
	} {
		if got := shortDiff(hunks, old, now, c.from, c.to); got != c.want {
			t.Errorf("%d-%d: %q, want %q", c.from, c.to, got, c.want)
		}
		if first, end := spanNow(hunks, c.from, c.to); first != c.first || end != c.end {
			t.Errorf("%d-%d is at %d-%d, want %d-%d", c.from, c.to, first, end, c.first, c.end)
		}
	}
	long := make([]string, 20)
	if got := shortDiff([]hunk{{0, 20, 0, 0}}, long, nil, 0, 20); strings.Count(got, "\n") != mostDiffLines || !strings.HasSuffix(got, "\n(14 more changed lines)") {
		t.Errorf("%q", got)
	}
}
