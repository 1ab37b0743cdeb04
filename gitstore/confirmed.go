package gitstore

import (
	"context"
	"fmt"
	"iter"

	"github.com/git-sage/git-sage/gitstore/sage"
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
	for r := range s.byRules(ctx, r) {
		if r.Unconfirmed {
			ids = append(ids, r.ID)
		}
	}
	if err := s.vouch(ids...); err != nil {
		return fmt.Errorf("what this save continues stays unconfirmed: %w", err)
	}
	return nil
}

// unconfirmedOf are the records below one that rules made of the same session: it continues
// them, and says what they say.
func (s *Store) unconfirmedOf(ctx context.Context, r Record) (ids []string) {
	for older := range s.byRules(ctx, r) {
		if r.Session == "" || older.Session != r.Session {
			break
		}
		if older.ID != r.ID && older.Unconfirmed {
			ids = append(ids, older.ID)
		}
	}
	return ids
}

// byRules goes from a record that rules made here to what it continues, as far as they made
// that here, too.
func (s *Store) byRules(ctx context.Context, r Record) iter.Seq[Record] {
	return func(yield func(Record) bool) {
		for n := 0; r.Agent == sage.Rules && r.Own && n < mostConfirmed && yield(r) && len(r.Parents) > 0; n++ {
			next, err := s.live(ctx, r.Parents[0])
			if err != nil || next == "" {
				return // fsck tells of what cannot be read
			}
			if r, err = s.commitRecord(next); err != nil {
				return
			}
		}
	}
}
