package session

import (
	"context"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
)

// Recovered returns what Latest does, and the newest recovery since then: what was
// taken out of a conversation that ended before anybody saved what it came to. Either
// is nil if there is none.
func (se *Session) Recovered(ctx context.Context) (latest, recovery *gitstore.Record, err error) {
	records, err := se.stores.Store.Commits.Log(ctx, gitstore.Query{Max: searchDepth})
	for i := range records {
		switch r := &records[i]; {
		case Continues(*r):
			return r, recovery, err
		case recovery == nil && recovers(*r):
			recovery = r
		}
	}
	return nil, recovery, err
}

// recovers reports whether r is a recovery that says something.
func recovers(r gitstore.Record) bool { return HoldsThought(r) && r.Trigger == sage.Recovery }

// RecoveryShare is the part of a brief that a recovery may take beside a checkpoint
// that somebody thought about.
const RecoveryShare = 3

// RecoveredBrief is the part about what nobody saved; "" without a recovery.
func (se *Session) RecoveredBrief(ctx context.Context, r *gitstore.Record, st gitstore.Status, beside bool, maxChars int) (string, error) {
	if r == nil {
		return "", nil
	}
	c, err := se.stores.Store.Commits.Load(ctx, r.ID)
	if err != nil {
		return "", err
	}
	head, before := se.Head(r, st), ""
	if beside {
		maxChars /= RecoveryShare
		head = se.which(*r, st)
	} else {
		before = se.concluded(ctx, maxChars, r)
	}
	head += "Recovered from a conversation that was cut off before it was saved. The next save replaces it.\n\n"
	return se.fenced(ctx, c, origin(*r, st), head, before, maxChars)
}
