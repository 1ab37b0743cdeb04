package gitstore

import (
	"context"
	"fmt"
)

// What rules took out of a conversation, see [sage.Rules], is unconfirmed until somebody
// here confirms it, or saves on top of it: who goes on from there has seen it. Both are
// noted in sage/vouched.

// isConfirmed reports whether somebody confirmed what rules made.
func (s *Store) isConfirmed(id string) bool { return s.vouched().has(id) }

// mostConfirmed is how many checkpoints in a row one save confirms: more than a year of
// sessions leaves.
const mostConfirmed = 1000

// confirmBelow confirms what a save continues, and what that continues, as far as rules
// made it here. What came from elsewhere stays unconfirmed.
func (s *Store) confirmBelow(ctx context.Context, r Record) error {
	var ids []string
	for r.Unconfirmed && r.Own && len(ids) < mostConfirmed {
		ids = append(ids, r.ID)
		if len(r.Parents) == 0 {
			break
		}
		next, err := s.live(ctx, r.Parents[0])
		if err != nil || next == "" {
			break // fsck tells of what cannot be read
		}
		if r, err = s.commitRecord(next); err != nil {
			break
		}
	}
	if err := s.vouch(ids...); err != nil {
		return fmt.Errorf("what this save continues stays unconfirmed: %w", err)
	}
	return nil
}
