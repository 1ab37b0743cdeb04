package save

import (
	"errors"
	"fmt"
	"slices"

	"github.com/git-sage/git-sage/gitstore/sage"
)

// ErrShallow refuses a checkpoint that nobody asked for while the conversation
// is too short to hold a conclusion.
var ErrShallow = errors.New("too early for an automatic checkpoint")

// anyDepth are the triggers that a short conversation does not stop: somebody
// asked, something would be lost, or it marks a beginning.
var anyDepth = []sage.Trigger{sage.Manual, sage.PreCompact, sage.ContextThreshold, sage.ResearchStart, sage.Recovery, sage.SessionEnd}

// DeepEnough holds c, which nobody asked for, against depth_min_messages and
// depth_min_tokens: an error that wraps [ErrShallow] is no. What c does not tell is not
// held against it. Whoever suggests a save asks here first, or suggests one that is refused.
func (sv *Saver) DeepEnough(c *sage.Checkpoint) error {
	if slices.Contains(anyDepth, c.Trigger) {
		return nil
	}
	s := sv.stores.Settings()
	switch {
	case c.MessageCount > 0 && c.MessageCount < s.DepthMessages:
		return fmt.Errorf("%w: after %d messages of %d (depth_min_messages)", ErrShallow, c.MessageCount, s.DepthMessages)
	case c.TokenEstimate > 0 && c.TokenEstimate < s.DepthTokens:
		return fmt.Errorf("%w: after %d tokens of %d (depth_min_tokens)", ErrShallow, c.TokenEstimate, s.DepthTokens)
	}
	return nil
}
