package vectors

import (
	"fmt"
	"io"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/git-sage/git-sage/recall/index/box"
	"github.com/git-sage/git-sage/recall/index/disk"
	"github.com/git-sage/git-sage/recall/index/internal/segment"
	"github.com/git-sage/git-sage/recall/index/signs"
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

// Vectors is a file of vectors.
//
// The signs are those of the difference from the mean: two texts that have nothing in common
// have a cosine of .75 with e5.
type Vectors struct {
	B      *box.Box
	Name   string
	Dim    int
	loaded bool

	searched atomic.Bool // since it was opened

	ownersMu sync.Mutex
	owners   map[*segment.Segment][]owner // what ownersIn found

	Names []segment.Hash
	Bits  []uint64
	sums  []uint32
	Mean  []float32
}

func Open(f *disk.File, id [32]byte, dim int) (*Vectors, error) {
	b, err := box.Open(f, kindVectors, id)
	if err != nil {
		return nil, err
	}
	return &Vectors{B: b, Name: f.Name(), Dim: dim}, nil
}

// Load reads what every search needs.
func (v *Vectors) Load() error {
	if v.loaded {
		return nil
	}
	for _, load := range []func() error{
		segment.Rows(v.B, secNamesOf, &v.Names), segment.Rows(v.B, secBits, &v.Bits), segment.Rows(v.B, secSums, &v.sums), segment.Rows(v.B, secMean, &v.Mean), v.check,
	} {
		if err := load(); err != nil {
			return fmt.Errorf("%s: %w", filepath.Base(v.Name), err)
		}
	}
	v.loaded = true
	return nil
}

func (v *Vectors) check() error {
	if n := v.Len(); len(v.Names) != n || len(v.Bits) != n*signs.Words(v.Dim) || len(v.sums) != n || v.B.Len(secFloats) != uint64(4*n*v.Dim) || len(v.Mean) != v.Dim {
		return segment.Damaged("vectors")
	}
	return nil
}

func (v *Vectors) Len() int { return v.B.Rows() }

// Row returns the vector of row i.
func (v *Vectors) Row(i int) ([]float32, error) {
	raw, err := v.B.Piece(secFloats, uint64(4*i*v.Dim), uint64(4*v.Dim), v.sums[i])
	if err != nil {
		return nil, err
	}
	return box.View[float32](raw)
}

// Sparing returns how a search gets its rows, a thousand here and there, each until it gets
// the next. The first of a process is mostly its last, and copies them: with 10,000 vectors
// a prompt holds 51 MB then instead of 64 and is no slower, while a server would be, by 3 ms
// each time.
func (v *Vectors) Sparing() func(i int) ([]float32, error) {
	if v.searched.Swap(true) {
		return v.Row
	}
	row := make([]float32, v.Dim)
	return func(i int) ([]float32, error) {
		return row, v.B.Read(box.BytesOf(row), secFloats, uint64(4*i*v.Dim), v.sums[i])
	}
}

// Find returns the row of a chunk, or -1.
func (v *Vectors) Find(name segment.Hash) int {
	i := box.Lower(len(v.Names), func(i int) bool { return v.Names[i].Less(name) })
	if i < len(v.Names) && v.Names[i] == name {
		return i
	}
	return -1
}

// An owner is a document with a chunk whose vector is a row.
type owner struct{ Row, Doc uint32 }

// OwnersIn returns those in a segment, by row. It walks through both, which are sorted by
// name, once: 4 ms with 100,000 of each.
func (v *Vectors) OwnersIn(s *segment.Segment) []owner {
	v.ownersMu.Lock()
	defer v.ownersMu.Unlock()
	if list, known := v.owners[s]; known {
		return list
	}
	var list []owner
	row := 0
	for _, c := range s.Chunks {
		c := &s.Names[c]
		if row = row + after(v.Names[row:], c.Name); row == len(v.Names) {
			break
		}
		if v.Names[row] == c.Name {
			list = append(list, owner{uint32(row), c.Doc})
		}
	}
	if v.owners == nil {
		v.owners = map[*segment.Segment][]owner{}
	}
	v.owners[s] = list
	return list
}

// after is how many of sorted names are less than one, by steps that double: few where
// the lists are equally long, and where one is short the other is not walked through.
func after(names []segment.Hash, name segment.Hash) int {
	to := 1
	for to <= len(names) && names[to-1].Less(name) {
		to *= 2
	}
	from := to / 2
	return from + box.Lower(min(to, len(names))-from, func(i int) bool { return names[from+i].Less(name) })
}

// ForgetOwners drops those in segments that are no longer searched.
func (v *Vectors) ForgetOwners(segs []*segment.Segment) {
	maps.DeleteFunc(v.owners, func(s *segment.Segment, _ []owner) bool { return !slices.Contains(segs, s) })
}

func (v *Vectors) Close() error { return v.B.Close() }

// A Named vector is a row of a segment that is being made.
type Named struct {
	Name segment.Hash
	Row  []float32
}

// All returns the rows whose names are wanted.
func (v *Vectors) All(wanted func(segment.Hash) bool) ([]Named, error) {
	out := make([]Named, 0, v.Len())
	for i, name := range v.Names {
		if !wanted(name) {
			continue
		}
		row, err := v.Row(i)
		if err != nil {
			return nil, err
		}
		out = append(out, Named{name, row})
	}
	return out, nil
}

// Write writes a segment of rows. Of those with one name the first counts.
func Write(w io.Writer, id [32]byte, dim int, rows []Named) error {
	slices.SortStableFunc(rows, func(a, b Named) int { return a.Name.Compare(b.Name) })
	rows = slices.CompactFunc(rows, func(a, b Named) bool { return a.Name == b.Name })
	names, sums := make([]segment.Hash, len(rows)), make([]uint32, len(rows))
	for i, r := range rows {
		names[i], sums[i] = r.Name, box.Sum(box.BytesOf(r.Row))
	}
	mean := signs.Mean(len(rows), dim, func(i int) []float32 { return rows[i].Row })
	parts := make([]box.Part, vectorSections)
	parts[secNamesOf].Bytes = box.BytesOf(names)
	parts[secSums].Bytes = box.BytesOf(sums)
	parts[secMean].Bytes = box.BytesOf(mean)
	parts[secFloats].Fill = func(w io.Writer) error {
		return each(rows, func(r Named) error { return Put(w, box.BytesOf(r.Row)) })
	}
	bits := make([]uint64, signs.Words(dim))
	parts[secBits].Fill = func(w io.Writer) error {
		return each(rows, func(r Named) error { signs.Set(r.Row, mean, bits); return Put(w, box.BytesOf(bits)) })
	}
	return box.Write(w, kindVectors, id, len(rows), parts)
}

func each(rows []Named, do func(Named) error) error {
	for _, r := range rows {
		if err := do(r); err != nil {
			return err
		}
	}
	return nil
}

func Put(w io.Writer, b []byte) error {
	_, err := w.Write(b)
	return err
}

// Dot is the cosine of two vectors of unit length. It is summed up in four parts,
// which a processor adds at once, and always the same way.
func Dot(a, b []float32) float64 {
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

// IsUnit reports whether v can be compared: of the right length in both senses.
func IsUnit(v []float32, dim int) bool {
	if len(v) != dim || dim == 0 {
		return false
	}
	n := Dot(v, v)
	return math.Abs(n-1) < 0.01 // NaN and infinity are not
}
