package similarity

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/git-sage/git-sage/recall/embed"
	"github.com/git-sage/git-sage/recall/internal/knowledge"
	"github.com/git-sage/git-sage/recall/rank"
)

// leastPairs is how many items tell of a model: with fewer, chance does.
const leastPairs = 30

// ErrFewPairs is wrapped by the error for a memory that holds too little to calibrate.
var ErrFewPairs = errors.New("too few items to calibrate on")

// CalibrateOn measures a model on what this memory knows: the keywords of an item are
// the prompt, its content what it asks for. See [rank.CalibrateBeside] for the reference.
func (co *Comparer) CalibrateOn(ctx context.Context, e, reference embed.Embedder) (*rank.Calibration, int, error) {
	prompts, texts, err := co.pairs(ctx)
	if err != nil {
		return nil, 0, err
	}
	if len(prompts) < leastPairs {
		return nil, 0, fmt.Errorf("%w: %d have keywords here, %d are needed", ErrFewPairs, len(prompts), leastPairs)
	}
	c, err := rank.CalibrateBeside(ctx, e, reference, prompts, texts)
	if err != nil {
		return nil, 0, err
	}
	return c, len(prompts), nil
}

// pairs are the keywords and the content of the items that have both.
func (co *Comparer) pairs(ctx context.Context) (prompts, texts []string, err error) {
	known, err := co.knowledge.Items(ctx, knowledge.ItemQuery{})
	for _, k := range known {
		if k.Err == nil && len(k.Item.Keywords) > 0 && strings.TrimSpace(k.Item.Content) != "" {
			prompts, texts = append(prompts, strings.Join(k.Item.Keywords, " ")), append(texts, k.Item.Content)
		}
	}
	return prompts, texts, err
}
