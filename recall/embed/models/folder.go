package models

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/git-sage/git-sage/internal/plainfile"
	"github.com/git-sage/git-sage/recall/embed"
	"github.com/git-sage/git-sage/recall/embed/convert"
	"github.com/git-sage/git-sage/recall/embed/internal/format"
)

var (
	// ErrNone is wrapped by errors for a model that is not there.
	ErrNone = errors.New("no model")
	// ErrUnsupported is wrapped by errors for sound models that the encoder cannot run.
	ErrUnsupported = convert.ErrUnsupported
)

// A Folder holds models. It need not be there before the first.
type Folder struct{ Dir string }

// Info says what a model is and where it came from.
type Info struct {
	Name    string               `json:"name"`
	Source  string               `json:"source"`             // the folder or address that it came from
	Version string               `json:"revision,omitempty"` // the commit there
	License string               `json:"license,omitempty"`
	Files   []convert.SourceFile `json:"files,omitempty"`
	Added   time.Time            `json:"added,omitzero"`

	Kind          string `json:"kind,omitempty"` // onnx is one that package onnx runs
	Vectors       string `json:"vectors"`        // the name that its vectors have: it changes with them
	Layers        int    `json:"layers"`
	Dim           int    `json:"dim"`
	Heads         int    `json:"heads"`
	MaxTokens     int    `json:"max_tokens"`
	Pooling       string `json:"pooling"`
	QueryPrefix   string `json:"query_prefix"`
	DocumentStart string `json:"document_prefix"`
	Bytes         int64  `json:"bytes"`
}

const (
	weightsFile     = "weights.bin"
	infoFile        = "model.json"
	calibrationFile = "calibration.json"
)

var goodName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[A-Za-z0-9][\w.-]{0,99}(/[A-Za-z0-9][\w.-]{0,99})?$`)
})

// CheckName refuses what could not be a folder's name: a model is called name, or
// author/name.
func CheckName(name string) error {
	if !goodName().MatchString(name) {
		return fmt.Errorf("'%.120s' is no name of a model: letters, digits, '.', '_' and '-', with one '/' at most", name)
	}
	return nil
}

// path is a file of a model.
func (f Folder) path(name, file string) string {
	return filepath.Join(f.Dir, strings.ReplaceAll(name, "/", "@"), file)
}

// above is the user's folder, in which that of the models lies. It may be a link; what
// lies below it is nobody else's, and is not.
func (f Folder) above() string { return filepath.Dir(f.Dir) }

// check returns an error if a file of a model is not there, or a link leads to it.
func (f Folder) check(name, file string) error {
	if err := plainfile.CheckFolder(f.above(), f.path(name, "")); err != nil {
		return err
	}
	return plainfile.Check(f.path(name, file))
}

// mostRecord is above what the record of a model has, in bytes.
const mostRecord = 1 << 20

func (f Folder) read(name, file string) ([]byte, error) {
	if err := f.check(name, file); err != nil {
		return nil, err
	}
	return plainfile.Read(f.path(name, file), mostRecord)
}

// weights are those of a model that the encoder runs.
func (f Folder) weights(name string) (string, error) {
	if err := f.check(name, weightsFile); err != nil {
		return "", err
	}
	return load(f.path(name, weightsFile))
}

// isMissing reports whether nothing is there at all.
func isMissing(err error) bool {
	return errors.Is(err, fs.ErrNotExist) && !errors.Is(err, plainfile.ErrOther)
}

// Fetching is the folder in which a model's files gather that are on their way.
func (f Folder) Fetching(name string) string {
	return filepath.Join(f.Dir, ".fetching-"+strings.ReplaceAll(name, "/", "@"))
}

// Check refuses a folder, whose weights need not be there yet, as Install would.
func Check(dir, name string) error { return convert.Check(dir, name) }

// A Model is an encoder whose weights lie in a Folder.
type Model struct {
	*embed.Bert
	calibration string
}

// CalibrationFile is where the model's calibration is kept.
func (m *Model) CalibrationFile() string { return m.calibration }

// Open maps a model into memory, which takes about 0.2 ms. It stays there until the
// process ends: encoders are handed about, and nobody could say when the last is done.
// A file that is damaged where that would break the encoder is refused; see
// [embed.Bert.Verify] for the rest. What is returned is a *Model or a *Foreign.
func (f Folder) Open(name string) (embed.Embedder, error) {
	if err := CheckName(name); err != nil {
		return nil, err
	}
	weights, err := f.weights(name)
	if isMissing(err) {
		return f.openForeign(name)
	}
	if err != nil {
		return nil, fmt.Errorf("open model '%s': %w", name, err)
	}
	b, err := embed.OpenBert(weights)
	if err == nil {
		err = b.Sound()
	}
	if err != nil {
		return nil, fmt.Errorf("open model '%s': %w", name, err)
	}
	return &Model{b, f.path(name, calibrationFile)}, nil
}

// Names are those of the models in f, sorted.
func (f Folder) Names() ([]string, error) {
	if err := plainfile.CheckFolder(f.above(), f.Dir); errors.Is(err, plainfile.ErrOther) {
		return nil, err
	}
	entries, err := os.ReadDir(f.Dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		name := strings.Replace(e.Name(), "@", "/", 1)
		if err := f.check(name, weightsFile); CheckName(name) == nil && (err == nil || f.foreign(name).Kind != "") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names, nil
}

// Info tells of a model, from the head of its weights and, where it is of them, the
// record beside them.
func (f Folder) Info(name string) (Info, error) {
	if err := CheckName(name); err != nil {
		return Info{}, err
	}
	weights, err := f.weights(name)
	if info := f.foreign(name); isMissing(err) && info.Kind != "" {
		return info, nil
	}
	if isMissing(err) {
		return Info{}, fmt.Errorf("%w '%s'", ErrNone, name)
	}
	if err != nil {
		return Info{}, err
	}
	info, err := InfoOf(name, weights)
	if err != nil {
		return Info{}, err
	}
	if r := f.record(name, info.Vectors); r.Source != "" {
		info.Source, info.Version, info.Files, info.Added = r.Source, r.Version, r.Files, r.Added
	}
	return info, nil
}

// InfoOf tells what a file of weights says of itself.
func InfoOf(name, weights string) (Info, error) {
	h, err := format.Parse(weights)
	if err != nil {
		return Info{}, fmt.Errorf("model '%s': %w", name, err)
	}
	return Info{
		Name: name, License: h.License, Source: h.Source, Vectors: h.Name, Layers: h.Layers, Dim: h.Hidden, Heads: h.Heads, MaxTokens: h.MaxTokens,
		Pooling: h.Pooling, QueryPrefix: h.QueryPrefix, DocumentStart: h.DocumentPrefix, Bytes: int64(len(weights)),
	}, nil
}

// Remove removes a model: the weights first, so that what is left of an interrupted
// removal is no model.
func (f Folder) Remove(name string) error {
	if err := CheckName(name); err != nil {
		return err
	}
	err := plainfile.CheckFolder(f.above(), f.path(name, ""))
	if errors.Is(err, plainfile.ErrOther) {
		return err
	}
	err = os.Remove(f.path(name, weightsFile))
	if errors.Is(err, fs.ErrNotExist) && f.foreign(name).Kind != "" {
		err = os.Remove(f.path(name, infoFile))
	}
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w '%s'", ErrNone, name)
	}
	if err != nil {
		return err
	}
	return os.RemoveAll(f.path(name, ""))
}
