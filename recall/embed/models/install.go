package models

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/git-sage/git-sage/internal/plainfile"
	"github.com/git-sage/git-sage/recall/embed"
	"github.com/git-sage/git-sage/recall/embed/convert"
)

// A Parcel is a model that is to be installed.
type Parcel struct {
	Name    string
	Dir     string // the folder that convert.Read reads
	Source  string // where it came from; "" is Dir
	Version string // the commit there
	Added   time.Time

	// What stands before texts instead of what the files say; nil is what they say.
	QueryPrefix, DocumentPrefix *string

	Left func(steps int) // told how many steps of the conversion are left; nil is nobody
}

// Install converts a published model and puts it into f, in the place of one of that
// name. A context that ends stops it before anything was replaced; other errors leave
// what was there, too.
func (f Folder) Install(ctx context.Context, p Parcel) (Info, error) {
	if err := CheckName(p.Name); err != nil {
		return Info{}, err
	}
	read, err := convert.Read(p.Dir, p.Name)
	if errors.Is(err, ErrUnsupported) {
		return f.installForeign(ctx, p, err)
	}
	if err != nil {
		return Info{}, err
	}
	source := cmp.Or(p.Source, p.Dir)
	read.Prefixes(p.QueryPrefix, p.DocumentPrefix)
	read.About.Source = oneLine(source + " " + read.About.Source)
	read.Left = p.Left
	weights, err := read.File()
	if err != nil {
		return Info{}, err
	}
	b, err := embed.OpenBert(string(weights))
	if err != nil {
		return Info{}, err
	}
	if _, err := tried(ctx, b); err != nil {
		return Info{}, err
	}
	dir := f.path(p.Name, "")
	if err := plainfile.MakeFolder(f.above(), dir); err != nil {
		return Info{}, err
	}
	if err := replace(filepath.Join(dir, weightsFile), weights); err != nil {
		_ = os.Remove(dir) // if nothing else is in it
		return Info{}, err
	}
	_ = os.Remove(filepath.Join(dir, calibrationFile)) // of other vectors
	info := Info{Name: p.Name, Source: source, Version: p.Version, Files: read.Files, Added: p.Added, Vectors: read.About.Name}
	if err := f.write(info); err != nil {
		return Info{}, err
	}
	f.sweep(p.Name, "")
	return f.Info(p.Name)
}

// oneLine is what fits a line of the head.
func oneLine(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return '?'
		}
		return r
	}, s)
	return s[max(0, len(s)-300):]
}

// tried embeds two texts and says how wide their vectors are: weights that are no
// numbers, or all the same, are refused before they are anybody's model.
func tried(ctx context.Context, e embed.Embedder) (dim int, err error) {
	v, err := e.Documents(ctx, []string{"the staging database is wiped every night", "roses want sun"})
	if err != nil {
		return 0, err
	}
	var cosine float64
	for i := range v[0] {
		cosine += float64(v[0][i]) * float64(v[1][i])
	}
	if math.IsNaN(cosine) || cosine > .99999 {
		return 0, fmt.Errorf("the model tells no text from another (cosine %.5f): its weights are damaged, or not those of a sentence model", cosine)
	}
	return len(v[0]), nil
}

func (f Folder) write(info Info) error {
	data, err := json.MarshalIndent(info, "", "  ")
	if err != nil {
		return err
	}
	return replace(f.path(info.Name, infoFile), append(data, '\n'))
}

// record is the record of a model, if it speaks of these vectors.
func (f Folder) record(name, vectors string) Info {
	var info Info
	data, err := f.read(name, infoFile)
	if err != nil || json.Unmarshal(data, &info) != nil || info.Vectors != vectors {
		return Info{}
	}
	return info
}

// replace puts data in the place of a file, whole or not at all, and durably.
func replace(path string, data []byte) error {
	dir := filepath.Dir(path)
	t, err := os.CreateTemp(dir, ".new-*")
	if err != nil {
		return err
	}
	_, err = t.Write(data)
	if err = errors.Join(err, t.Sync(), t.Close()); err == nil {
		err = os.Rename(t.Name(), path)
	}
	if err != nil {
		_ = os.Remove(t.Name())
		return err
	}
	if d, err := os.Open(dir); err == nil { // where the system can open folders
		_ = d.Sync() // and can sync them
		_ = d.Close()
	}
	return nil
}
