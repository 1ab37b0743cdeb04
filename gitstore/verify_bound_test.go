package gitstore

import (
	"errors"
	"testing"
	"time"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

// Judging ends when its time is over, and what was not judged is not taken in.
func TestJudgingEnds(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	s := trusting(t, w, "r")
	saved, err := s.Save(ctx, Draft{Checkpoint: sage.Checkpoint{Thesis: "one"}})
	if err != nil {
		t.Fatal(err)
	}
	v, err := s.verifier(ctx, true)
	if err != nil {
		t.Fatal(err)
	}
	end := v.until
	v.until = time.Time{}
	if err := v.verdict(saved.ID); !errors.Is(err, errTooLong) {
		t.Errorf("%v", err)
	}
	v.until = end
	if err := v.verdict(saved.ID); err != nil {
		t.Errorf("with time left: %v", err)
	}
}
