package recall

import (
	"context"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
)

// Recovered returns what Latest does, and the newest recovery since then: what was
// taken out of a conversation that ended before anybody saved what it came to. Either
// is nil if there is none.
func (m *Memory) Recovered(ctx context.Context) (latest, recovery *gitstore.Record, err error) {
	records, err := m.Store.Log(ctx, gitstore.Query{Max: searchDepth})
	for i := range records {
		switch r := &records[i]; {
		case continues(*r):
			return r, recovery, err
		case recovery == nil && recovers(*r):
			recovery = r
		}
	}
	return nil, recovery, err
}

// recovers reports whether r is a recovery that says something.
func recovers(r gitstore.Record) bool { return holdsThought(r) && r.Trigger == sage.Recovery }

// recoveryShare is the part of a brief that a recovery may take beside a checkpoint
// that somebody thought about.
const recoveryShare = 3

// recoveredBrief is the part about what nobody saved; "" without a recovery.
func (m *Memory) recoveredBrief(ctx context.Context, r *gitstore.Record, st gitstore.Status, beside bool, maxChars int) (string, error) {
	if r == nil {
		return "", nil
	}
	c, err := m.Store.Load(ctx, r.ID)
	if err != nil {
		return "", err
	}
	head, before := m.head(r, st), ""
	if beside {
		maxChars /= recoveryShare
		head = m.which(*r, st)
	} else {
		before = m.concluded(ctx, maxChars, r)
	}
	head += "Recovered from a conversation that was cut off before it was saved. The next save replaces it.\n\n"
	return m.fenced(ctx, c, origin(*r, st), head, before, maxChars)
}
