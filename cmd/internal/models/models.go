package models

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/git-sage/git-sage/cmd/internal/config"
	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/internal/plainfile"
	"github.com/git-sage/git-sage/recall/embed"
	"github.com/git-sage/git-sage/recall/embed/onnx"
	"github.com/git-sage/git-sage/recall/rank"
)

// A Set is the models that run here: those built into the program, those in the folder
// of a person, and a server of theirs.
type Set struct {
	Home    string // the user-wide folder
	Weights Weights
	Now     func() time.Time
	Getenv  func(string) string
	Hurried bool // who asks would rather have words at once
}

// folder is where the ONNX models of a person lie, and what is known of endpoints.
func (s *Set) folder() string { return filepath.Join(s.Home, "models") }

// BuiltIn are the models in the program, with their weights.
func (s *Set) BuiltIn() map[string]string {
	all := map[string]string{}
	if s.Weights.Prose != "" {
		all[ProseName] = s.Weights.Prose
	}
	if s.Weights.Code != "" {
		all[CodeName] = s.Weights.Code
	}
	return all
}

// Names are all that can be chosen, those that are built in first.
func (s *Set) Names() []string {
	var names []string
	for _, name := range []string{ProseName, CodeName} {
		if s.BuiltIn()[name] != "" {
			names = append(names, name)
		}
	}
	if !onnx.Available {
		return names
	}
	var own []string
	for _, pattern := range []string{"*", "*/*"} { // <name>, <author>/<name>
		files, _ := filepath.Glob(filepath.Join(s.folder(), filepath.FromSlash(pattern), "tokenizer.json"))
		for _, file := range files {
			name, err := filepath.Rel(s.folder(), filepath.Dir(file))
			if name = filepath.ToSlash(name); err == nil && s.BuiltIn()[name] == "" && isModelName(name) {
				own = append(own, name)
			}
		}
	}
	slices.Sort(own)
	return append(names, own...)
}

// isModelName says whether settings take it.
func isModelName(name string) bool {
	k, err := config.Lookup(ProseKey)
	if err != nil {
		return false
	}
	_, err = k.Parse(name)
	return err == nil
}

// ErrNone is wrapped by errors for models that are neither built in nor a folder that
// this program could run.
var ErrNone = errors.New("no model")

// Named opens one of Names; the error wraps ErrNone for others.
func (s *Set) Named(name string) (embed.Embedder, error) {
	if weights := s.BuiltIn()[name]; weights != "" {
		return embed.OpenBert(weights)
	}
	if !slices.Contains(s.Names(), name) {
		return nil, fmt.Errorf("%w '%s'", ErrNone, name)
	}
	dir := s.ONNXFolder(name)
	if err := plainfile.CheckFolder(s.Home, dir); err != nil {
		return nil, err
	}
	e, err := onnx.Open(dir, name)
	return onnxEmbedder{e, dir}, err
}

// ONNXFolder is where the model of a name would lie.
func (s *Set) ONNXFolder(name string) string {
	return filepath.Join(s.folder(), filepath.FromSlash(name))
}

// onnxEmbedder keeps its calibration beside the model.
type onnxEmbedder struct {
	embed.Embedder
	dir string
}

func (e onnxEmbedder) CalibrationFile() string { return filepath.Join(e.dir, "calibration.json") }

// Kind is where a model comes from, in words.
func (s *Set) Kind(name string) string {
	if s.BuiltIn()[name] != "" {
		return "built in"
	}
	return "ONNX"
}

// Calibrate measures a model that never was, before anybody is in a hurry.
func Calibrate(ctx context.Context, e embed.Embedder) error {
	k, ok := e.(interface{ CalibrationFile() string })
	if !ok || rank.ReadCalibration(k.CalibrationFile(), e.Model()) != nil {
		return nil
	}
	c, err := rank.Calibrate(ctx, e)
	if err != nil {
		return err
	}
	return c.Write(k.CalibrationFile())
}

// Hint says of a model that is not there what to type.
func (s *Set) Hint(err error) error {
	return exit.WithHint(err, "the models here are %s; %s", strings.Join(s.Names(), ", "), otherModel())
}

// The keys that say which model answers.
const (
	ProseKey = "embedding_model"
	CodeKey  = "code_embedding_model"
)
