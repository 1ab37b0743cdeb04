package gitstore_test

import (
	"testing"
	"time"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

// A thought of before 1970, or of a year that git has not, makes a commit that git takes,
// and a push of the line goes through.
func TestSaveAtOddTimes(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	w.Git("", "init", "-q", "--bare", "hub")
	w.Git("hub", "config", "receive.fsckObjects", "true")
	s := open(t, w, "r")
	for _, at := range []time.Time{time.Date(1960, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(1, 1, 2, 0, 0, 0, 0, time.UTC), time.Date(9999, 12, 31, 23, 59, 59, 0, time.FixedZone("", -12*3600))} {
		if _, err := s.Checkpoints.Save(ctx, gitstore.Draft{Checkpoint: sage.Checkpoint{Thesis: at.String(), Time: at}}); err != nil {
			t.Errorf("%s: %v", at, err)
		}
	}
	w.Git("r", "fsck", "--strict")
	w.Git("r", "push", "-q", w.Path("hub"), "refs/sage/heads/*:refs/sage/heads/*")
}
