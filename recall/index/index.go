package index

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"

	"github.com/git-sage/git-sage/recall/index/box"
	"github.com/git-sage/git-sage/recall/index/disk"
	"github.com/git-sage/git-sage/recall/index/internal/list"
	"github.com/git-sage/git-sage/recall/index/internal/segment"
)

// The versions are those of what segments hold: their form, how texts are split into
// terms, units and chunks, and what recall tells of a document. They stand in the names
// of the files.
const docsVersion, vectorsVersion = 9, 1

// Options say what an index is for.
type Options struct {
	Store string                // the random id of the repository
	Model string                // whose vectors are searched; "" is none
	Dim   int                   // of its vectors
	Count func(text string) int // tokens, as the model counts; nil estimates

	// VectorIndex is Flat, HNSW or Auto; "" is Flat. What is built for the others takes
	// minutes and memory: they are for processes that live long.
	VectorIndex string
}

func (o *Options) cutter() segment.Cutter { return segment.Cutter{Count: o.Count} }

var (
	// ErrMoved refuses an update that starts from tips which the index has left.
	ErrMoved = errors.New("the index was updated meanwhile")
	// ErrDamaged says that a file does not hold what was written. The index is empty
	// from then on, or lacks vectors.
	ErrDamaged = box.ErrDamaged
	// ErrBusy says that another process wrote for too long.
	ErrBusy = list.ErrBusy
)

// An Index is safe for use by several goroutines, beside any number of other
// processes. What it returns does not refer to its files.
type Index struct {
	segments
	unwritten error // why what is new is kept in memory
}

// Open opens the index in dir, which may not be there yet; "" is one in memory alone.
// Damaged files, and those of another repository, are as good as none.
func Open(dir string, o Options) (*Index, error) {
	if o.Model != "" && (o.Dim < 1 || o.Dim > 1<<14) {
		return nil, fmt.Errorf("open index: model '%s' has vectors of %d numbers", o.Model, o.Dim)
	}
	return openIn(disk.NewFolder(dir), o)
}

func openIn(dir *disk.Folder, o Options) (*Index, error) {
	x := &Index{segments: segments{o: o, bad: map[string]bool{}}}
	x.docs = list.Catalog{Folder: dir, Prefix: fmt.Sprintf("docs%d", docsVersion), ID: sha256.Sum256(fmt.Appendf(nil, "docs %d %q", docsVersion, o.Store))}
	id := sha256.Sum256(fmt.Appendf(nil, "vectors %d %q %q %d", vectorsVersion, o.Store, o.Model, o.Dim))
	model := sha256.Sum256(fmt.Appendf(nil, "%q %d", o.Model, o.Dim))
	x.vecs = list.Catalog{Folder: dir, Prefix: fmt.Sprintf("vectors%d-%x", vectorsVersion, model[:4]), ID: id}
	x.marks.folder = x.vecs
	if err := x.refresh(); err != nil {
		_ = x.Close()
		return nil, err
	}
	return x, nil
}

// Close gives back what Open took.
func (x *Index) Close() error {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.drop()
	return nil
}

// Tips are the refs that the documents reflect, with their values; none if the
// index is empty and wants to be filled.
func (x *Index) Tips() (map[string]string, error) {
	if err := x.refresh(); err != nil {
		return nil, err
	}
	x.mu.RLock()
	defer x.mu.RUnlock()
	return maps.Clone(x.docsIn.Tips), nil
}
