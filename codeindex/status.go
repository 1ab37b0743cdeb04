package codeindex

import (
	"context"
	"os"
	"slices"
	"time"

	"github.com/git-sage/git-sage/codeindex/internal/segment"
)

// A Status tells how an index is.
type Status struct {
	Files, Indexed int // of the work tree, and of them in the index
	Totals
	Symbols   int
	Embedded  int            // chunks of those that want one
	Wanting   int            // chunks that want a vector
	Languages map[string]int // files of each
	Bytes     int64          // on disk, also of what no file has any more
	Segments  int
	Newest    time.Time // when something was last added
}

// Status looks at the index and the work tree.
func (x *Index) Status(ctx context.Context, rev string) (st Status, err error) {
	v, err := x.view(ctx, rev)
	if err != nil {
		return st, err
	}
	if err := x.refresh(); err != nil {
		return st, err
	}
	st.Files, st.Languages = len(v.Files), map[string]int{}
	err = x.read(func(parts []*part) error {
		l := newLive(v, parts, nil)
		var r Report
		if err := x.count(l, &r); err != nil {
			return err
		}
		st.Totals, st.Embedded, st.Wanting = r.Totals, r.Embedded, r.Wanting
		st.Indexed, st.Segments, st.Newest = l.paths, len(parts), x.newest(parts)
		for _, p := range parts {
			st.Bytes += p.Size()
			if p.vectors != nil {
				st.Bytes += p.vectors.Size()
			}
		}
		for _, at := range l.files() {
			p := parts[at.part]
			f := p.File(at.file)
			st.Languages[f.Language]++
			for c := uint32(f.Chunk); c < uint32(f.Chunk+f.N); c++ {
				if !slices.Contains([]string{"module", "fallback"}, p.KindOf(c)) {
					st.Symbols++
				}
			}
		}
		return nil
	})
	return st, err
}

// newest is when the last of some segments was written.
func (x *Index) newest(parts []*part) (at time.Time) {
	for _, p := range parts {
		if info, err := os.Stat(x.folder.Path(p.Name())); err == nil && info.ModTime().After(at) {
			at = info.ModTime()
		}
	}
	return at
}

// Exists reports whether anything is indexed.
func (x *Index) Exists() bool {
	if x.refresh() != nil {
		return false
	}
	return len(x.names()) > 0
}

// GC drops what no file of the work trees and of commits in revs has, and returns how many
// bytes that gave back.
func (x *Index) GC(ctx context.Context, revs ...string) (freed int64, err error) {
	if err := x.refresh(); err != nil {
		return 0, err
	}
	wanted := map[segment.ID]bool{}
	for _, rev := range append([]string{""}, revs...) {
		v, err := x.view(ctx, rev)
		if err != nil {
			return 0, err
		}
		for i := range v.Files {
			wanted[v.Files[i].ID] = true
		}
	}
	before, old := x.size(), x.names()
	if err := x.rewrite(old, func(id segment.ID) bool { return wanted[id] }); err != nil {
		return 0, err
	}
	return before - x.size(), nil
}

func (x *Index) size() (n int64) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	for _, p := range x.open {
		n += p.Size()
		if p.vectors != nil {
			n += p.vectors.Size()
		}
	}
	return n
}
