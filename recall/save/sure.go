package save

import (
	"errors"
	"fmt"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/recall/similarity"
)

// ErrUnsure refuses a checkpoint that nobody asked for and whose author is less sure of
// it than what set it off should make them.
var ErrUnsure = errors.New("not confident enough for an automatic checkpoint")

// floors are the least confidence, by trigger, of a checkpoint that nobody asked for. The
// numbers are those of the tool before us. For others it is 0: somebody asked, or
// something would be lost.
var floors = map[sage.Trigger]float64{
	sage.Synthesis:            0.5,
	sage.WebSearchComplete:    0.3,
	sage.TopicShift:           0.4,
	sage.BranchPoint:          0.4,
	sage.ConstraintDiscovered: 0.4,
}

// Floor is the least confidence, from 0 to 1, with which a checkpoint that nobody asked
// for is saved. Whoever suggests a save names it, or suggests one that is refused.
func Floor(t sage.Trigger) float64 { return floors[t] }

// sureEnough holds c, which nobody asked for, against the floor of its trigger: an error
// that wraps [ErrUnsure] is no. A confidence that c does not tell is not held against it.
func sureEnough(c *sage.Checkpoint) error {
	if c.Confidence == nil || *c.Confidence >= Floor(c.Trigger) {
		return nil
	}
	return fmt.Errorf("%w: a confidence of %.2g, and %s needs %.2g", ErrUnsure, *c.Confidence, c.Trigger.Name(), Floor(c.Trigger))
}

// Declined reports whether err says that a checkpoint which nobody asked for is not worth
// saving, which is no failure.
func Declined(err error) bool {
	return errors.Is(err, ErrUnsure) || errors.Is(err, ErrShallow) || errors.Is(err, similarity.ErrRepeats)
}
