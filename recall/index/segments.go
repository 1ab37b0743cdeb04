package index

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"sync"

	"github.com/git-sage/git-sage/recall/index/disk"
	"github.com/git-sage/git-sage/recall/index/internal/list"
	"github.com/git-sage/git-sage/recall/index/internal/segment"
	"github.com/git-sage/git-sage/recall/index/internal/vectors"
)

// segments are the segments that count, open: those that the lists name, less what is
// damaged.
type segments struct {
	o          Options
	docs, vecs list.Catalog
	marks

	mu     sync.RWMutex // for reading while a search reads the segments
	docsIn list.List    // what segments was opened from
	vecsIn list.List
	segs   []*segment.Segment // oldest first
	vsegs  []*vectors.Vectors
	graphs map[string]*graph
	ready  bool            // all of them are loaded
	bad    map[string]bool // names of damaged segments, which no list may name
	why    string          // the last damage
	lost   int             // how many files were damaged and not made anew yet
}

// drop closes all segments.
func (x *segments) drop() {
	for _, s := range x.segs {
		_ = s.Close()
	}
	for _, v := range x.vsegs {
		_ = v.Close()
	}
	x.keepGraphs(nil)
	x.segs, x.vsegs, x.docsIn, x.vecsIn, x.ready = nil, nil, list.List{}, list.List{}, false
}

// refresh opens what the lists name now. It costs two reads of small files if that
// is what is open.
func (x *segments) refresh() error {
	for range 8 {
		docs, err := x.docs.Raw()
		if err != nil {
			return fmt.Errorf("open index: %w", err)
		}
		vecs := ""
		if x.o.Model != "" {
			if vecs, err = x.vecs.Raw(); err != nil {
				return fmt.Errorf("open index: %w", err)
			}
		}
		x.mu.RLock()
		same := docs == x.docsIn.Raw && vecs == x.vecsIn.Raw
		x.mu.RUnlock()
		if same {
			return nil
		}
		x.mu.Lock()
		err = x.load(docs, vecs)
		x.mu.Unlock()
		if !errors.Is(err, fs.ErrNotExist) { // merged and removed meanwhile: another list names what it became
			return err
		}
	}
	return fmt.Errorf("open index: %w", ErrBusy)
}

// load opens the segments of two lists, of which those that are open stay.
func (x *segments) load(docs, vecs string) error {
	if err := x.loadDocs(docs); err != nil {
		return err
	}
	return x.loadVectors(vecs)
}

func (x *segments) loadDocs(raw string) error {
	if raw == x.docsIn.Raw {
		return nil
	}
	l, err := x.docs.Parse(raw)
	bad := ""
	segs := make([]*segment.Segment, 0, len(l.Names))
	for _, name := range l.Names {
		var s *segment.Segment
		if s, err = x.openDocs(name); err != nil {
			bad = name
			break
		}
		segs = append(segs, s)
	}
	if err != nil {
		closeNew(segs, x.segs)
		if gone(x.docs, raw, err) || !isDamage(err) {
			return err
		}
		x.met(bad, err)
		l, segs = list.List{Raw: raw}, nil // as good as none
	}
	closeNew(x.segs, segs)
	x.segs, x.docsIn, x.ready = segs, l, false
	return nil
}

// gone reports whether a segment is missing because the list is not what it was.
func gone(c list.Catalog, raw string, err error) bool {
	now, err2 := c.Raw()
	return errors.Is(err, fs.ErrNotExist) && (err2 != nil || now != raw)
}

// isDamage reports whether an error is one that filling the index anew cures.
func isDamage(err error) bool {
	return errors.Is(err, ErrDamaged) || errors.Is(err, fs.ErrNotExist) || errors.Is(err, disk.ErrForeign)
}

// closeNew closes the segments that are not among the others.
func closeNew[S interface {
	comparable
	Close() error
}](segs, others []S) {
	for _, s := range segs {
		kept := false
		for _, o := range others {
			kept = kept || s == o
		}
		if !kept {
			_ = s.Close()
		}
	}
}

func (x *segments) openDocs(name string) (*segment.Segment, error) {
	for _, s := range x.segs {
		if s.Name == x.docs.Path(name) {
			return s, nil
		}
	}
	return opened(x, name, func(f *disk.File) (*segment.Segment, error) { return segment.Open(f, x.docs.ID) })
}

// opened reads a file as what it is, unless it is known to be damaged.
func opened[S any](x *segments, name string, read func(*disk.File) (S, error)) (s S, err error) {
	if x.bad[name] {
		return s, segment.Damaged(name)
	}
	f, err := x.docs.Open(name)
	if err != nil {
		return s, err
	}
	err = disk.Guard(func() (err error) { s, err = read(f); return err })
	if err != nil {
		_ = f.Close()
		return *new(S), fmt.Errorf("%s: %w", name, err)
	}
	return s, nil
}

func (x *segments) loadVectors(raw string) error {
	if raw == x.vecsIn.Raw {
		return nil
	}
	l, err := x.vecs.Parse(raw)
	if err != nil {
		x.met("", err)
	}
	segs := make([]*vectors.Vectors, 0, len(l.Names))
	for _, name := range l.Names {
		v, err := x.openVectors(name)
		switch {
		case err == nil:
			segs = append(segs, v)
		case gone(x.vecs, raw, err), !isDamage(err):
			closeNew(segs, x.vsegs)
			return err
		default: // its vectors are missing, no more
			x.met(name, err)
		}
	}
	closeNew(x.vsegs, segs)
	x.vsegs, x.vecsIn, x.ready = segs, l, false
	return nil
}

func (x *segments) openVectors(name string) (*vectors.Vectors, error) {
	for _, v := range x.vsegs {
		if v.Name == x.vecs.Path(name) {
			return v, nil
		}
	}
	return opened(x, name, func(f *disk.File) (*vectors.Vectors, error) { return vectors.Open(f, x.vecs.ID, x.o.Dim) })
}

// prepare loads what a search needs, and hides the documents that newer segments
// have or removed.
func (x *segments) prepare() error {
	for _, v := range x.vsegs {
		if err := v.Load(); err != nil {
			return err
		}
		v.ForgetOwners(x.segs)
	}
	for i, s := range x.segs {
		if err := s.Load(); err != nil {
			return err
		}
		s.Revive()
		for _, older := range x.segs[:i] {
			if err := older.Hide(s); err != nil {
				return err
			}
		}
	}
	x.buildGraphs()
	x.ready = true
	return nil
}

// read calls do while the segments stay open, after it has made sure that they are
// those which count.
func (x *segments) read(ctx context.Context, do func() error) error {
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := x.refresh(); err != nil {
			return err
		}
		x.mu.RLock()
		if x.ready {
			defer x.mu.RUnlock()
			return disk.Guard(do)
		}
		x.mu.RUnlock()
		x.mu.Lock()
		err := disk.Guard(x.prepare)
		x.mu.Unlock()
		if err != nil {
			return err
		}
	}
}

// hasVector reports whether a chunk has a vector.
func (x *segments) hasVector(name segment.Hash) bool {
	for _, v := range x.vsegs {
		if v.Find(name) >= 0 {
			return true
		}
	}
	return false
}
