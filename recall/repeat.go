package recall

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
)

// ErrRepeats refuses a checkpoint that nobody asked for and that says nothing which a
// recent one of its line does not.
var ErrRepeats = errors.New("it says nothing new")

// repeatDepth is how many checkpoints a new one is compared with: what was said
// longer ago is worth saying again.
const repeatDepth = 10

// newEnough returns an ErrRepeats, which names the checkpoint, for one that repeats
// another from where the session stands. What cannot be compared is new.
func (m *Memory) newEnough(ctx context.Context, c *sage.Checkpoint) error {
	recent, err := m.Store.Log(ctx, gitstore.Query{Max: repeatDepth})
	if err != nil {
		m.complain(err)
		return ctx.Err()
	}
	for _, r := range recent {
		older, err := m.Store.Load(ctx, r.ID)
		if err != nil || difference(older, c) != "" {
			continue
		}
		least := cmp.Or(m.settings().Dedup, DedupThreshold)
		if same, _ := IsDuplicate(older, c, m.similarity(ctx, older.Thesis, c.Thesis), least); same {
			return fmt.Errorf("%w: %s has it already, '%s'", ErrRepeats, short(r.ID), line(r.Description, 80))
		}
	}
	return ctx.Err()
}

// similarity is the cosine of two theses; without a model, only equal ones are alike.
func (m *Memory) similarity(ctx context.Context, a, b string) float64 {
	if a == b {
		return 1
	}
	e, err := m.embedder()
	m.complain(err)
	if e == nil {
		return 0
	}
	v, err := e.Documents(ctx, []string{a, b})
	m.complain(err)
	if len(v) != 2 {
		return 0
	}
	return dot(v[0], v[1])
}

func dot(a, b []float32) (sum float64) {
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}
