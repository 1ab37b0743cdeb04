package codeindex

import (
	"slices"
	"sync"

	"github.com/git-sage/git-sage/codeindex/internal/patch"
	"github.com/git-sage/git-sage/codeindex/internal/view"
	"github.com/git-sage/git-sage/codeindex/internal/words"
)

// A place is a file of a segment.
type place struct{ part, file int }

// live tells which files of the segments are in a view, and where.
type live struct {
	view  *view.View
	parts []*part
	at    [][]int32         // by segment and file: the first path in view.Files; -1 is none
	list  []place           // each blob once, in the order of paths
	same  map[place][]int32 // of a blob that stands at several paths: the others
	paths int               // of the view that are indexed

	changed patch.Lines // of the view; what it does not touch is not found

	version int // of what was open

	measured sync.Once
	size     sizes

	counted         sync.Once
	embedded, wants int // chunks that have a vector, and that want one
	err             error
}

// live looks all files of a view up in what is open, while nobody changes that. What was asked
// last is kept: most calls see the files that the one before saw.
func (x *Index) live(v *view.View) *live {
	l := x.last.Load()
	if l != nil && l.version == x.changes && (l.view == v || l.view.Top == v.Top && slices.Equal(l.view.Files, v.Files)) {
		return l
	}
	l = newLive(v, x.open, nil)
	l.version = x.changes
	x.last.Store(l)
	return l
}

// whole is a view, or an earlier one with the same files, if all of them are indexed; nil is
// that some are not.
func (x *Index) whole(v *view.View) (same *view.View) {
	_ = x.read(func([]*part) error {
		if l := x.live(v); l.paths == len(v.Files) {
			same = l.view
		}
		return nil
	})
	return same
}

// newLive looks the files of a view up; of those that may leaves out nothing is found. nil is
// all.
func newLive(v *view.View, parts []*part, may func(*view.File) bool) *live {
	l := &live{view: v, parts: parts, same: map[place][]int32{}}
	for _, p := range parts {
		at := make([]int32, p.Files())
		for i := range at {
			at[i] = -1
		}
		l.at = append(l.at, at)
	}
	for i := range v.Files {
		f := &v.Files[i]
		if may != nil && !may(f) {
			continue
		}
		for n, p := range parts {
			file, ok := p.Find(f.ID)
			if !ok {
				continue
			}
			l.paths++
			if l.at[n][file] < 0 {
				l.at[n][file] = int32(i)
				l.list = append(l.list, place{n, file})
			} else {
				l.same[place{n, file}] = append(l.same[place{n, file}], int32(i))
			}
			break
		}
	}
	return l
}

// files are the files of segments that are in the view.
func (l *live) files() []place { return l.list }

// pathOf is the file of the view that a chunk is in, or nil.
func (l *live) pathOf(part int, chunk uint32) *view.File {
	if i := l.at[part][l.parts[part].FileOf(chunk)]; i >= 0 {
		return &l.view.Files[i]
	}
	return nil
}

// may reports whether a chunk is in the view, and may be found.
func (l *live) may(part int, chunk uint32) bool {
	i := l.at[part][l.parts[part].FileOf(chunk)]
	if i < 0 || l.changed == nil {
		return i >= 0
	}
	first, last := l.parts[part].Lines(chunk)
	return l.changed.Touch(l.view.Files[i].Path, first, last)
}

// sizes are what scores by words need of all files, whatever is asked.
type sizes struct {
	chunks int
	length float64        // of all chunks
	paths  [][]words.Term // the terms of each path, in the order of the list
}

// sizes counts once: 9 ms for 10,000 files, of which most goes into the words of paths.
func (l *live) sizes() *sizes {
	l.measured.Do(func() {
		reader := words.NewReader()
		for _, at := range l.list {
			f := l.parts[at.part].File(at.file)
			l.size.chunks += f.N
			for c := f.Chunk; c < f.Chunk+f.N; c++ {
				l.size.length += float64(l.parts[at.part].Length(uint32(c)))
			}
			var terms []words.Term
			reader.Each(l.view.Files[l.at[at.part][at.file]].Path, func(list []words.Term) { terms = append(terms, list...) })
			l.size.paths = append(l.size.paths, terms)
		}
	})
	return &l.size
}
