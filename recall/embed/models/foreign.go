package models

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/git-sage/git-sage/internal/plainfile"
	"github.com/git-sage/git-sage/recall/embed"
	"github.com/git-sage/git-sage/recall/embed/convert"
	"github.com/git-sage/git-sage/recall/embed/onnx"
)

// A Foreign is a model that the encoder cannot run and package onnx does.
type Foreign struct {
	embed.Embedder
	calibration string
}

// CalibrationFile is where the model's calibration is kept.
func (m *Foreign) CalibrationFile() string { return m.calibration }

// Slow says that nobody who is in a hurry should ask: the first text takes half a second.
func (m *Foreign) Slow() bool { return true }

const foreignKind = "onnx"

// foreignFiles are what package onnx reads of such a model.
var foreignFiles = []string{"model.onnx", "tokenizer.json", "config.json"}

// foreign is the record of such a model; none if there is none of that name.
func (f Folder) foreign(name string) Info {
	var info Info
	data, err := f.read(name, infoFile)
	if err != nil || json.Unmarshal(data, &info) != nil || info.Kind != foreignKind || info.Dim < 1 {
		return Info{}
	}
	info.Name = name
	return info
}

func (f Folder) openForeign(name string) (embed.Embedder, error) {
	info := f.foreign(name)
	if info.Kind == "" {
		return nil, fmt.Errorf("%w '%s'", ErrNone, name)
	}
	dir := f.path(name, foreignDir(info))
	err := plainfile.CheckFolder(f.above(), dir)
	for _, file := range foreignFiles {
		err = cmp.Or(err, plainfile.Check(filepath.Join(dir, file)))
	}
	if err != nil {
		return nil, fmt.Errorf("open model '%s': %w", name, err)
	}
	e, err := onnx.Open(onnxOptions(dir, info))
	if err != nil {
		return nil, fmt.Errorf("open model '%s': %w", name, err)
	}
	return &Foreign{e, f.path(name, calibrationFile)}, nil
}

// foreignDir is the folder of a version of a model: "onnx-<checksum>".
func foreignDir(info Info) string {
	return filepath.Base(filepath.FromSlash(info.Vectors))
}

func onnxOptions(dir string, i Info) onnx.Options {
	return onnx.Options{Dir: dir, Pooling: i.Pooling, Model: embed.Model{
		Name: i.Vectors, Dim: i.Dim, MaxTokens: i.MaxTokens, QueryPrefix: i.QueryPrefix, DocumentPrefix: i.DocumentStart}}
}

// installForeign keeps the files of a model that the encoder refused, if this program
// can run it and it makes vectors; why is the refusal.
func (f Folder) installForeign(ctx context.Context, p Parcel, why error) (Info, error) {
	source := onnxIn(p.Dir)
	if source == "" {
		return Info{}, why
	}
	if !onnx.Available {
		return Info{}, fmt.Errorf("%w; a git-sage that is built with -tags hugot could run its ONNX file", why)
	}
	dir := f.path(p.Name, "")
	if err := plainfile.MakeFolder(f.above(), dir); err != nil {
		return Info{}, err
	}
	fresh, err := os.MkdirTemp(dir, ".new-*")
	if err != nil {
		return Info{}, err
	}
	defer os.RemoveAll(fresh)
	info := Info{Name: p.Name, Kind: foreignKind, Source: p.Source, Version: p.Version, Added: p.Added}
	if info.Source == "" {
		info.Source = p.Dir
	}
	for _, to := range foreignFiles {
		from := to
		if to == foreignFiles[0] {
			from = source
		}
		file, err := copyFile(filepath.Join(fresh, to), filepath.Join(p.Dir, filepath.FromSlash(from)))
		if err != nil {
			return Info{}, err
		}
		file.Name = from
		info.Files, info.Bytes = append(info.Files, file), info.Bytes+file.Bytes
	}
	if err := f.describe(ctx, &info, p, fresh); err != nil {
		return Info{}, err
	}
	to := filepath.Join(dir, foreignDir(info))
	if err := errors.Join(os.RemoveAll(to), os.Rename(fresh, to), f.write(info)); err != nil {
		return Info{}, err
	}
	_ = os.Remove(f.path(p.Name, calibrationFile)) // of other vectors
	_ = os.Remove(f.path(p.Name, weightsFile))     // the encoder's, if it was one of those
	f.sweep(p.Name, foreignDir(info))
	return f.foreign(p.Name), nil
}

// onnxIn is the name of the ONNX file in a folder, "" if there is none.
func onnxIn(dir string) string {
	for _, name := range convert.WeightFiles {
		if _, err := os.Stat(filepath.Join(dir, filepath.FromSlash(name))); err == nil && strings.HasSuffix(name, ".onnx") {
			return name
		}
	}
	return ""
}

// describe fills in what the files say, and how wide the vectors turn out to be.
func (f Folder) describe(ctx context.Context, info *Info, p Parcel, dir string) error {
	sums := ""
	for _, file := range info.Files {
		if strings.HasSuffix(file.Name, ".onnx") {
			sums = file.SHA256
		}
	}
	for _, prefix := range []*string{p.QueryPrefix, p.DocumentPrefix} {
		if prefix != nil {
			sums += fmt.Sprintf(" %q", *prefix)
		}
	}
	a, err := convert.Describe(p.Dir, p.Name, sums)
	if err != nil {
		return err
	}
	info.Vectors, info.License, info.MaxTokens, info.Heads, info.Pooling = a.Name, a.License, a.MaxTokens, a.Heads, a.Pooling
	info.QueryPrefix, info.DocumentStart = a.QueryPrefix, a.DocumentPrefix
	if p.QueryPrefix != nil {
		info.QueryPrefix = *p.QueryPrefix
	}
	if p.DocumentPrefix != nil {
		info.DocumentStart = *p.DocumentPrefix
	}
	e, err := onnx.Open(onnxOptions(dir, *info))
	if err != nil {
		return err
	}
	info.Dim, err = tried(ctx, e)
	return err
}

// copyFile copies a file durably and says what it was.
func copyFile(to, from string) (convert.SourceFile, error) {
	in, err := os.Open(from)
	if err != nil {
		return convert.SourceFile{}, err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY|os.O_EXCL, 0o600)
	if err != nil {
		return convert.SourceFile{}, err
	}
	sum := sha256.New()
	n, err := io.Copy(io.MultiWriter(out, sum), in)
	err = errors.Join(err, out.Sync(), out.Close())
	return convert.SourceFile{Bytes: n, SHA256: fmt.Sprintf("%x", sum.Sum(nil))}, err
}

// sweep removes what was replaced: versions that package onnx ran, but for one.
func (f Folder) sweep(name, keep string) {
	entries, err := os.ReadDir(f.path(name, ""))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), "onnx-") && e.Name() != keep {
			_ = os.RemoveAll(f.path(name, e.Name())) // else the next one does
		}
	}
}
