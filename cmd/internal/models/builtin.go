package models

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/cmd/internal/config"
	"github.com/git-sage/git-sage/recall/embed"
	"github.com/git-sage/git-sage/recall/embed/onnx"
)

// Weights are the encoders that are built into the program: one for prose, one for
// code; "" is none.
type Weights struct{ Prose, Code string }

// How settings call the encoders that are built in.
const (
	ProseName = "e5-small-v2"
	CodeName  = "all-MiniLM-L6-v2"
)

// None switches the model off: words alone are compared.
const None = "none"

// otherModel says how a model answers that is not built in.
func otherModel() string {
	const server = "'git sage model use --url <address> <name>' asks a server, "
	if onnx.Available {
		return server + "and an ONNX model as published runs from ~/.sage/models/<name>"
	}
	return server + "and a git-sage built with -tags hugot runs ONNX models"
}

// Prose is the model that settings name; nil is none. One that does
// not run here, as in the settings of earlier versions or of the tool before this, is
// replaced by the embedded one, see [Set.Replaced].
func (s *Set) Prose(c *config.Config) (embed.Embedder, error) {
	name := c.String(ProseKey)
	if name == None {
		return nil, nil
	}
	if c.String("embedder") == "http" {
		return s.endpoint(c)
	}
	if s.Hurried && s.BuiltIn()[name] == "" && slices.Contains(s.Names(), name) {
		return nil, nil // half a second passes before an ONNX model's first vector
	}
	e, err := s.Named(name)
	if err == nil {
		return e, nil
	}
	if s.Weights.Prose == "" {
		if name == ProseName { // what the settings say that nobody wrote
			return nil, nil
		}
		return nil, fmt.Errorf("%s: %w; only words are compared", ProseKey, err)
	}
	e, wrong := embed.OpenBert(s.Weights.Prose)
	switch {
	case wrong != nil:
		return nil, wrong
	case errors.Is(err, ErrNone):
		return e, nil
	}
	return e, fmt.Errorf("%s: %w; the built-in %s is used instead", ProseKey, err, ProseName)
}

// Replaced says that the settings name a model that does not run here, so that the one that is
// built in answers, and names every place to reset; nil is that they do not.
func (s *Set) Replaced(c *config.Config) error {
	runs := func(e config.Entry) bool { return e.Text() == None || slices.Contains(s.Names(), e.Text()) }
	e := c.Entry(ProseKey)
	if s.Weights.Prose == "" || c.String(EmbedderKey) == "http" || runs(e) {
		return nil
	}
	text := fmt.Sprintf("%s '%s' does not run here, and %s is used", ProseKey, e.Text(), ProseName)
	resets := []string{}
	for _, e := range append([]config.Entry{e}, e.Below...) {
		if reset := e.Reset(); reset != "" && !runs(e) {
			resets = append(resets, "'"+reset+"'")
			continue
		}
		break
	}
	switch len(resets) {
	case 0:
	case 1:
		text += "; " + resets[0] + " ends this warning"
	default:
		text += "; " + strings.Join(resets, " and ") + " end this warning"
	}
	return errors.New(text)
}

// Code is the model for code; nil is none. What the settings name and does not run here is
// an error, beside the model that is built in.
func (s *Set) Code(c *config.Config) (embed.Embedder, error) {
	name := c.String(CodeKey)
	if name == None || s.Weights.Code == "" && name == CodeName {
		return nil, nil
	}
	e, err := s.Named(name)
	if err == nil || s.Weights.Code == "" {
		return e, err
	}
	built, wrong := embed.OpenBert(s.Weights.Code)
	if wrong != nil {
		return nil, wrong
	}
	return built, fmt.Errorf("%s: %w; the built-in %s is used instead", CodeKey, err, CodeName)
}
