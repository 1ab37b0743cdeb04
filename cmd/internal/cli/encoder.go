package cli

import (
	"errors"

	"github.com/git-sage/git-sage/recall/embed"
)

// Weights are the encoders that are built into the program: one for prose, one for
// code; "" is none.
type Weights struct{ Prose, Code string }

// errNoModel is for a program that was built without encoders.
var errNoModel = errors.New("this git-sage was built without an embedding model")

// proseEncoder opens the encoder for what people write, or fails with errNoModel.
// It takes 50 microseconds: whoever wants one opens it.
func (a *app) proseEncoder() (*embed.Bert, error) { return openEncoder(a.weights.Prose) }

// codeEncoder opens the encoder for source code, or fails with errNoModel.
func (a *app) codeEncoder() (*embed.Bert, error) { return openEncoder(a.weights.Code) }

func openEncoder(weights string) (*embed.Bert, error) {
	if weights == "" {
		return nil, errNoModel
	}
	return embed.OpenBert(weights)
}
