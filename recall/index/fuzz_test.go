package index

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"testing"

	"github.com/git-sage/git-sage/recall/index/box"
	"github.com/git-sage/git-sage/recall/index/disk"
	"github.com/git-sage/git-sage/recall/index/internal/list"
	"github.com/git-sage/git-sage/recall/index/internal/segment"
	"github.com/git-sage/git-sage/recall/index/internal/vectors"
)

var fuzzID = [32]byte{1}

// seedSegments are the bytes of a segment of documents and of one of vectors.
func seedSegments(tb testing.TB) (docs, vecs []byte) {
	o := testOptions()
	b := segment.NewBuilder(o.cutter())
	for i := range 3 {
		d := smallDoc(i, "wiped")
		b.Add(&d)
	}
	b.Remove(segment.HashOf("gone"))
	var db, vb bytes.Buffer
	must(tb, errors.Join(b.Write(&db, fuzzID), vectors.Write(&vb, fuzzID, testDim, []vectors.Named{{Name: segment.HashOf("a"), Row: testVector(1)}, {Name: segment.HashOf("b"), Row: testVector(2)}})))
	return db.Bytes(), vb.Bytes()
}

// reseal makes the checksums right again of what a fuzzer changed, so that it gets
// behind them.
func reseal(raw []byte) []byte {
	raw = append(make([]byte, 0, len(raw)+8), raw...)
	const sections, at, size = 32, 64, 24
	if len(raw) < 1024 {
		return raw
	}
	u64 := func(i int) *uint64 { v, _ := box.View[uint64](raw[i : i+8]); return &v[0] }
	u32 := func(i int) *uint32 { v, _ := box.View[uint32](raw[i : i+4]); return &v[0] }
	*u64(48) = uint64(len(raw))
	for s := range sections {
		row := at + s*size
		off, n := *u64(row), *u64(row + 8)
		if off <= uint64(len(raw)) && n <= uint64(len(raw))-off {
			*u32(row + 16) = box.Sum(raw[off : off+n])
		}
	}
	*u32(1020) = box.Sum(raw[:1020])
	return raw
}

// FuzzSegment holds any bytes to an error or an answer.
func FuzzSegment(f *testing.F) {
	docs, vecs := seedSegments(f)
	for which := range uint8(3) {
		for _, seal := range []bool{false, true} {
			f.Add(which, seal, []byte{})
			f.Add(which, seal, []byte{0x00, 0x04, 255, 255, 255, 255})
			f.Add(which, seal, []byte{0x48, 0x00, 1, 0, 0, 0})
		}
	}
	// The last argument is what is changed in the first two files, six bytes a change:
	// where, and to what; or all of a third.
	f.Fuzz(func(t *testing.T, which uint8, seal bool, change []byte) {
		raw := change
		if which%3 < 2 {
			raw = bytes.Clone([][]byte{docs, vecs}[which%3])
			for ; len(change) >= 6; change = change[6:] {
				at := int(binary.LittleEndian.Uint16(change))
				copy(raw[min(at, len(raw)):], change[2:6])
			}
		}
		if seal {
			raw = reseal(raw)
		}
		x := &Index{segments: segments{o: testOptions(), bad: map[string]bool{}, ready: true}}
		if s, err := segment.Open(aligned(raw), fuzzID); err == nil && s.Load() == nil {
			x.segs = []*segment.Segment{s}
			_ = s.Hide(s)
			s.Revive()
		}
		if v, err := vectors.Open(aligned(raw), fuzzID, testDim); err == nil && v.Load() == nil {
			x.vsegs = []*vectors.Vectors{v}
		}
		q := Query{Text: "staging wiped on day 1 2 3", Vector: testVector(1), Also: []string{"doc1"}}
		s := &searching{x: &x.segments, q: &q, metas: map[place]*segment.Meta{}, passed: map[place]bool{}}
		if _, err := s.run(); err != nil && !errors.Is(err, ErrDamaged) {
			t.Fatal(err)
		}
		for _, s := range x.segs {
			if b, err := x.merged([]*segment.Segment{s}, true); err == nil {
				_ = b.Write(io.Discard, fuzzID)
			}
		}
	})
}

// aligned is a file of bytes at an address as a mapped one has.
func aligned(raw []byte) *disk.File {
	words := make([]uint64, len(raw)/8+1)
	b := box.BytesOf(words)[:len(raw)]
	copy(b, raw)
	return disk.Bytes(b)
}

// FuzzList holds any text to an error or to a list of our own names.
func FuzzList(f *testing.F) {
	c := list.Catalog{Folder: disk.NewFolder("d"), Prefix: "docs3", ID: fuzzID}
	f.Add("", false)
	f.Add(c.First()+"\ntip \"refs/sage/knowledge\" \"1\"\nsegment docs3-0123456789abcdef.seg\n", true)
	f.Add(c.First()+"\nsegment ../docs3-0123456789abcdef.seg\n", true)
	f.Fuzz(func(t *testing.T, raw string, seal bool) {
		if seal {
			raw += "sum " + list.SumLine(raw)
		}
		l, err := c.Parse(raw)
		if err != nil && !errors.Is(err, ErrDamaged) {
			t.Fatal(err)
		}
		for _, name := range l.Names {
			if !c.IsName(name) || len(name) != len("docs3-0123456789abcdef.seg") {
				t.Fatalf("name %q", name)
			}
		}
	})
}
