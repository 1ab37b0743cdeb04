package gitstore_test

import (
	"slices"
	"testing"
	"time"
)

// A line is named when its branch was merged into the one that is checked out, by squash or
// not, as long as the line that is current does not hold it; not one whose branch has no
// commit of its own or is still on its way. Without the branch's log it is the same.
func TestMergedLines(t *testing.T) {
	for _, logged := range []bool{true, false} {
		w := following(t)
		for _, branch := range []string{"merged", "unmerged", "squashed", "empty"} {
			w.Git("r", "switch", "-q", "-c", branch, "main")
			save(t, open(t, w, "r"), "on "+branch)
			if branch == "empty" {
				continue
			}
			w.Write("r/"+branch, branch)
			w.Git("r", "add", branch)
			w.Git("r", "commit", "-q", "-m", branch)
			save(t, open(t, w, "r"), "more on "+branch)
		}
		w.Git("r", "switch", "-q", "main")
		w.Git("r", "merge", "-q", "--no-ff", "-m", "merge", "merged")
		w.Git("r", "merge", "-q", "--squash", "squashed")
		w.Git("r", "commit", "-q", "-m", "squashed")
		if !logged {
			for _, branch := range []string{"merged", "unmerged", "squashed", "empty"} {
				w.Git("r", "reflog", "expire", "--expire=now", "refs/heads/"+branch)
			}
		}
		w.Write("r/unmerged", "the same file, otherwise")
		w.Git("r", "add", "unmerged")
		w.Git("r", "commit", "-q", "-m", "unmerged, in other words")
		s := open(t, w, "r")
		s.Follow.Within = time.Minute
		lines, err := s.Lines.List(ctx)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, m := range s.Follow.MergedLines(ctx, lines) {
			got = append(got, m.Name+" of "+m.Branch)
		}
		if want := []string{"merged of merged", "squashed of squashed"}; !slices.Equal(got, want) {
			t.Errorf("logged %v: %q, want %q", logged, got, want)
		}
	}
}
