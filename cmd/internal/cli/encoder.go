package cli

import (
	"errors"
	"fmt"

	"github.com/git-sage/git-sage/gitstore"
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

// noModel switches the model off: words alone are compared.
const noModel = "none"

// proseModel is the model that the settings of a store name; nil is none. One that is
// not here, as in the settings of the tool before this, is replaced by the embedded
// one, with a word about it.
func (a *app) proseModel(s *gitstore.Store) (embed.Embedder, error) {
	c, err := a.config(s)
	if err != nil {
		return nil, err
	}
	name := c.String("embedding_model")
	if name == noModel || a.weights.Prose == "" {
		return nil, nil
	}
	e, err := a.proseEncoder()
	if err != nil {
		return nil, err // and not a nil encoder in an interface
	}
	if name != proseName {
		err = fmt.Errorf("embedding_model '%s' is not here; %s, which is built in, answers", name, proseName)
	}
	return e, err
}

// proseName is how settings call the embedded model for prose.
const proseName = "e5-small-v2"

// tell warns a person of what did not keep the memory from answering. A guest, who is
// a hook or a server, has nobody to tell.
func (a *app) tell(o gitstore.Options) func(error) {
	if o.Guest {
		return nil
	}
	return func(err error) { a.warn("%v", err) }
}
