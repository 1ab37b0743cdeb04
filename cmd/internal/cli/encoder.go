package cli

import (
	"errors"
	"fmt"
	"slices"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/recall/embed"
	"github.com/git-sage/git-sage/recall/embed/onnx"
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

// otherModel says how a model answers that is not built in.
func otherModel() string {
	const server = "'git sage model use --url <address> <name>' asks a server, "
	if onnx.Available {
		return server + "and an ONNX model as published runs from ~/.sage/models/<name>"
	}
	return server + "and a git-sage built with -tags hugot runs ONNX models"
}

// proseModel is the model that the settings of a store name; nil is none. One that does
// not run here, as in the settings of earlier versions or of the tool before this, is
// replaced by the embedded one, with a word about it.
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
	if a.hurried && a.builtIn()[name] == "" && slices.Contains(a.modelNames(), name) {
		return nil, nil // half a second passes before an ONNX model's first vector
	}
	e, err := a.modelNamed(name)
	if err == nil {
		return e, nil
	}
	if a.weights.Prose == "" {
		if name == proseName { // what the settings say that nobody wrote
			return nil, nil
		}
		return nil, fmt.Errorf("%s: %w; only words are compared", proseKey, err)
	}
	e, wrong := embed.OpenBert(a.weights.Prose)
	switch {
	case wrong != nil:
		return nil, wrong
	case errors.Is(err, errNoModel):
		return e, fmt.Errorf("%s '%s' does not run here, and %s is used instead; 'git sage model use %s' keeps that, %s", proseKey, name, proseName, proseName, otherModel())
	}
	return e, fmt.Errorf("%s: %w; the built-in %s is used instead", proseKey, err, proseName)
}

// tell warns a person of what did not keep the memory from answering. A guest, who is
// a hook or a server, has nobody to tell.
func (a *app) tell(o gitstore.Options) func(error) {
	if o.Guest {
		return nil
	}
	return func(err error) { a.Warn("%v", err) }
}
