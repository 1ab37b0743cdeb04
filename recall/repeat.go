package recall

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

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
	if r := m.repeated(ctx, c, gitstore.Query{}); r != nil {
		return fmt.Errorf("%w: %s has it already, '%s'", ErrRepeats, short(r.ID), line(r.Description, 80))
	}
	return ctx.Err()
}

// repeated is the newest checkpoint, of those that q lists, that says all that c says;
// nil if there is none. Words decide on what the list tells before anything is read or
// embedded, so that a thought which is new costs one list, and a model is asked about
// none but those whose words agree.
func (m *Memory) repeated(ctx context.Context, c *sage.Checkpoint, q gitstore.Query) *gitstore.Record {
	q.Max = repeatDepth
	recent, err := m.Store.Log(ctx, q)
	if err != nil {
		m.complain(err)
		return nil
	}
	least := cmp.Or(m.settings().Dedup, DedupThreshold)
	for i, r := range recent {
		if textDifference(r.Thesis, c.Thesis) != "" {
			continue
		}
		older, err := m.Store.Load(ctx, r.ID)
		if err != nil || difference(older, c) != "" {
			continue
		}
		if same, _ := IsDuplicate(older, c, m.similarity(ctx, older.Thesis, c.Thesis), least); same {
			return &recent[i]
		}
	}
	return nil
}

// repeats says of a checkpoint that was saved which one of its line it repeats; "" if
// none. What words tell of the last few comes first: a model is asked about none but
// those whose words agree, and git for a list only then.
func (m *Memory) repeats(ctx context.Context, c *sage.Checkpoint, saved gitstore.Saved) string {
	recent := m.Store.Recent(ctx, saved.Follows, repeatDepth)
	if !slices.ContainsFunc(recent, func(r gitstore.Record) bool { return textDifference(r.Thesis, c.Thesis) == "" }) {
		return ""
	}
	if r := m.repeated(ctx, c, gitstore.Query{Revs: []string{saved.Follows}}); r != nil {
		return fmt.Sprintf("%s says the same already: %s", short(r.ID), line(r.Description, 80))
	}
	return ""
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
