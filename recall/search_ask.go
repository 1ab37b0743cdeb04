package recall

import (
	"context"
	"fmt"

	"github.com/git-sage/git-sage/recall/rank"
)

// embedding makes the question, while its caller does other things: the model takes longer
// than all else of a prompt.
func embedding(ctx context.Context, query string, vector func(context.Context, string) ([]float32, error)) (asked func() (rank.Question, error)) {
	embedded := aside("embed the query", func() ([]float32, error) { return vector(ctx, query) })
	return func() (rank.Question, error) {
		v, err := embedded()
		return rank.Question{Text: query, Vector: v}, err
	}
}

// aside does something meanwhile, and returns how to wait for it.
func aside[T any](what string, do func() (T, error)) (wait func() (T, error)) {
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

// ranking is how findings of the model are ranked by the settings. In a hurry what would take
// long to measure is left out.
func (m *Memory) ranking(ctx context.Context, sh *shelf, quick bool) *rank.Ranking {
	s := m.Settings()
	known := sh.prompts()
	return &rank.Ranking{
		Calibration: sh.Calibration(ctx, quick),
		Learned:     known.Threshold(), LearnedTitle: known.TitleThreshold(),
		Weights: rank.Weights{Meaning: s.EmbeddingWeight, Words: s.KeywordWeight}, Thresholds: s.Thresholds,
		MaxItems: s.RecallItems, MaxTokens: s.RecallTokens,
	}
}
