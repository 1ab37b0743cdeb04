package gitstore

import (
	"errors"
	"testing"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/admission"
	"github.com/git-sage/git-sage/gitstore/internal/ledger"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

// Judging ends when its time is over, and what was not judged is not taken in.
func TestJudgingEnds(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	s := trusting(t, w, "r")
	saved, err := s.Checkpoints.Save(ctx, ledger.Draft{Checkpoint: sage.Checkpoint{Thesis: "one"}})
	if err != nil {
		t.Fatal(err)
	}
	v, err := s.admission.Verifier(ctx, true)
	if err != nil {
		t.Fatal(err)
	}
	end := v.Until
	v.Until = time.Time{}
	if err := v.Verdict(saved.ID); !errors.Is(err, admission.ErrTooLong) {
		t.Errorf("%v", err)
	}
	v.Until = end
	if err := v.Verdict(saved.ID); err != nil {
		t.Errorf("with time left: %v", err)
	}
}
