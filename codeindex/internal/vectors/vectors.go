package vectors

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"sort"

	"github.com/git-sage/git-sage/recall/index/box"
	"github.com/git-sage/git-sage/recall/index/disk"
	"github.com/git-sage/git-sage/recall/index/signs"
)

const kind = 12

// The sections.
const (
	secChunks = iota // the chunk of each row, ascending
	secBits          // signs of each row, less the mean
	secRows          // 8-bit numbers
	secScales        // what each row is multiplied with
	secSums          // checksum of each row
	secMean
	sections
)

// A Row is the vector of a chunk, of unit length.
type Row struct {
	Chunk  uint32
	Vector []float32
}

// A File is an open file of vectors. Several goroutines may search it.
type File struct {
	b      *box.Box
	dim    int
	chunks []uint32
	bits   []uint64
	scales []float32
	sums   []uint32
	mean   []float32
}

// Open reads what a search needs.
func Open(f *disk.File, id [32]byte, dim int) (*File, error) {
	b, err := box.Open(f, kind, id)
	if err != nil {
		return nil, err
	}
	v := &File{b: b, dim: dim}
	if err := v.load(); err != nil {
		_ = b.Close()
		return nil, fmt.Errorf("%s: %w", filepath.Base(f.Name()), err)
	}
	return v, nil
}

func (v *File) load() (err error) {
	if v.chunks, err = box.Rows[uint32](v.b, secChunks); err != nil {
		return err
	}
	if v.bits, err = box.Rows[uint64](v.b, secBits); err != nil {
		return err
	}
	if v.scales, err = box.Rows[float32](v.b, secScales); err != nil {
		return err
	}
	if v.sums, err = box.Rows[uint32](v.b, secSums); err != nil {
		return err
	}
	if v.mean, err = box.Rows[float32](v.b, secMean); err != nil {
		return err
	}
	n := len(v.chunks)
	if len(v.bits) != n*signs.Words(v.dim) || len(v.scales) != n || len(v.sums) != n || len(v.mean) != v.dim || v.b.Len(secRows) != uint64(n*v.dim) {
		return fmt.Errorf("%w: vectors", box.ErrDamaged)
	}
	return nil
}

// Close closes the file.
func (v *File) Close() error { return v.b.Close() }

// Len is the number of rows.
func (v *File) Len() int { return len(v.chunks) }

// Verify reads all of it.
func (v *File) Verify() error { return v.b.Verify() }

// Has reports whether a chunk has a vector.
func (v *File) Has(chunk uint32) bool {
	_, ok := slices.BinarySearch(v.chunks, chunk)
	return ok
}

// Each calls yield with all rows.
func (v *File) Each(yield func(Row)) error {
	for _, chunk := range v.chunks {
		row, _, err := v.Vector(chunk)
		if err != nil {
			return err
		}
		yield(Row{chunk, row})
	}
	return nil
}

// Vector is that of a chunk; ok is false if it has none.
func (v *File) Vector(chunk uint32) (out []float32, ok bool, err error) {
	i, ok := slices.BinarySearch(v.chunks, chunk)
	if !ok {
		return nil, false, nil
	}
	row, err := v.row(i)
	if err != nil {
		return nil, false, err
	}
	out = make([]float32, v.dim)
	for k, x := range row {
		out[k] = float32(x) * v.scales[i]
	}
	return out, true, nil
}

func (v *File) row(i int) ([]int8, error) {
	raw, err := v.b.Piece(secRows, uint64(i*v.dim), uint64(v.dim), v.sums[i])
	if err != nil {
		return nil, err
	}
	return box.View[int8](raw)
}

// Cosine is that of a vector and the one of a chunk; ok is false if it has none.
func (v *File) Cosine(q []float32, chunk uint32) (c float64, ok bool, err error) {
	i, ok := slices.BinarySearch(v.chunks, chunk)
	if !ok {
		return 0, false, nil
	}
	row, err := v.row(i)
	if err != nil {
		return 0, false, err
	}
	return float64(dot(q, row) * v.scales[i]), true, nil
}

// A Near is a chunk and the cosine of its vector.
type Near struct {
	File   int // of those that were searched
	Chunk  uint32
	Cosine float64
}

// compared is how many rows are compared by their numbers for each one that is wanted, and
// leastCompared how many at least: as package recall/index has found to be enough.
const compared, leastCompared = 20, 1000

// Nearest returns the n chunks of some files nearest to q of those that may be found, the
// nearest first. A file may be nil.
func Nearest(files []*File, q []float32, n int, may func(file int, chunk uint32) bool) ([]Near, error) {
	var all []uint16
	far := make([][]uint16, len(files))
	for k, v := range files {
		if v == nil {
			continue
		}
		far[k] = signs.Distances(q, v.mean, v.bits)
		for i, chunk := range v.chunks {
			if !may(k, chunk) {
				far[k][i] = signs.Closed
			}
		}
		all = append(all, far[k]...)
	}
	limit := signs.Within(all, len(q), max(compared*n, leastCompared))
	var out []Near
	for k, v := range files {
		for i, d := range far[k] {
			if int(d) > limit {
				continue
			}
			row, err := v.row(i)
			if err != nil {
				return nil, err
			}
			out = append(out, Near{k, v.chunks[i], float64(dot(q, row) * v.scales[i])})
		}
	}
	slices.SortFunc(out, func(a, b Near) int {
		return cmp.Or(cmp.Compare(b.Cosine, a.Cosine), cmp.Compare(a.File, b.File), cmp.Compare(a.Chunk, b.Chunk))
	})
	return out[:min(n, len(out))], nil
}

func dot(q []float32, row []int8) float32 {
	var s [4]float32
	row = row[:len(q)]
	i := 0
	for ; i+4 <= len(q); i += 4 {
		s[0] += q[i] * float32(row[i])
		s[1] += q[i+1] * float32(row[i+1])
		s[2] += q[i+2] * float32(row[i+2])
		s[3] += q[i+3] * float32(row[i+3])
	}
	for ; i < len(q); i++ {
		s[0] += q[i] * float32(row[i])
	}
	return s[0] + s[1] + s[2] + s[3]
}

// Write writes a file of rows. Of two of one chunk the first counts.
func Write(w io.Writer, id [32]byte, dim int, rows []Row) error {
	sort.SliceStable(rows, func(i, j int) bool { return rows[i].Chunk < rows[j].Chunk })
	rows = slices.CompactFunc(rows, func(a, b Row) bool { return a.Chunk == b.Chunk })
	n := len(rows)
	chunks, scales, sums := make([]uint32, n), make([]float32, n), make([]uint32, n)
	mean := signs.Mean(n, dim, func(i int) []float32 { return rows[i].Vector })
	bitRows, numbers := make([]uint64, n*signs.Words(dim)), make([]int8, n*dim)
	for i, r := range rows {
		if len(r.Vector) != dim {
			return fmt.Errorf("a vector of %d numbers, not %d", len(r.Vector), dim)
		}
		row := numbers[i*dim : i*dim+dim]
		chunks[i], scales[i] = r.Chunk, quantize(r.Vector, row)
		sums[i] = box.Sum(box.BytesOf(row))
		signs.Set(r.Vector, mean, bitRows[i*signs.Words(dim):(i+1)*signs.Words(dim)])
	}
	parts := make([]box.Part, sections)
	parts[secChunks].Bytes = box.BytesOf(chunks)
	parts[secBits].Bytes = box.BytesOf(bitRows)
	parts[secRows].Bytes = box.BytesOf(numbers)
	parts[secScales].Bytes = box.BytesOf(scales)
	parts[secSums].Bytes = box.BytesOf(sums)
	parts[secMean].Bytes = box.BytesOf(mean)
	return box.Write(w, kind, id, n, parts)
}

// quantize rounds v to multiples of the scale that it returns. What was rounded before is
// rounded to the same.
func quantize(v []float32, row []int8) (scale float32) {
	most := float32(0)
	for _, x := range v {
		most = max(most, x, -x)
	}
	if most == 0 || most != most {
		return 0
	}
	scale = most / 127
	for i, x := range v {
		row[i] = int8(math.RoundToEven(float64(x / scale)))
	}
	return scale
}
