package segment

import (
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/prose"
	"github.com/git-sage/git-sage/prose/cut"
	"github.com/git-sage/git-sage/prose/terms"
	"github.com/git-sage/git-sage/recall/index/box"
)

// A Builder collects what a segment holds. Documents go in one by one, those of
// other segments through merge.
type Builder struct {
	cut      Cutter
	docs     []docRow
	meta     []byte
	text     []byte
	keys     []keyRow
	removed  []Hash
	units    []unitRow
	names    []chunkRow
	postings map[string]*[]Posting
	phrases  []PhraseRow
	kinds    []string
	triggers []uint32
}

func NewBuilder(c Cutter) *Builder { return &Builder{cut: c, postings: map[string]*[]Posting{}} }

// mostTitle and mostKeywords are how many bytes of both count as words: they are in
// each unit, so that a text of 1 MB in one line, which is its own title, would take
// minutes.
const mostTitle, mostKeywords = 1 << 10, 16 << 10

// Add indexes a document.
func (b *Builder) Add(d *Doc) {
	doc := uint32(len(b.docs))
	text := d.Searched()
	b.row(doc, HashOf(d.Key), &d.Meta, text)
	for n, s := range b.cut.Chunks(d) {
		b.names = append(b.names, chunkRow{HashOf(ChunkText(d.Title, text[s.From:s.To])), uint32(s.From), uint32(s.To), doc, uint32(n)})
	}
	in := LanguageOf(d)
	title, keywords := terms.Indexed(cut.Bytes(d.Title, mostTitle), in), terms.Indexed(cut.Bytes(strings.Join(d.Keywords, "\n"), mostKeywords), in)
	for _, u := range d.Units() {
		b.unit(doc, terms.Indexed(u, in), title, keywords)
		if in != "" {
			b.posting(InLanguage(in), uint32(len(b.units)-1)).Body++
		}
	}
}

// LanguageOf is the language of a document whose words lose other inflections than those
// of English; "" is English, or one that needs no telling.
func LanguageOf(d *Doc) terms.Lang {
	in := terms.Lang(prose.Language(d.Title + "\n\n" + d.Body[:min(len(d.Body), mostTelling)]))
	if !slices.Contains(terms.Languages, in) {
		return ""
	}
	return in
}

// mostTelling is how much of a text tells its language, in bytes.
const mostTelling = 1 << 10

// InLanguage is the term of the units of documents in a language. No word has a NUL.
func InLanguage(in terms.Lang) string { return "\x00" + string(in) }

// row adds what is the same for a new document and for one of another segment.
func (b *Builder) row(doc uint32, key Hash, m *Meta, body string) {
	r := docRow{Key: key, Meta: uint64(len(b.meta)), Text: uint64(len(b.text)), Unit: uint32(len(b.units)), Chunk: uint32(len(b.names)), Kind: b.kind(m.Kind)}
	b.meta = m.appendTo(b.meta)
	b.text = append(b.text, body...)
	r.MetaSum, r.TextSum = box.Sum(b.meta[r.Meta:]), box.Sum(b.text[r.Text:])
	b.docs = append(b.docs, r)
	b.keys = append(b.keys, keyRow{Hash: key, Doc: doc})
	for _, k := range m.Keywords {
		words := terms.Words(k)
		if len(words) == 0 {
			continue
		}
		phrase := strings.Join(words, " ")
		b.leads(PhraseOf(phrase), doc)
		for _, in := range keyLanguages() {
			if p := terms.KeyPhrase(words, in); p != phrase {
				b.leads(Inflected(p, in), doc)
			}
		}
	}
	for _, key := range m.Links {
		b.leads(LinkTo(key), doc)
	}
	for _, path := range m.Paths {
		b.leads(OnPath(path), doc)
	}
	if m.Type != "" && m.Status != "" {
		b.leads(InState(m.Type, m.Status), doc)
	}
	if len(m.Paths) > 0 {
		b.leads(Pathed(m.Kind), doc)
	}
	if m.Always || len(m.Patterns) > 0 {
		b.triggers = append(b.triggers, doc)
	}
}

func (b *Builder) leads(row PhraseRow, doc uint32) {
	row.Doc = doc
	b.phrases = append(b.phrases, row)
}

func (b *Builder) kind(name string) uint32 {
	i := slices.Index(b.kinds, name)
	if i < 0 {
		i = len(b.kinds)
		b.kinds = append(b.kinds, name)
	}
	return uint32(i)
}

// unit adds a unit with its terms, of which those of title and keywords are in all
// units of a document.
func (b *Builder) unit(doc uint32, body, title, keywords []string) {
	u := uint32(len(b.units))
	b.units = append(b.units, unitRow{Doc: doc, Body: short(len(body)), Title: short(len(title)), Keywords: short(len(keywords))})
	for _, t := range body {
		if p := b.posting(t, u); p.Body < math.MaxUint16 {
			p.Body++
		}
	}
	for _, t := range title {
		if p := b.posting(t, u); p.Title < math.MaxUint8 {
			p.Title++
		}
	}
	for _, t := range keywords {
		if p := b.posting(t, u); p.Keywords < math.MaxUint8 {
			p.Keywords++
		}
	}
}

// posting is that of a term in the unit that is being added.
func (b *Builder) posting(term string, unit uint32) *Posting {
	list := b.list(term)
	if n := len(*list); n == 0 || (*list)[n-1].Unit != unit {
		*list = append(*list, Posting{Unit: unit})
	}
	return &(*list)[len(*list)-1]
}

func (b *Builder) list(term string) *[]Posting {
	list := b.postings[term]
	if list == nil {
		list = new([]Posting)
		b.postings[strings.Clone(term)] = list // not all of the text that it is cut from
	}
	return list
}

func short(n int) uint16 { return uint16(min(n, math.MaxUint16)) }

// Merge adds the living documents of another segment.
func (b *Builder) Merge(s *Segment, dead func(doc uint32) (bool, error)) error {
	unit := make([]uint32, len(s.Units)) // new number plus one; 0 if dead
	for i := range s.Len() {
		old := uint32(i)
		if gone, err := dead(old); err != nil {
			return err
		} else if gone {
			continue
		}
		if err := b.mergeDoc(s, old, unit); err != nil {
			return err
		}
	}
	for i := range len(s.terms) - 1 {
		list, err := s.postingsAt(i)
		if err != nil {
			return err
		}
		b.mergePostings(string(s.word(i)), list, unit)
	}
	return nil
}

func (b *Builder) mergeDoc(s *Segment, old uint32, unit []uint32) error {
	m, err := s.Meta(old)
	if err != nil {
		return err
	}
	body, err := s.body(old)
	if err != nil {
		return err
	}
	doc, from, to := uint32(len(b.docs)), &s.Docs[old], &s.Docs[old+1]
	b.row(doc, from.Key, m, body)
	for _, c := range s.Names[from.Chunk:to.Chunk] {
		c.Doc = doc
		b.names = append(b.names, c)
	}
	for u := from.Unit; u < to.Unit; u++ {
		r := s.Units[u]
		r.Doc = doc
		b.units = append(b.units, r)
		unit[u] = uint32(len(b.units))
	}
	return nil
}

func (b *Builder) mergePostings(term string, list []Posting, unit []uint32) {
	var out *[]Posting
	for _, p := range list {
		if int(p.Unit) < len(unit) && unit[p.Unit] > 0 {
			if out == nil {
				out = b.list(term)
			}
			p.Unit = unit[p.Unit] - 1
			*out = append(*out, p)
		}
	}
}

// Remove hides keys of older segments.
func (b *Builder) Remove(keys ...Hash) { b.removed = append(b.removed, keys...) }

// Write writes the segment.
func (b *Builder) Write(w io.Writer, id [32]byte) error {
	n := len(b.docs)
	docs := append(b.docs, docRow{Meta: uint64(len(b.meta)), Text: uint64(len(b.text)), Unit: uint32(len(b.units)), Chunk: uint32(len(b.names))})
	slices.SortFunc(b.keys, func(a, b keyRow) int { return a.Hash.Compare(b.Hash) })
	slices.SortStableFunc(b.phrases, PhraseRow.compare)
	chunks := make([]uint32, len(b.names))
	for i := range chunks {
		chunks[i] = uint32(i)
	}
	slices.SortStableFunc(chunks, func(i, j uint32) int { return b.names[i].Name.Compare(b.names[j].Name) })
	slices.SortFunc(b.removed, Hash.Compare)
	words, rows, postings := b.dictionary()
	var kinds []byte
	for _, k := range b.kinds {
		kinds = appendText(kinds, k)
	}
	parts := make([]box.Part, docSections)
	for i, raw := range map[int][]byte{
		secDocs: box.BytesOf(docs), secMeta: b.meta, secText: b.text, secKeys: box.BytesOf(b.keys), secRemoved: box.BytesOf(slices.Compact(b.removed)),
		secUnits: box.BytesOf(b.units), secNames: box.BytesOf(b.names), secChunks: box.BytesOf(chunks),
		secTerms: box.BytesOf(rows), secWords: words, secPhrases: box.BytesOf(b.phrases), secKinds: kinds, secTriggers: box.BytesOf(b.triggers),
	} {
		parts[i].Bytes = raw
	}
	parts[secPostings].Fill = postings
	return box.Write(w, kindDocs, id, n, parts)
}

// dictionary sorts the terms.
func (b *Builder) dictionary() (words []byte, rows []termRow, postings func(io.Writer) error) {
	sorted := slices.Sorted(maps.Keys(b.postings))
	rows = make([]termRow, 0, len(sorted)+1)
	n := uint32(0)
	for _, t := range sorted {
		list := *b.postings[t]
		rows = append(rows, termRow{uint32(len(words)), n, box.Sum(box.BytesOf(list))})
		words = append(words, t...)
		n += uint32(len(list))
	}
	rows = append(rows, termRow{uint32(len(words)), n, 0})
	return words, rows, func(w io.Writer) error {
		for _, t := range sorted {
			if _, err := w.Write(box.BytesOf(*b.postings[t])); err != nil {
				return err
			}
		}
		return nil
	}
}
