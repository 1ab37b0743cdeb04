package save

import (
	"context"
	"slices"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/prose"
	"github.com/git-sage/git-sage/prose/compare"
	"github.com/git-sage/git-sage/prose/terms"
	"github.com/git-sage/git-sage/recall/prompts"
	"github.com/git-sage/git-sage/recall/search"
	"github.com/git-sage/git-sage/recall/similarity"
)

// Holds reports whether a recent checkpoint of the line, or an item, says what a sentence
// says, so that nobody need be asked to save it. Words decide: a sentence that is one of a
// longer text is held, and so is one that brings no word of its own.
func (sv *Saver) Holds(ctx context.Context, sentence string) bool {
	same := func(held string) bool { return hasSentence(held, sentence) || compare.Repeats(held, sentence) }
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

// hasSentence reports whether a text has a sentence, or several in a row, of the same words. Part
// of one is not: it may be what the whole denies.
func hasSentence(text, sentence string) bool {
	wanted := phrases(sentence)
	have := phrases(text)
	for i := 0; len(wanted) > 0 && i+len(wanted) <= len(have); i++ {
		if slices.Equal(have[i:i+len(wanted)], wanted) {
			return true
		}
	}
	return false
}

// phrases are the sentences of a text, each as its words.
func phrases(text string) (out []string) {
	for _, s := range prose.Read(text) {
		if p := terms.Phrase(s.Text); p != "" {
			out = append(out, p)
		}
	}
	return out
}
