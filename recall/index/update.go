package index

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"

	"github.com/git-sage/git-sage/recall/index/disk"
	"github.com/git-sage/git-sage/recall/index/internal/list"
	"github.com/git-sage/git-sage/recall/index/internal/segment"
	"github.com/git-sage/git-sage/recall/index/internal/vectors"
)

// A Change brings an index from some tips to others.
type Change struct {
	From, To map[string]string
	Docs     []segment.Doc // new, or in place of those with their key
	Removed  []string      // keys
	Rebuild  bool          // Docs are all that there is; From does not count
}

const (
	// inlineDocs and inlineBytes bound what a save merges: 2 ms at most. What is
	// larger is left to Compact.
	inlineDocs, inlineBytes = 256, 1 << 20
	// inlineVectors is the same for vectors.
	inlineVectors = 512
)

// Update makes a change as a whole. Doing so twice is doing it once. It returns
// ErrMoved if the tips are not c.From any more: the caller then looks again at what
// changed.
func (x *Index) Update(ctx context.Context, c Change) error {
	if err := x.writing(func() error { return x.update(ctx, c) }); err != nil {
		return fmt.Errorf("update index: %w", err)
	}
	return nil
}

func (x *Index) update(ctx context.Context, c Change) error {
	b := x.built(c) // before the lock, since it may take long
	var buf bytes.Buffer
	if err := b.Write(&buf, x.docs.ID); err != nil {
		return err
	}
	lock, err := x.docs.LockList(ctx)
	if err != nil {
		return err
	}
	defer lock.Unlock()
	if err := x.refresh(); err != nil {
		return err
	}
	x.mu.RLock()
	l := x.docsIn
	x.mu.RUnlock()
	if !c.Rebuild && !maps.Equal(l.Tips, c.From) {
		return ErrMoved
	}
	next := list.List{Tips: c.To}
	if !c.Rebuild {
		next.Names = slices.Clone(l.Names)
	}
	if len(c.Docs)+len(c.Removed) > 0 {
		name, keep, err := x.writeDocs(&buf, len(next.Names))
		if err != nil {
			return err
		}
		next.Names = append(next.Names[:keep], name)
	}
	return x.replace(x.docs, next, l.Names)
}

// built indexes the documents of a change, of those with one key the last.
func (x *Index) built(c Change) *segment.Builder {
	b := segment.NewBuilder(x.o.cutter())
	last := make(map[string]int, len(c.Docs))
	for i := range c.Docs {
		last[c.Docs[i].Key] = i
	}
	for i := range c.Docs {
		if last[c.Docs[i].Key] == i {
			b.Add(&c.Docs[i])
		}
	}
	for _, key := range c.Removed {
		if _, ok := last[key]; !ok {
			b.Remove(segment.HashOf(key))
		}
	}
	return b
}

// writeDocs writes a new segment, merged with the small ones at the end of the first
// n, and returns how many of them are left.
func (x *Index) writeDocs(buf *bytes.Buffer, n int) (name string, keep int, err error) {
	write := func(w io.Writer) error { return vectors.Put(w, buf.Bytes()) }
	x.mu.RLock()
	defer x.mu.RUnlock()
	err = disk.Guard(func() error {
		fresh, err := segment.Open(disk.Bytes(buf.Bytes()), x.docs.ID)
		if err != nil {
			return err
		}
		keep = smallFrom(x.segs[:n], fresh)
		if keep == n {
			return nil
		}
		b, err := x.merged(append(slices.Clone(x.segs[keep:n]), fresh), keep > 0)
		write = func(w io.Writer) error { return b.Write(w, x.docs.ID) }
		return err
	})
	if err != nil {
		return "", 0, err
	}
	name = x.docs.NewName()
	return name, keep, x.docs.Write(name, write)
}

// smallFrom is from which segment on they are merged with a fresh one: each at most
// twice as large as what is behind it, so that a document is merged a few times and
// not with each save.
func smallFrom(segs []*segment.Segment, fresh *segment.Segment) int {
	docs, size := fresh.Size(), fresh.B.Size()
	for i := len(segs) - 1; i >= 0; i-- {
		n := segs[i].Size()
		if n > 2*docs || docs+n > inlineDocs || size+segs[i].B.Size() > inlineBytes {
			return i + 1
		}
		docs, size = docs+n, size+segs[i].B.Size()
	}
	return 0
}

// merged is one segment of several; older says that there are others before them.
func (x *Index) merged(segs []*segment.Segment, older bool) (*segment.Builder, error) {
	b := segment.NewBuilder(x.o.cutter())
	for i, s := range segs {
		if err := s.Load(); err != nil {
			return nil, err
		}
		newer := segs[i+1:]
		if err := b.Merge(s, func(doc uint32) (bool, error) { return hidden(s.Docs[doc].Key, newer) }); err != nil {
			return nil, err
		}
		removed, err := s.Removed()
		if err != nil {
			return nil, err
		}
		for _, key := range removed {
			if gone, err := hidden(key, newer); err != nil {
				return nil, err
			} else if older && !gone {
				b.Remove(key)
			}
		}
	}
	return b, nil
}

// hidden reports whether one of the segments has or removed a key.
func hidden(key segment.Hash, segs []*segment.Segment) (bool, error) {
	for _, s := range segs {
		if _, ok, err := s.Doc(key); ok || err != nil {
			return ok, err
		}
		removed, err := s.Removed()
		if err != nil {
			return false, err
		}
		if _, ok := slices.BinarySearchFunc(removed, key, segment.Hash.Compare); ok {
			return true, nil
		}
	}
	return false, nil
}

// replace puts a list in the place of the old one, and removes the segments that it
// does not name any more.
func (x *Index) replace(c list.Catalog, next list.List, old []string) error {
	if err := c.WriteList(next); err != nil {
		for _, name := range next.Names {
			if !slices.Contains(old, name) {
				_ = c.Remove(name)
			}
		}
		return err
	}
	for _, name := range append(x.damagedOf(c), old...) {
		if !slices.Contains(next.Names, name) {
			_ = c.Remove(name) // Compact removes what stays
		}
	}
	x.noteHealed()
	return x.refresh()
}

// A Chunk is a text that wants a vector.
type Chunk struct {
	ID   segment.ChunkID
	Text string
}

// A Vector is that of a chunk, of unit length.
type Vector struct {
	ID segment.ChunkID
	V  []float32
}

// Chunks are the chunks of d, as an index with these options cuts it; a vector of each may
// be given to AddVectors before d itself.
func (o *Options) Chunks(d *segment.Doc) []Chunk {
	var out []Chunk
	searched := d.Searched()
	for _, s := range o.cutter().Chunks(d) {
		text := segment.ChunkText(d.Title, searched[s.From:s.To])
		out = append(out, Chunk{segment.HashOf(text).ID(), text})
	}
	return out
}

// Missing returns up to n chunks without a vector of the model, those of the
// newest documents first, and how many there are in all.
func (x *Index) Missing(ctx context.Context, n int) (some []Chunk, all int, err error) {
	if x.o.Model == "" {
		return nil, 0, nil
	}
	var now [2]string
	err = x.read(ctx, func() error {
		now = [2]string{x.docsIn.Raw, x.vecsIn.Raw}
		if x.isWhole(now) {
			return nil
		}
		seen := map[segment.Hash]bool{}
		for i := len(x.segs) - 1; i >= 0; i-- {
			s := x.segs[i]
			for doc := s.Len() - 1; doc >= 0; doc-- {
				if s.IsDead(uint32(doc)) {
					continue
				}
				for _, c := range s.Names[s.Docs[doc].Chunk:s.Docs[doc+1].Chunk] {
					if seen[c.Name] || x.hasVector(c.Name) {
						continue
					}
					seen[c.Name] = true
					if all++; all > n {
						continue
					}
					text, err := s.ChunkText(uint32(doc), c)
					if err != nil {
						return err
					}
					some = append(some, Chunk{c.Name.ID(), text})
				}
			}
		}
		return nil
	})
	if err == nil && all == 0 {
		x.noteWhole(now)
	}
	return some, all, x.healed(err)
}

// AddVectors adds vectors of the model.
func (x *Index) AddVectors(ctx context.Context, add []Vector) error {
	if err := x.writing(func() error { return x.addVectors(ctx, add) }); err != nil {
		return fmt.Errorf("add vectors: %w", err)
	}
	return nil
}

func (x *Index) addVectors(ctx context.Context, add []Vector) error {
	rows := make([]vectors.Named, len(add))
	for i, v := range add {
		if !vectors.IsUnit(v.V, x.o.Dim) || x.o.Model == "" {
			return fmt.Errorf("vector %d is not a unit vector of %d numbers", i, x.o.Dim)
		}
		rows[i] = vectors.Named{Name: segment.HashFrom(v.ID[:]), Row: v.V}
	}
	if len(rows) == 0 {
		return nil
	}
	lock, err := x.vecs.LockList(ctx)
	if err != nil {
		return err
	}
	defer lock.Unlock()
	if err := x.refresh(); err != nil {
		return err
	}
	name, next, old, err := x.writeVectors(rows)
	if err != nil {
		return err
	}
	return x.replace(x.vecs, list.List{Names: append(next, name)}, old)
}

// writeVectors writes a new segment, merged with the small ones at the end, and
// returns the names of those that are left.
func (x *Index) writeVectors(rows []vectors.Named) (name string, keep, old []string, err error) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	segs := x.vsegs
	err = disk.Guard(func() error {
		for n := len(segs); n > 0; n-- {
			last := segs[n-1]
			if last.Len() > 2*len(rows) || last.Len()+len(rows) > inlineVectors {
				return nil
			}
			if err := last.Load(); err != nil {
				return err
			}
			all, err := last.All(func(segment.Hash) bool { return true })
			if err != nil {
				return err
			}
			rows, segs = append(rows, all...), segs[:n-1]
		}
		return nil
	})
	if err != nil {
		return "", nil, nil, err
	}
	for _, v := range segs {
		keep = append(keep, filepath.Base(v.Name))
	}
	name = x.vecs.NewName()
	err = disk.Guard(func() error {
		return x.vecs.Write(name, func(w io.Writer) error { return vectors.Write(w, x.vecs.ID, x.o.Dim, rows) })
	})
	return name, keep, x.vecsIn.Names, err
}
