package save

import (
	"errors"
	"testing"

	"github.com/git-sage/git-sage/gitstore/sage"
)

func TestFloorsOfTriggers(t *testing.T) {
	for _, tt := range []struct {
		trigger sage.Trigger
		floor   float64
	}{
		{sage.Synthesis, 0.5}, {sage.WebSearchComplete, 0.3}, {sage.TopicShift, 0.4}, {sage.BranchPoint, 0.4}, {sage.ConstraintDiscovered, 0.4},
		{sage.ContextThreshold, 0}, {sage.PreCompact, 0}, {sage.Manual, 0}, {sage.ResearchStart, 0}, {sage.UserValidated, 0}, {sage.SessionEnd, 0},
	} {
		at, below := tt.floor, tt.floor-0.01
		if err := sureEnough(&sage.Checkpoint{Trigger: tt.trigger, Confidence: &at}); err != nil {
			t.Errorf("%s with %v: %v", tt.trigger, at, err)
		}
		err := sureEnough(&sage.Checkpoint{Trigger: tt.trigger, Confidence: &below})
		if tt.floor > 0 && (!errors.Is(err, ErrUnsure) || !Declined(err)) {
			t.Errorf("%s with %v: %v", tt.trigger, below, err)
		}
	}
}
