package segment

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"path/filepath"
	"strings"

	"github.com/git-sage/git-sage/codeindex/internal/words"
	"github.com/git-sage/git-sage/recall/index/box"
	"github.com/git-sage/git-sage/recall/index/disk"
)

// ErrDamaged says that a segment does not hold what was written.
var ErrDamaged = box.ErrDamaged

// A Segment is an open file. Several goroutines may read it. What it returns does not refer
// to the file, which may be deleted meanwhile.
type Segment struct {
	b       *box.Box
	name    string
	files   []fileRow
	chunks  []chunkRow
	terms   []termRow
	symbols []nameRow
	labels  []string
	first   []uint32 // of files, by the first bits of their ids
	shift   uint     // what is left of 64 bits
}

// Open reads the tables of a segment, which a search needs.
func Open(f *disk.File, id [32]byte) (*Segment, error) {
	b, err := box.Open(f, kindCode, id)
	if err != nil {
		return nil, err
	}
	s := &Segment{b: b, name: filepath.Base(f.Name())}
	if err := s.load(); err != nil {
		_ = b.Close()
		return nil, fmt.Errorf("%s: %w", s.name, err)
	}
	return s, nil
}

func (s *Segment) load() (err error) {
	if s.files, err = box.Rows[fileRow](s.b, secFiles); err != nil {
		return err
	}
	if s.chunks, err = box.Rows[chunkRow](s.b, secChunks); err != nil {
		return err
	}
	if s.terms, err = box.Rows[termRow](s.b, secTerms); err != nil {
		return err
	}
	if s.symbols, err = box.Rows[nameRow](s.b, secSymbols); err != nil {
		return err
	}
	s.place()
	labels, err := s.b.Section(secLabels)
	s.labels = strings.Split(string(labels), "\n")
	return err
}

// Close closes the file.
func (s *Segment) Close() error { return s.b.Close() }

// Name is that of the file.
func (s *Segment) Name() string { return s.name }

// Verify reads all of the file.
func (s *Segment) Verify() error { return s.b.Verify() }

func (s *Segment) label(n uint16) string {
	if int(n) >= len(s.labels) {
		return ""
	}
	return s.labels[n]
}

// Files is the number of files, and Len that of their chunks.
func (s *Segment) Files() int { return len(s.files) }

// Len is the number of chunks.
func (s *Segment) Len() int { return len(s.chunks) }

// place notes where the files begin whose ids, which are hashes, begin with the same bits: as
// many as there are files need. To bisect them instead took four times as long, which was a
// third of what the search for a name takes in a tree of 10,000 files.
func (s *Segment) place() {
	n := bits.Len(uint(len(s.files)))
	s.shift = 64 - uint(n)
	s.first = make([]uint32, 1<<n+1)
	at := 0
	for i := range s.first {
		for at < len(s.files) && head(&s.files[at].ID)>>s.shift < uint64(i) {
			at++
		}
		s.first[i] = uint32(at)
	}
}

func head(id *ID) uint64 { return binary.BigEndian.Uint64(id[:8]) }

// Find returns the number of a file.
func (s *Segment) Find(id ID) (file int, ok bool) {
	b := head(&id) >> s.shift
	for i := s.first[b]; i < s.first[b+1]; i++ {
		if s.files[i].ID == id {
			return int(i), true
		}
	}
	return 0, false
}

// A FileInfo is what a segment tells of a file.
type FileInfo struct {
	ID       ID
	Language string
	State    State
	Lines    int
	Chunk, N int // its first chunk, and how many there are
}

// File returns what is known of a file.
func (s *Segment) File(i int) FileInfo {
	f := &s.files[i]
	return FileInfo{f.ID, s.label(f.Language), f.State, int(f.Lines), int(f.Chunk), int(f.N)}
}

// FileOf is the number of the file that a chunk is a piece of.
func (s *Segment) FileOf(chunk uint32) int { return int(s.chunks[chunk].File) }

// Length is the number of terms in a chunk.
func (s *Segment) Length(chunk uint32) int { return int(s.chunks[chunk].Length) }

// Chunk returns a chunk without its terms and calls.
func (s *Segment) Chunk(i uint32) (c Chunk, err error) {
	row := &s.chunks[i]
	raw, err := s.stringsOf(row)
	if err != nil {
		return c, err
	}
	var list [4]string
	for k, n := range row.Lens {
		list[k], raw = string(raw[:n]), raw[n:]
	}
	return Chunk{
		Kind: s.label(row.Kind), Name: list[0], Container: list[1], Signature: list[2], Doc: list[3],
		First: int(row.First), Last: int(row.Last), Part: int(row.Part),
	}, nil
}

// Lines are the first and the last line of a chunk.
func (s *Segment) Lines(chunk uint32) (first, last int) {
	return int(s.chunks[chunk].First), int(s.chunks[chunk].Last)
}

// Definition reports whether a chunk begins what it is of, and the last line of that: of a
// long definition the other pieces follow it.
func (s *Segment) Definition(chunk uint32) (begins bool, last int) {
	first := &s.chunks[chunk]
	last = int(first.Last)
	for i := chunk + 1; i < uint32(len(s.chunks)); i++ {
		c := &s.chunks[i]
		if c.File != first.File || c.Part != uint16(i-chunk) {
			break
		}
		last = max(last, int(c.Last))
	}
	return first.Part == 0, last
}

// KindOf is the kind of a chunk.
func (s *Segment) KindOf(chunk uint32) string { return s.label(s.chunks[chunk].Kind) }

func (s *Segment) stringsOf(row *chunkRow) ([]byte, error) {
	n := 0
	for _, l := range row.Lens {
		n += int(l)
	}
	return s.b.Piece(secStrings, uint64(row.Strings), uint64(n), row.Sum)
}

// Text is the hash of what is embedded of each chunk.
func (s *Segment) Texts() ([]ID, error) { return box.Rows[ID](s.b, secTexts) }

// Count is the number of chunks that have a term.
func (s *Segment) Count(t words.Term) int {
	if row := s.term(t); row != nil {
		return int(row.N)
	}
	return 0
}

// Postings calls yield with the chunks that have a term, in their order.
func (s *Segment) Postings(t words.Term, yield func(chunk uint32, tf TF)) error {
	row := s.term(t)
	if row == nil {
		return nil
	}
	return s.decode(row, func(chunk uint32, packed byte) { yield(chunk, unpack(packed)) })
}

func (s *Segment) term(t words.Term) *termRow {
	i := box.Lower(len(s.terms), func(i int) bool { return s.terms[i].Term < t })
	if i < len(s.terms) && s.terms[i].Term == t {
		return &s.terms[i]
	}
	return nil
}

func (s *Segment) decode(t *termRow, yield func(chunk uint32, packed byte)) error {
	raw, err := s.b.Piece(secPostings, t.At, uint64(t.Len), t.Sum)
	if err != nil {
		return err
	}
	chunk := uint64(0)
	for len(raw) > 0 {
		d, n := binary.Uvarint(raw)
		chunk += d
		if n <= 0 || n >= len(raw) || chunk >= uint64(len(s.chunks)) {
			return fmt.Errorf("%w: postings", ErrDamaged)
		}
		yield(uint32(chunk), raw[n])
		raw = raw[n+1:]
	}
	return nil
}

// Defining returns the chunks that define a name, however it is spelt in capitals.
func (s *Segment) Defining(name string) (chunks []uint32) {
	for _, r := range named(s.symbols, words.Hash(strings.ToLower(name))) {
		chunks = append(chunks, r.Chunk)
	}
	return chunks
}

// Calling calls yield with the chunks that call a name, and the lines where they do.
func (s *Segment) Calling(name string, yield func(chunk uint32, line int)) error {
	calls, err := box.Rows[nameRow](s.b, secCalls)
	for _, r := range named(calls, words.Hash(name)) {
		yield(r.Chunk, int(r.Line))
	}
	return err
}

// Calls calls yield with how often each name is called, by its hash.
func (s *Segment) Calls(yield func(name words.Term, chunk uint32)) error {
	calls, err := box.Rows[nameRow](s.b, secCalls)
	for i := range calls {
		yield(calls[i].Name, calls[i].Chunk)
	}
	return err
}

func named(rows []nameRow, name words.Term) []nameRow {
	from := box.Lower(len(rows), func(i int) bool { return rows[i].Name < name })
	to := from
	for to < len(rows) && rows[to].Name == name {
		to++
	}
	return rows[from:to]
}
