package hunks

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// What the hunks say makes the one text of the other, and they are the least that do.
func TestHunksMakeOneOfTheOther(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lines := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c", ""}), 0, 14)
		old, now := lines.Draw(t, "old"), lines.Draw(t, "now")
		hunks := Between(old, now)
		var made []string
		at, edits := 0, 0
		for _, h := range hunks {
			if h.Old < at {
				t.Fatalf("%v: out of order", hunks)
			}
			made = append(append(made, old[at:h.Old]...), now[h.Now:h.Now+h.Nows]...)
			at, edits = h.Old+h.Olds, edits+h.Olds+h.Nows
		}
		made = append(made, old[at:]...)
		if !slices.Equal(made, now) {
			t.Fatalf("%v makes %q of %q, want %q", hunks, made, old, now)
		}
		if want := len(old) + len(now) - 2*longestCommon(old, now); edits != want {
			t.Fatalf("%v: %d edits, %d are enough", hunks, edits, want)
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
func TestBetweenGivesUp(t *testing.T) {
	old, now := strings.Split(strings.Repeat("a\n", 5000), "\n"), strings.Split(strings.Repeat("b\n", 5000), "\n")
	if got := Between(old, now); !slices.Equal(got, []Hunk{{0, 5000, 0, 5000}}) {
		t.Errorf("%v", got)
	}
}
