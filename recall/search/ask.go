package search

import (
	"context"
	"fmt"

	"github.com/git-sage/git-sage/recall/internal/stores"
	"github.com/git-sage/git-sage/recall/rank"
)

// Embed makes the question, while its caller does other things: the model takes longer
// than all else of a prompt.
func Embed(ctx context.Context, query string, vector func(context.Context, string) ([]float32, error)) (asked func() (rank.Question, error)) {
	embedded := Meanwhile("embed the query", func() ([]float32, error) { return vector(ctx, query) })
	return func() (rank.Question, error) {
		v, err := embedded()
		return rank.Question{Text: query, Vector: v}, err
	}
}

// Meanwhile starts something beside what its caller does, and returns how to wait for it.
func Meanwhile[T any](what string, do func() (T, error)) (wait func() (T, error)) {
	done := make(chan struct{})
	var out T
	var err error
	go func() {
		defer close(done)
		defer func() {
			if p := recover(); p != nil { // who guards its caller does not guard this
				err = fmt.Errorf("%s: %v", what, p)
			}
		}()
		out, err = do()
	}()
	return func() (T, error) { <-done; return out, err }
}

// Ranking is how findings of the model are ranked by the settings. In a hurry what would take
// long to measure is left out.
func (se *Searcher) Ranking(ctx context.Context, src *stores.Source, quick bool) *rank.Ranking {
	s := se.stores.Settings()
	known := src.Prompts()
	return &rank.Ranking{
		Calibration: src.Calibration(ctx, quick),
		Learned:     known.Threshold(), LearnedTitle: known.TitleThreshold(),
		Weights: rank.Weights{Meaning: s.EmbeddingWeight, Words: s.KeywordWeight}, Thresholds: s.Thresholds,
		MaxItems: s.RecallItems, MaxTokens: s.RecallTokens,
	}
}
