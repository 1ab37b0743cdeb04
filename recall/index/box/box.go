package box

import (
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/git-sage/git-sage/recall/index/disk"
)

// ErrDamaged says that a file does not hold what was written.
var ErrDamaged = errors.New("damaged")

const (
	magic      = 0x6731_7865_6467_7361
	maxSection = 32
	headerSize = 1024
	align      = 64
)

type section struct {
	Off, Len uint64
	CRC, _   uint32
}

type header struct {
	Magic    uint64
	Kind     uint64
	ID       [32]byte
	Size     uint64
	Rows     uint64
	Sections [maxSection]section
	_        [headerSize - 64 - maxSection*24 - 4]byte
	CRC      uint32
}

// table is that of Castagnoli, for which processors have an instruction.
var table = sync.OnceValue(func() *crc32.Table { return crc32.MakeTable(crc32.Castagnoli) })

// Sum is the checksum of b.
func Sum(b []byte) uint32 { return crc32.Checksum(b, table()) }

// A Box is an open file.
type Box struct {
	f        *disk.File
	h        header
	verified [maxSection]atomic.Bool
}

// Open reads the header of f, which belongs to the box from then on.
func Open(f *disk.File, kind uint64, id [32]byte) (*Box, error) {
	b := &Box{f: f}
	raw, err := f.At(0, headerSize)
	if err != nil {
		return nil, fmt.Errorf("%w: no header", ErrDamaged)
	}
	copy(BytesOf(unsafe.Slice(&b.h, 1)), raw)
	switch {
	case b.h.Magic != magic || b.h.CRC != Sum(raw[:headerSize-4]):
		return nil, fmt.Errorf("%w: header", ErrDamaged)
	case b.h.Kind != kind || b.h.ID != id:
		return nil, fmt.Errorf("%w: a file of another kind, repository or model", ErrDamaged)
	case b.h.Size != uint64(f.Size()):
		return nil, fmt.Errorf("%w: %d bytes of %d", ErrDamaged, f.Size(), b.h.Size)
	}
	return b, nil
}

// Rows is the number of rows that the file was written with.
func (b *Box) Rows() int { return int(b.h.Rows) }

// Size is the length of the file.
func (b *Box) Size() int64 { return b.f.Size() }

// Close closes the file.
func (b *Box) Close() error { return b.f.Close() }

// Raw returns n bytes of section i from off on, unverified.
func (b *Box) Raw(i int, off, n uint64) (raw []byte, err error) {
	err = b.within(i, off, n, func(at int64) (err error) { raw, err = b.f.At(at, int64(n)); return err })
	return raw, err
}

// within calls read with where in the file n bytes of section i lie.
func (b *Box) within(i int, off, n uint64, read func(at int64) error) error {
	s := b.h.Sections[i]
	if off > s.Len || n > s.Len-off {
		return fmt.Errorf("%w: section %d is shorter", ErrDamaged, i)
	}
	err := read(int64(s.Off + off))
	if errors.Is(err, disk.ErrShort) {
		err = fmt.Errorf("%w: section %d is not there", ErrDamaged, i)
	}
	return err
}

// Piece is Raw for what carries a checksum.
func (b *Box) Piece(i int, off, n uint64, sum uint32) ([]byte, error) {
	raw, err := b.Raw(i, off, n)
	if err == nil {
		err = check(raw, i, off, sum)
	}
	return raw, err
}

// Read fills buf with a piece, and maps nothing, see [disk.File.Read].
func (b *Box) Read(buf []byte, i int, off uint64, sum uint32) error {
	err := b.within(i, off, uint64(len(buf)), func(at int64) error { return b.f.Read(buf, at) })
	if err == nil {
		err = check(buf, i, off, sum)
	}
	return err
}

func check(raw []byte, i int, off uint64, sum uint32) error {
	if Sum(raw) != sum {
		return fmt.Errorf("%w: section %d at %d", ErrDamaged, i, off)
	}
	return nil
}

// Section returns all of section i.
func (b *Box) Section(i int) ([]byte, error) {
	s := b.h.Sections[i]
	raw, err := b.Raw(i, 0, s.Len)
	if err != nil || b.verified[i].Load() {
		return raw, err
	}
	if Sum(raw) != s.CRC {
		return nil, fmt.Errorf("%w: section %d", ErrDamaged, i)
	}
	b.verified[i].Store(true)
	return raw, nil
}

// Len is the length of section i.
func (b *Box) Len(i int) uint64 { return b.h.Sections[i].Len }

// Rows returns section i as rows of a type without pointers.
func Rows[T any](b *Box, i int) ([]T, error) {
	raw, err := b.Section(i)
	if err != nil {
		return nil, err
	}
	return View[T](raw)
}

// View reads bytes as rows.
func View[T any](raw []byte) ([]T, error) {
	var t T
	n := len(raw) / int(unsafe.Sizeof(t))
	if n*int(unsafe.Sizeof(t)) != len(raw) {
		return nil, fmt.Errorf("%w: half a row", ErrDamaged)
	}
	if n == 0 {
		return nil, nil
	}
	p := unsafe.Pointer(unsafe.SliceData(raw))
	if uintptr(p)%unsafe.Alignof(t) != 0 {
		return nil, fmt.Errorf("%w: rows that are not aligned", ErrDamaged)
	}
	return unsafe.Slice((*T)(p), n), nil
}

// BytesOf is what View reads.
func BytesOf[T any](rows []T) []byte {
	var t T
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(rows))), len(rows)*int(unsafe.Sizeof(t)))
}

// A Part is a section to be written: bytes, or what writes them.
type Part struct {
	Bytes []byte
	Fill  func(w io.Writer) error
}

// Write writes a file with these sections. What Fill writes it has to write alike
// each time: it is called for the checksum as well.
func Write(w io.Writer, kind uint64, id [32]byte, rows int, parts []Part) error {
	h := header{Magic: magic, Kind: kind, ID: id, Rows: uint64(rows)}
	at := uint64(headerSize)
	for i, p := range parts {
		sum := crc32.New(table())
		n := &counter{w: sum}
		if err := p.write(n); err != nil {
			return err
		}
		h.Sections[i] = section{Off: at, Len: n.n, CRC: sum.Sum32()}
		at += (n.n + align - 1) / align * align
	}
	h.Size = at
	raw := BytesOf(unsafe.Slice(&h, 1))
	h.CRC = Sum(raw[:headerSize-4])
	if _, err := w.Write(raw); err != nil {
		return err
	}
	for i, p := range parts {
		if err := p.write(w); err != nil {
			return err
		}
		n := h.Sections[i].Len
		if _, err := w.Write(make([]byte, (align-n%align)%align)); err != nil {
			return err
		}
	}
	return nil
}

func (p Part) write(w io.Writer) error {
	if p.Fill != nil {
		return p.Fill(w)
	}
	_, err := w.Write(p.Bytes)
	return err
}

type counter struct {
	w io.Writer
	n uint64
}

func (c *counter) Write(b []byte) (int, error) {
	c.n += uint64(len(b))
	return c.w.Write(b)
}

// Verify reads all sections.
func (b *Box) Verify() error {
	for i, s := range b.h.Sections {
		if raw, err := b.Raw(i, 0, s.Len); err != nil || Sum(raw) != s.CRC {
			return fmt.Errorf("%w: section %d", ErrDamaged, i)
		}
	}
	return nil
}
