package cli

import (
	"errors"
	"fmt"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/recall/embed"
	"github.com/git-sage/git-sage/recall/embed/models"
)

// Weights are the encoders that are built into the program: one for prose, one for
// code; "" is none.
type Weights struct{ Prose, Code string }

// How settings call the encoders that are built in.
const (
	proseName = "e5-small-v2"
	codeName  = "all-MiniLM-L6-v2"
)

// noModel switches the model off: words alone are compared.
const noModel = "none"

// proseModel is the model that the settings of a store name; nil is none. One that is
// not here or cannot be used, as in the settings of the tool before this, is replaced
// by the embedded one, with a word about it.
func (a *app) proseModel(s *gitstore.Store) (embed.Embedder, error) {
	c, err := a.config(s)
	if err != nil {
		return nil, err
	}
	name := c.String(proseKey)
	if name == noModel {
		return nil, nil
	}
	if c.String("embedder") == "http" {
		return a.endpointModel(c)
	}
	e, err := a.modelNamed(name)
	if slow, ok := e.(interface{ Slow() bool }); ok && a.hurried && slow.Slow() {
		return nil, nil
	}
	if err == nil {
		return e, nil
	}
	if a.weights.Prose == "" {
		if name == proseName { // what the settings say that nobody wrote
			return nil, nil
		}
		return nil, fmt.Errorf("%s: %w; words alone are compared", proseKey, err)
	}
	e, wrong := embed.OpenBert(a.weights.Prose)
	switch {
	case wrong != nil:
		return nil, wrong
	case errors.Is(err, models.ErrNone):
		return e, fmt.Errorf("%s '%s' is not here; %s, which is built in, answers ('git sage model pull %s' fetches it)", proseKey, name, proseName, name)
	}
	return e, fmt.Errorf("%s: %w; %s, which is built in, answers", proseKey, err, proseName)
}

// tell warns a person of what did not keep the memory from answering. A guest, who is
// a hook or a server, has nobody to tell.
func (a *app) tell(o gitstore.Options) func(error) {
	if o.Guest {
		return nil
	}
	return func(err error) { a.warn("%v", err) }
}
