package similarity

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/prose/compare"
	"github.com/git-sage/git-sage/recall/brief"
	"github.com/git-sage/git-sage/recall/rank"
)

// ErrRepeats refuses a checkpoint that nobody asked for and that says nothing which a
// recent one of its line does not.
var ErrRepeats = errors.New("it says nothing new")

// RepeatDepth is how many checkpoints a new one is compared with: what was said
// longer ago is worth saying again.
const RepeatDepth = 10

// NewEnough returns an ErrRepeats, which names the checkpoint, for one that repeats
// another of the line on which it is to be saved; "" is where the session stands. What
// cannot be compared is new.
func (co *Comparer) NewEnough(ctx context.Context, c *sage.Checkpoint, on string) error {
	if r := co.repeated(ctx, c, co.recent(ctx, gitstore.Query{Line: on}), saysMore); r != nil {
		return fmt.Errorf("%w: %s already has it, '%s'", ErrRepeats, brief.ShortID(r.ID), brief.Line(r.Description, 80))
	}
	return ctx.Err()
}

// recent are the last few checkpoints that q lists; none of a line that does not exist yet.
func (co *Comparer) recent(ctx context.Context, q gitstore.Query) []gitstore.Record {
	q.Max = RepeatDepth
	list, err := co.stores.Store.Commits.Log(ctx, q)
	if err != nil && !errors.Is(err, gitstore.ErrNotFound) {
		co.stores.Complain(err)
	}
	if err != nil {
		return nil
	}
	return list
}

// repeated is the first checkpoint of a list that says all that c says; nil if there is none.
// more names what a thesis says beyond an older one. Words decide on what the list tells
// before anything is read or embedded, so that a thought which is new costs one list, and a
// model is asked about none but those whose words agree. What c corrects it does not repeat.
func (co *Comparer) repeated(ctx context.Context, c *sage.Checkpoint, recent []gitstore.Record, more func(older, newer string) string) *gitstore.Record {
	least := cmp.Or(co.stores.Settings().Dedup, DedupThreshold)
	corrects := map[string]bool{c.Corrects(): true}
	for i, r := range recent {
		if corrects[r.ID] { // what it corrects, and what that corrects, it is to say again
			if older, err := co.stores.Store.Commits.Load(ctx, r.ID); err == nil {
				corrects[older.Corrects()] = true
			}
			continue
		}
		if more(r.Thesis, c.Thesis) != "" {
			continue
		}
		older, err := co.stores.Store.Commits.Load(ctx, r.ID)
		if err != nil { // what cannot be read repeats nothing
			continue
		}
		if same, _ := isDuplicate(older, c, more, func() float64 { return co.similarity(ctx, older.Thesis, c.Thesis) }, least); same {
			return &recent[i]
		}
	}
	return nil
}

// Repeats says of a checkpoint that was saved which one of its line it repeats, or nearly;
// "" if none. What words tell of the last few comes first: a model is asked about none but
// those whose words agree, and git for a list only then.
func (co *Comparer) Repeats(ctx context.Context, c *sage.Checkpoint, saved gitstore.Saved) string {
	if !slices.ContainsFunc(co.stores.Store.Commits.Recent(ctx, saved.Follows, RepeatDepth), func(r gitstore.Record) bool { return compare.Difference(r.Thesis, c.Thesis) == "" }) {
		return ""
	}
	recent, says := co.recent(ctx, gitstore.Query{Revs: []string{saved.Follows}}), "already says the same"
	r := co.repeated(ctx, c, recent, differ)
	if r == nil {
		r, says = co.repeated(ctx, c, recent, compare.Difference), "says nearly the same"
	}
	if r == nil {
		return ""
	}
	return fmt.Sprintf("%s %s: %s", brief.ShortID(r.ID), says, brief.Line(r.Description, 80))
}

// similarity is the cosine of two theses; without a model, only equal ones are alike.
func (co *Comparer) similarity(ctx context.Context, a, b string) float64 {
	if a == b {
		return 1
	}
	e, err := co.stores.Embedder()
	co.stores.Complain(err)
	if e == nil {
		return 0
	}
	v, err := e.Documents(ctx, []string{a, b})
	co.stores.Complain(err)
	if len(v) != 2 {
		return 0
	}
	return rank.Dot(v[0], v[1])
}
