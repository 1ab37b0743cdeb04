package recall

import (
	"context"
	"slices"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/recall/index"
)

// SearchOptions narrow a search. The zero SearchOptions is all checkpoints.
type SearchOptions struct {
	Limit int    // 0 is DefaultFound
	Skill string // only those of this skill
}

// A Found is a checkpoint that answers a query.
type Found struct {
	*sage.Checkpoint
	Scored
}

// DefaultFound is how many checkpoints a search shows when nobody says.
const DefaultFound = 5

// leastFound is the score of what is shown: half of all queries that have nothing to
// do with a store get so much of something in it, and who searches can judge.
const leastFound = 0.30

// Search looks for checkpoints by question, thesis and what they rest on, the best
// first, on every line. words says that there was no model, or no vector yet.
func (m *Memory) Search(ctx context.Context, query string, o SearchOptions) (found []Found, words bool, err error) {
	shelves, err := m.shelves(ctx)
	if err != nil {
		return nil, false, err
	}
	defer shelves.close()
	sh := shelves[0] // the person's own store has no checkpoints of this repository
	if err := sh.catchUp(ctx, true); err != nil {
		m.complain(err) // what is there is searched
	} else {
		m.complain(sh.fill(ctx, false))
	}
	q := Question{Text: query}
	q.Vector, err = shelves.vector(ctx, query)
	m.complain(err)
	hits, err := sh.index.Search(ctx, index.Query{
		Text: q.Text, Vector: q.Vector, Kinds: []string{kindCheckpoint}, Limit: Candidates, BM25: &Keywords,
		Filter: func(d *index.Meta) bool { return o.Skill == "" || slices.Contains(d.Skills, o.Skill) },
	})
	if err != nil {
		return nil, false, err
	}
	ranked := sh.ranking(ctx, RecallOptions{}).Rank(q, hits)
	found, err = sh.checkpoints(ctx, ranked, o.Limit)
	return found, q.Vector == nil, err
}

// checkpoints reads the best of what was found. One that is gone meanwhile is left out.
func (sh *shelf) checkpoints(ctx context.Context, ranked []Scored, limit int) (out []Found, err error) {
	limit = cmpOr(limit, DefaultFound)
	for _, s := range ranked {
		if len(out) == limit || s.Score < leastFound {
			continue
		}
		c, err := sh.store.Load(ctx, keyID(s.Meta.Key))
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err == nil {
			out = append(out, Found{c, s})
		}
	}
	return out, nil
}
