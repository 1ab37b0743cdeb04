package index

import (
	"context"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/recall/index/internal/segment"
)

// Get returns what the index tells of one document, or nil.
func (x *Index) Get(key string) (m *segment.Meta, err error) {
	err = x.read(context.Background(), func() error {
		for i := len(x.segs) - 1; i >= 0; i-- {
			s := x.segs[i]
			if doc, ok, err2 := s.Doc(segment.HashOf(key)); err2 != nil {
				return err2
			} else if ok && !s.IsDead(doc) {
				m, err2 = s.Meta(doc)
				return err2
			}
		}
		return nil
	})
	return m, x.told(err)
}

// Pointing returns the keys of the documents that point to one, which need not be there.
func (x *Index) Pointing(ctx context.Context, key string) (keys []string, err error) {
	list, err := x.led(ctx, segment.LinkTo(key), func(m *segment.Meta) bool { return slices.Contains(m.Links, key) })
	for _, m := range list {
		keys = append(keys, m.Key)
	}
	return keys, err
}

// About returns the documents that name one of the paths among theirs, by key.
func (x *Index) About(ctx context.Context, paths ...string) (out []*segment.Meta, err error) {
	for _, p := range paths {
		p = strings.Trim(p, "/")
		is := func(s string) bool { return strings.Trim(s, "/") == p }
		list, err := x.led(ctx, segment.OnPath(p), func(m *segment.Meta) bool { return slices.ContainsFunc(m.Paths, is) })
		if err != nil {
			return nil, err
		}
		out = append(out, list...)
	}
	slices.SortFunc(out, func(a, b *segment.Meta) int { return strings.Compare(a.Key, b.Key) })
	return slices.CompactFunc(out, func(a, b *segment.Meta) bool { return a.Key == b.Key }), nil
}

// InState returns the documents of a type that have a status, by key.
func (x *Index) InState(ctx context.Context, kind, status string) ([]*segment.Meta, error) {
	return x.led(ctx, segment.InState(kind, status), func(m *segment.Meta) bool { return m.Type == kind && m.Status == status })
}

// WithPaths returns the documents of a kind that name paths, by key.
func (x *Index) WithPaths(ctx context.Context, kind string) ([]*segment.Meta, error) {
	return x.led(ctx, segment.Pathed(kind), func(m *segment.Meta) bool { return m.Kind == kind && len(m.Paths) > 0 })
}

// led returns the documents to which a row leads and that are meant, by key.
func (x *Index) led(ctx context.Context, row segment.PhraseRow, meant func(*segment.Meta) bool) (out []*segment.Meta, err error) {
	err = x.read(ctx, func() error {
		out = nil
		for _, s := range x.segs {
			var docs []uint32
			s.WithPhrase(row, func(doc uint32) { docs = append(docs, doc) })
			for _, doc := range slices.Compact(docs) {
				if s.IsDead(doc) {
					continue
				}
				m, err := s.Meta(doc)
				if err != nil {
					return err
				}
				if meant(m) {
					out = append(out, m)
				}
			}
		}
		slices.SortFunc(out, func(a, b *segment.Meta) int { return strings.Compare(a.Key, b.Key) })
		return nil
	})
	return out, x.told(err)
}

// Each calls yield with every document, until it returns false. It must not call the
// index.
func (x *Index) Each(yield func(*segment.Meta) bool) error { return x.every(yield, false) }

// Triggers is Each for the documents that are always shown or have patterns. It looks
// at no other.
func (x *Index) Triggers(yield func(*segment.Meta) bool) error { return x.every(yield, true) }

func (x *Index) every(yield func(*segment.Meta) bool, triggers bool) error {
	err := x.read(context.Background(), func() error {
		for _, s := range x.segs {
			n := s.Len()
			if triggers {
				n = len(s.Triggers)
			}
			for i := range uint32(n) {
				if triggers {
					i = s.Triggers[i]
				}
				if s.IsDead(i) {
					continue
				}
				m, err := s.Meta(i)
				if err != nil || !yield(m) {
					return err
				}
			}
		}
		return nil
	})
	return x.told(err)
}

// A Status is for people.
type Status struct {
	Docs, Chunks, Vectors int   // that count
	Segments              int   // of both sorts
	Bytes                 int64 // of all of them
	Damaged               string
}

// manySegments is when Compact is worth it: each costs a search about 50 us, and a
// tenth of dead documents makes its statistics as much slower.
const manySegments = 6

// Status counts. Damaged says what was found damaged since Open.
func (x *Index) Status(ctx context.Context) (st Status, err error) {
	err = x.read(ctx, func() error {
		st = Status{Segments: len(x.segs) + len(x.vsegs), Damaged: x.why}
		names := map[segment.Hash]bool{}
		for _, s := range x.segs {
			st.Bytes += s.B.Size()
			st.Docs += s.Len() - s.Deads
			for i := range uint32(s.Len()) {
				if s.IsDead(i) {
					continue
				}
				for _, c := range s.Names[s.Docs[i].Chunk:s.Docs[i+1].Chunk] {
					names[c.Name] = true
				}
			}
		}
		for _, v := range x.vsegs {
			st.Bytes += v.B.Size()
		}
		st.Chunks = len(names)
		for name := range names {
			if x.hasVector(name) {
				st.Vectors++
			}
		}
		return nil
	})
	return st, x.told(err)
}

// Due reports whether it is time to call Compact. It looks at counts alone, since it is
// asked after each save.
func (x *Index) Due(ctx context.Context) (due bool, err error) {
	err = x.read(ctx, func() error {
		docs, dead, chunks, rows := 0, 0, 0, 0
		for _, s := range x.segs {
			docs, dead = docs+s.Len(), dead+s.Deads
			chunks += liveChunks(s)
		}
		for _, v := range x.vsegs {
			rows += v.Len()
		}
		due = len(x.segs) > manySegments || len(x.vsegs) > manySegments || 10*dead > docs ||
			4*(rows-chunks) > rows && rows > inlineVectors
		return nil
	})
	return due, x.told(err)
}

// liveChunks are those of documents that count.
func liveChunks(s *segment.Segment) (n int) {
	for i := range uint32(s.Len()) {
		if !s.IsDead(i) {
			n += int(s.Docs[i+1].Chunk - s.Docs[i].Chunk)
		}
	}
	return n
}
