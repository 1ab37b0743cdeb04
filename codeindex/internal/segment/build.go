package segment

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/codeindex/internal/words"
	"github.com/git-sage/git-sage/recall/index/box"
)

// A Builder gathers files for a segment.
type Builder struct {
	files    []fileRow
	chunks   []chunkRow
	strings  []byte
	labels   map[string]uint16
	ordered  []string // labels
	postings map[words.Term]*list
	symbols  []nameRow
	calls    []nameRow
	texts    []ID
}

// A list is the postings of a term.
type list struct {
	bytes []byte
	last  uint32
	n     uint32
}

func (l *list) add(chunk uint32, packed byte) {
	l.bytes = append(binary.AppendUvarint(l.bytes, uint64(chunk-l.last)), packed)
	l.last = chunk
	l.n++
}

// NewBuilder returns an empty one.
func NewBuilder() *Builder {
	return &Builder{labels: map[string]uint16{}, postings: map[words.Term]*list{}}
}

// Len is the number of files, and Chunks that of their chunks.
func (b *Builder) Len() int { return len(b.files) }

// Chunks is the number of chunks.
func (b *Builder) Chunks() int { return len(b.chunks) }

// Add adds a file, which must not be there yet.
func (b *Builder) Add(f File) {
	row := fileRow{ID: f.ID, Chunk: uint32(len(b.chunks)), N: uint32(len(f.Chunks)), Lines: uint32(f.Lines), Language: b.label(f.Language), State: f.State}
	for i := range f.Chunks {
		b.chunk(uint32(len(b.files)), &f.Chunks[i])
	}
	b.files = append(b.files, row)
}

func (b *Builder) chunk(file uint32, c *Chunk) {
	at := uint32(len(b.chunks))
	row := chunkRow{File: file, First: uint32(c.First), Last: uint32(c.Last), Kind: b.label(c.Kind), Part: uint16(min(c.Part, 1<<16-1))}
	b.keep(&row, c.Name, c.Container, c.Signature, c.Doc)
	length := 0
	for _, t := range c.Terms {
		length += int(t.Body) + int(t.Name) + int(t.Signature) + int(t.Doc)
		b.posting(t.Term, at, t.pack())
	}
	row.Length = uint16(min(length, 1<<16-1))
	b.chunks, b.texts = append(b.chunks, row), append(b.texts, c.Text)
	if c.Name != "" && c.Part == 0 {
		b.symbols = append(b.symbols, nameRow{words.Hash(strings.ToLower(c.Name)), at, 0})
	}
	for _, call := range c.Calls {
		b.calls = append(b.calls, nameRow{words.Hash(call.Name), at, uint32(call.Line)})
	}
}

// keep puts the strings of a chunk into the heap.
func (b *Builder) keep(row *chunkRow, list ...string) {
	row.Strings = uint32(len(b.strings))
	for i, s := range list {
		s = s[:min(len(s), 1<<16-1)]
		row.Lens[i] = uint16(len(s))
		b.strings = append(b.strings, s...)
	}
	row.Sum = box.Sum(b.strings[row.Strings:])
}

func (b *Builder) posting(t words.Term, chunk uint32, packed byte) {
	l := b.postings[t]
	if l == nil {
		l = &list{}
		b.postings[t] = l
	}
	l.add(chunk, packed)
}

func (b *Builder) label(s string) uint16 {
	n, ok := b.labels[s]
	if !ok {
		n = uint16(len(b.ordered))
		b.labels[s], b.ordered = n, append(b.ordered, s)
	}
	return n
}

// Write writes the segment. id tells it from those of another repository or format.
func (b *Builder) Write(w io.Writer, id [32]byte) error {
	order := make([]int, len(b.files))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(x, y int) int { return bytes.Compare(b.files[x].ID[:], b.files[y].ID[:]) })
	files, place := make([]fileRow, len(order)), make([]uint32, len(order))
	for to, from := range order {
		files[to], place[from] = b.files[from], uint32(to)
	}
	chunks := slices.Clone(b.chunks)
	for i := range chunks {
		chunks[i].File = place[chunks[i].File]
	}
	slices.SortFunc(b.symbols, nameRow.compare)
	slices.SortFunc(b.calls, nameRow.compare)

	terms := make([]termRow, 0, len(b.postings))
	var postings bytes.Buffer
	for _, t := range slices.Sorted(maps.Keys(b.postings)) {
		l := b.postings[t]
		terms = append(terms, termRow{Term: t, At: uint64(postings.Len()), Len: uint32(len(l.bytes)), N: l.n, Sum: box.Sum(l.bytes)})
		postings.Write(l.bytes)
	}
	parts := make([]box.Part, sections)
	parts[secFiles].Bytes = box.BytesOf(files)
	parts[secChunks].Bytes = box.BytesOf(chunks)
	parts[secStrings].Bytes = b.strings
	parts[secLabels].Bytes = []byte(strings.Join(b.ordered, "\n"))
	parts[secTerms].Bytes = box.BytesOf(terms)
	parts[secPostings].Bytes = postings.Bytes()
	parts[secSymbols].Bytes = box.BytesOf(b.symbols)
	parts[secCalls].Bytes = box.BytesOf(b.calls)
	parts[secTexts].Bytes = box.BytesOf(b.texts)
	return box.Write(w, kindCode, id, len(files), parts)
}

func (r nameRow) compare(o nameRow) int {
	return cmp.Or(cmp.Compare(r.Name, o.Name), cmp.Compare(r.Chunk, o.Chunk), cmp.Compare(r.Line, o.Line))
}

// Take adds the files of a segment that keep wants, and returns the chunk that each of its
// chunks became, or Gone.
func (b *Builder) Take(s *Segment, keep func(file int) bool) (moved []uint32, err error) {
	moved = make([]uint32, len(s.chunks))
	for i := range moved {
		moved[i] = Gone
	}
	for i := range s.files {
		if f := &s.files[i]; keep(i) {
			if err := b.copy(s, f, moved); err != nil {
				return nil, err
			}
		}
	}
	for i := range s.terms {
		t := &s.terms[i]
		// the chunks of a segment stand in the order of their files' ids in the new one, so
		// that postings are gathered before they are sorted
		type posting struct {
			chunk uint32
			tf    byte
		}
		var list []posting
		if err := s.decode(t, func(chunk uint32, tf byte) {
			if to := moved[chunk]; to != Gone {
				list = append(list, posting{to, tf})
			}
		}); err != nil {
			return nil, err
		}
		slices.SortFunc(list, func(x, y posting) int { return cmp.Compare(x.chunk, y.chunk) })
		for _, p := range list {
			b.posting(t.Term, p.chunk, p.tf)
		}
	}
	b.symbols = appendMoved(b.symbols, s.symbols, moved)
	calls, err := box.Rows[nameRow](s.b, secCalls)
	if err != nil {
		return nil, err
	}
	b.calls = appendMoved(b.calls, calls, moved)
	return moved, nil
}

// Gone is the place of a chunk that was not taken.
const Gone = ^uint32(0)

func appendMoved(out, rows []nameRow, moved []uint32) []nameRow {
	for _, r := range rows {
		if r.Chunk = moved[r.Chunk]; r.Chunk != Gone {
			out = append(out, r)
		}
	}
	return out
}

func (b *Builder) copy(s *Segment, f *fileRow, moved []uint32) error {
	texts, err := box.Rows[ID](s.b, secTexts)
	if err != nil {
		return err
	}
	row := *f
	row.Chunk, row.Language = uint32(len(b.chunks)), b.label(s.label(f.Language))
	for i := f.Chunk; i < f.Chunk+f.N; i++ {
		c := s.chunks[i]
		raw, err := s.stringsOf(&c)
		if err != nil {
			return err
		}
		c.File, c.Kind, c.Strings = uint32(len(b.files)), b.label(s.label(c.Kind)), uint32(len(b.strings))
		b.strings = append(b.strings, raw...)
		moved[i] = uint32(len(b.chunks))
		b.chunks, b.texts = append(b.chunks, c), append(b.texts, texts[i])
	}
	b.files = append(b.files, row)
	return nil
}
