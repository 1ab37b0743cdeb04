package save

import (
	"context"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/prose/compare"
	"github.com/git-sage/git-sage/prose/terms"
	"github.com/git-sage/git-sage/recall/prompts"
	"github.com/git-sage/git-sage/recall/search"
	"github.com/git-sage/git-sage/recall/similarity"
)

// Holds reports whether a recent checkpoint of the line, or an item, says what a sentence
// says, so that nobody need be asked to save it. Words decide: a sentence that stands in a
// longer text is held, and so is one that brings no word of its own.
func (sv *Saver) Holds(ctx context.Context, sentence string) bool {
	same := func(held string) bool {
		return strings.Contains(terms.Phrase(held), terms.Phrase(sentence)) || compare.Repeats(held, sentence)
	}
	recent, err := sv.stores.Store.Commits.Log(ctx, gitstore.Query{Max: similarity.RepeatDepth})
	sv.stores.Complain(err)
	for _, r := range recent {
		if !r.Counts() {
			continue
		}
		c, err := sv.stores.Store.Commits.Load(ctx, r.ID)
		if err != nil {
			continue
		}
		if slices.ContainsFunc(slices.Concat([]string{c.Thesis}, c.KeyEvidence, c.OpenQuestions, similarity.ContributionsOf(c)), same) {
			return true
		}
	}
	found, err := sv.prompts.Recall(ctx, sentence, prompts.RecallOptions{Quick: true})
	sv.stores.Complain(err)
	return found != nil && slices.ContainsFunc(slices.Concat(found.Items, found.Near), func(r search.Recalled) bool { return same(r.Item.Text()) })
}
