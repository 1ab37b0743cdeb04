package confirm

import (
	"context"
	"fmt"
	"iter"

	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/sage"
)

// mostConfirmed is how many checkpoints in a row one save confirms: more than a year of
// sessions leaves.
const mostConfirmed = 1000

// ConfirmBelow confirms what a save continues, and what that continues, as far as rules
// made it here. What came from elsewhere stays unconfirmed.
func (co *Confirmer) ConfirmBelow(ctx context.Context, r record.Record) error {
	var ids []string
	for r := range co.byRules(ctx, r) {
		if r.Unconfirmed {
			ids = append(ids, r.ID)
		}
	}
	if err := co.ownership.Vouch(ids...); err != nil {
		return fmt.Errorf("the parent of this checkpoint stays unconfirmed: %w", err)
	}
	return nil
}

// unconfirmedOf are the records below one that rules made of the same session: it continues
// them, and says what they say.
func (co *Confirmer) unconfirmedOf(ctx context.Context, r record.Record) (ids []string) {
	for older := range co.byRules(ctx, r) {
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
func (co *Confirmer) byRules(ctx context.Context, r record.Record) iter.Seq[record.Record] {
	return func(yield func(record.Record) bool) {
		for n := 0; r.Agent == sage.Rules && r.Own && n < mostConfirmed && yield(r) && len(r.Parents) > 0; n++ {
			next, err := co.commits.Live(ctx, r.Parents[0])
			if err != nil || next == "" {
				return // fsck tells of what cannot be read
			}
			if r, err = co.commits.CommitRecord(next); err != nil {
				return
			}
		}
	}
}
