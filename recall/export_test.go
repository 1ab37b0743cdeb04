package recall

import (
	"context"

	"github.com/git-sage/git-sage/recall/rank"
)

// Shelves are the stores that a question is asked of, opened.
func (m *Memory) Shelves(ctx context.Context) (shelves, error) { return m.shelves(ctx) }

// Close closes them.
func (l shelves) Close() { l.close() }

// Ranking is how what a store has is ranked.
func (m *Memory) Ranking(ctx context.Context, sh *shelf) *rank.Ranking {
	return m.ranking(ctx, sh, false)
}
