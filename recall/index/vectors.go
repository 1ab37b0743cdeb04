package index

import (
	"fmt"
	"io"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/git-sage/git-sage/recall/index/internal/box"
	"github.com/git-sage/git-sage/recall/index/internal/disk"
)

// The sections of a segment of vectors.
const (
	secNamesOf = iota // hash of each chunk, sorted
	secBits           // the signs of each vector, less the mean
	secFloats         // float32, with checksums in secSums
	secSums
	secMean
	vectorSections
)

const kindVectors = 2

// vectors is a file of vectors.
//
// The signs are those of the difference from the mean, since the vectors of some
// models lie close together (two texts that have nothing in common have a cosine of
// .75 with e5), so that most signs are the same for all.
type vectors struct {
	b      *box.Box
	name   string
	dim    int
	loaded bool

	searched atomic.Bool // since it was opened

	ownersMu sync.Mutex
	owners   map[*segment][]owner // what ownersIn found

	names []hash
	bits  []uint64
	sums  []uint32
	mean  []float32
}

func openVectors(f *disk.File, id [32]byte, dim int) (*vectors, error) {
	b, err := box.Open(f, kindVectors, id)
	if err != nil {
		return nil, err
	}
	return &vectors{b: b, name: f.Name(), dim: dim}, nil
}

// load reads what every search needs.
func (v *vectors) load() error {
	if v.loaded {
		return nil
	}
	for _, load := range []func() error{
		rows(v.b, secNamesOf, &v.names), rows(v.b, secBits, &v.bits), rows(v.b, secSums, &v.sums), rows(v.b, secMean, &v.mean), v.check,
	} {
		if err := load(); err != nil {
			return fmt.Errorf("%s: %w", filepath.Base(v.name), err)
		}
	}
	v.loaded = true
	return nil
}

func (v *vectors) check() error {
	if n := v.len(); len(v.names) != n || len(v.bits) != n*wordsOf(v.dim) || len(v.sums) != n || v.b.Len(secFloats) != uint64(4*n*v.dim) || len(v.mean) != v.dim {
		return errDamaged("vectors")
	}
	return nil
}

// wordsOf is how many words the signs of a vector fill.
func wordsOf(dim int) int { return (dim + 63) / 64 }

func (v *vectors) len() int { return v.b.Rows() }

// row returns the vector of row i.
func (v *vectors) row(i int) ([]float32, error) {
	raw, err := v.b.Piece(secFloats, uint64(4*i*v.dim), uint64(4*v.dim), v.sums[i])
	if err != nil {
		return nil, err
	}
	return box.View[float32](raw)
}

// sparing returns how a search gets its rows, a thousand here and there, each until it gets
// the next. The first of a process is mostly its last, and copies them: with 10,000 vectors
// a prompt holds 51 MB then instead of 64 and is no slower, while a server would be, by 3 ms
// each time.
func (v *vectors) sparing() func(i int) ([]float32, error) {
	if v.searched.Swap(true) {
		return v.row
	}
	row := make([]float32, v.dim)
	return func(i int) ([]float32, error) {
		return row, v.b.Read(box.BytesOf(row), secFloats, uint64(4*i*v.dim), v.sums[i])
	}
}

// find returns the row of a chunk, or -1.
func (v *vectors) find(name hash) int {
	i := lower(len(v.names), func(i int) bool { return v.names[i].less(name) })
	if i < len(v.names) && v.names[i] == name {
		return i
	}
	return -1
}

// An owner is a document with a chunk whose vector is a row.
type owner struct{ row, doc uint32 }

// ownersIn returns those in a segment, by row. It walks through both, which are sorted by
// name, once: 4 ms with 100,000 of each.
func (v *vectors) ownersIn(s *segment) []owner {
	v.ownersMu.Lock()
	defer v.ownersMu.Unlock()
	if list, known := v.owners[s]; known {
		return list
	}
	var list []owner
	row := 0
	for _, c := range s.chunks {
		c := &s.names[c]
		if row = row + after(v.names[row:], c.Name); row == len(v.names) {
			break
		}
		if v.names[row] == c.Name {
			list = append(list, owner{uint32(row), c.Doc})
		}
	}
	if v.owners == nil {
		v.owners = map[*segment][]owner{}
	}
	v.owners[s] = list
	return list
}

// after is how many of sorted names are less than one, by steps that double: few where
// the lists are equally long, and where one is short the other is not walked through.
func after(names []hash, name hash) int {
	to := 1
	for to <= len(names) && names[to-1].less(name) {
		to *= 2
	}
	from := to / 2
	return from + lower(min(to, len(names))-from, func(i int) bool { return names[from+i].less(name) })
}

// forgetOwners drops those in segments that are no longer searched.
func (v *vectors) forgetOwners(segs []*segment) {
	maps.DeleteFunc(v.owners, func(s *segment, _ []owner) bool { return !slices.Contains(segs, s) })
}

func (v *vectors) close() error { return v.b.Close() }

// A named vector is a row of a segment that is being made.
type named struct {
	name hash
	v    []float32
}

// all returns the rows whose names are wanted.
func (v *vectors) all(wanted func(hash) bool) ([]named, error) {
	out := make([]named, 0, v.len())
	for i, name := range v.names {
		if !wanted(name) {
			continue
		}
		row, err := v.row(i)
		if err != nil {
			return nil, err
		}
		out = append(out, named{name, row})
	}
	return out, nil
}

// writeVectors writes a segment of rows. Of those with one name the first counts.
func writeVectors(w io.Writer, id [32]byte, dim int, rows []named) error {
	slices.SortStableFunc(rows, func(a, b named) int { return a.name.compare(b.name) })
	rows = slices.CompactFunc(rows, func(a, b named) bool { return a.name == b.name })
	names, sums := make([]hash, len(rows)), make([]uint32, len(rows))
	for i, r := range rows {
		names[i], sums[i] = r.name, box.Sum(box.BytesOf(r.v))
	}
	mean := meanOf(rows, dim)
	parts := make([]box.Part, vectorSections)
	parts[secNamesOf].Bytes = box.BytesOf(names)
	parts[secSums].Bytes = box.BytesOf(sums)
	parts[secMean].Bytes = box.BytesOf(mean)
	parts[secFloats].Fill = func(w io.Writer) error {
		return each(rows, func(r named) error { return put(w, box.BytesOf(r.v)) })
	}
	bits := make([]uint64, wordsOf(dim))
	parts[secBits].Fill = func(w io.Writer) error {
		return each(rows, func(r named) error { signs(r.v, mean, bits); return put(w, box.BytesOf(bits)) })
	}
	return box.Write(w, kindVectors, id, len(rows), parts)
}

func each(rows []named, do func(named) error) error {
	for _, r := range rows {
		if err := do(r); err != nil {
			return err
		}
	}
	return nil
}

func put(w io.Writer, b []byte) error {
	_, err := w.Write(b)
	return err
}

func meanOf(rows []named, dim int) []float32 {
	sum := make([]float64, dim)
	for _, r := range rows {
		for i, x := range r.v {
			sum[i] += float64(x)
		}
	}
	mean := make([]float32, dim)
	for i, x := range sum {
		mean[i] = float32(x / float64(max(1, len(rows))))
	}
	return mean
}

// signs sets the bits where v is above mean.
func signs(v, mean []float32, bits []uint64) {
	clear(bits)
	for i, x := range v {
		if x > mean[i] {
			bits[i/64] |= 1 << (i % 64)
		}
	}
}

// dot is the cosine of two vectors of unit length. It is summed up in four parts,
// which a processor adds at once, and always the same way.
func dot(a, b []float32) float64 {
	var s [4]float32
	b = b[:len(a)]
	i := 0
	for ; i+4 <= len(a); i += 4 {
		s[0] += a[i] * b[i]
		s[1] += a[i+1] * b[i+1]
		s[2] += a[i+2] * b[i+2]
		s[3] += a[i+3] * b[i+3]
	}
	for ; i < len(a); i++ {
		s[0] += a[i] * b[i]
	}
	return float64(s[0]+s[1]) + float64(s[2]+s[3])
}

// isUnit reports whether v can be compared: of the right length in both senses.
func isUnit(v []float32, dim int) bool {
	if len(v) != dim || dim == 0 {
		return false
	}
	n := dot(v, v)
	return math.Abs(n-1) < 0.01 // NaN and infinity are not
}
