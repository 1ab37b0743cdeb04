package recall

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/prose/compare"
	"github.com/git-sage/git-sage/prose/terms"
	"github.com/git-sage/git-sage/recall/brief"
	"github.com/git-sage/git-sage/recall/rank"
)

// ErrRepeats refuses a checkpoint that nobody asked for and that says nothing which a
// recent one of its line does not.
var ErrRepeats = errors.New("it says nothing new")

// repeatDepth is how many checkpoints a new one is compared with: what was said
// longer ago is worth saying again.
const repeatDepth = 10

// newEnough returns an ErrRepeats, which names the checkpoint, for one that repeats
// another of the line on which it is to be saved; "" is where the session stands. What
// cannot be compared is new.
func (m *Memory) newEnough(ctx context.Context, c *sage.Checkpoint, on string) error {
	if r := m.repeated(ctx, c, gitstore.Query{Line: on}); r != nil {
		return fmt.Errorf("%w: %s already has it, '%s'", ErrRepeats, brief.ShortID(r.ID), brief.Line(r.Description, 80))
	}
	return ctx.Err()
}

// repeated is the newest checkpoint, of those that q lists, that says all that c says;
// nil if there is none. Words decide on what the list tells before anything is read or
// embedded, so that a thought which is new costs one list, and a model is asked about
// none but those whose words agree. What c corrects it does not repeat.
func (m *Memory) repeated(ctx context.Context, c *sage.Checkpoint, q gitstore.Query) *gitstore.Record {
	q.Max = repeatDepth
	recent, err := m.Store.Log(ctx, q)
	if errors.Is(err, gitstore.ErrNotFound) { // the line does not exist yet
		return nil
	}
	if err != nil {
		m.complain(err)
		return nil
	}
	least := cmp.Or(m.Settings().Dedup, DedupThreshold)
	corrects := map[string]bool{c.Corrects(): true}
	for i, r := range recent {
		if corrects[r.ID] { // what it corrects, and what that corrects, it is to say again
			if older, err := m.Store.Load(ctx, r.ID); err == nil {
				corrects[older.Corrects()] = true
			}
			continue
		}
		if compare.Difference(r.Thesis, c.Thesis) != "" {
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
	if !slices.ContainsFunc(recent, func(r gitstore.Record) bool { return compare.Difference(r.Thesis, c.Thesis) == "" }) {
		return ""
	}
	if r := m.repeated(ctx, c, gitstore.Query{Revs: []string{saved.Follows}}); r != nil {
		return fmt.Sprintf("%s already says the same: %s", brief.ShortID(r.ID), brief.Line(r.Description, 80))
	}
	return ""
}

// similarity is the cosine of two theses; without a model, only equal ones are alike.
func (m *Memory) similarity(ctx context.Context, a, b string) float64 {
	if a == b {
		return 1
	}
	e, err := m.Embedder()
	m.complain(err)
	if e == nil {
		return 0
	}
	v, err := e.Documents(ctx, []string{a, b})
	m.complain(err)
	if len(v) != 2 {
		return 0
	}
	return rank.Dot(v[0], v[1])
}

// Holds reports whether a recent checkpoint of the line, or an item, says what a sentence
// says, so that nobody need be asked to save it. Words decide: a sentence that stands in a
// longer text is held, and so is one that differs in nothing a reader would stop at.
func (m *Memory) Holds(ctx context.Context, sentence string) bool {
	same := func(held string) bool {
		return strings.Contains(terms.Phrase(held), terms.Phrase(sentence)) || compare.Difference(held, sentence) == ""
	}
	recent, err := m.Store.Log(ctx, gitstore.Query{Max: repeatDepth})
	m.complain(err)
	for _, r := range recent {
		if r.Removed || r.Kind == gitstore.KindTombstone {
			continue
		}
		c, err := m.Store.Load(ctx, r.ID)
		if err != nil {
			continue
		}
		if slices.ContainsFunc(slices.Concat([]string{c.Thesis}, c.KeyEvidence, c.OpenQuestions, contributionsOf(c)), same) {
			return true
		}
	}
	found, err := m.Recall(ctx, sentence, RecallOptions{Quick: true})
	m.complain(err)
	return found != nil && slices.ContainsFunc(slices.Concat(found.Items, found.Near), func(r Recalled) bool { return same(r.Item.Text()) })
}
