package segment

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/git-sage/git-sage/prose/terms"
	"github.com/git-sage/git-sage/recall/index/box"
	"github.com/git-sage/git-sage/recall/index/disk"
)

// The sections of a segment of documents.
const (
	secDocs     = iota // docRow, one more than there are documents
	secMeta            // with checksums in docRow
	secText            // titles, bodies and spans of chunks; the same
	secKeys            // keyRow, by hash
	secRemoved         // hash, sorted
	secUnits           // unitRow
	secNames           // chunkRow, by document
	secChunks          // numbers of the rows of secNames, by name
	secTerms           // termRow, by term; one more than there are terms
	secWords           // the terms themselves
	secPostings        // posting, with checksums in termRow
	secPhrases         // phraseRow, by hash: of keywords, of links and of paths
	secKinds           // names, as Meta writes strings
	secTriggers        // numbers of documents that are always shown or have patterns
	docSections
)

const kindDocs = 1

// A Hash names a key, a keyword or a chunk.
type Hash struct{ hi, lo uint64 }

func HashOf(s string) Hash {
	sum := sha256.Sum256([]byte(s))
	return HashFrom(sum[:])
}

func HashFrom(b []byte) Hash {
	return Hash{binary.BigEndian.Uint64(b), binary.BigEndian.Uint64(b[8:])}
}

func (h Hash) ID() (id ChunkID) {
	binary.BigEndian.PutUint64(id[:], h.hi)
	binary.BigEndian.PutUint64(id[8:], h.lo)
	return id
}

func (h Hash) Compare(o Hash) int { return cmp.Or(cmp.Compare(h.hi, o.hi), cmp.Compare(h.lo, o.lo)) }

func (h Hash) Less(o Hash) bool { return h.hi < o.hi || h.hi == o.hi && h.lo < o.lo }

// A docRow is where the parts of a document begin; they end where those of the next
// do. The last row is no document.
type docRow struct {
	Key              Hash
	Meta, Text       uint64
	MetaSum, TextSum uint32
	Unit, Chunk      uint32
	Kind, _          uint32
}

// A keyRow leads from a hash to a document.
type keyRow struct {
	Hash   Hash
	Doc, _ uint32
}

// A PhraseRow leads from the first half of the hash of a keyword, of a key that is
// pointed to, or of a path, to a document.
type PhraseRow struct {
	Hi, Lo, Doc uint32
}

func PhraseOf(text string) PhraseRow {
	h := HashOf(text).hi
	return PhraseRow{Hi: uint32(h >> 32), Lo: uint32(h)}
}

// keyLanguages are those in which keywords are found without their inflection: a keyword of
// a word or two does not tell which it is of.
var keyLanguages = sync.OnceValue(func() []terms.Lang {
	return append([]terms.Lang{""}, terms.Languages...)
})

// Inflected is the row of a keyword as [terms.KeyPhrase] has it, where that is another than
// its own. It is none of a key's or path's.
func Inflected(phrase string, in terms.Lang) PhraseRow {
	return PhraseOf("\x00\x00" + string(in) + " " + phrase)
}

// LinkTo is the row of who points to a key. It is none of a keyword's, which has no NUL.
func LinkTo(key string) PhraseRow { return PhraseOf("\x00" + key) }

// OnPath is the row of who is about a file or folder. Keys have no slash in front.
func OnPath(path string) PhraseRow { return PhraseOf("\x00/" + strings.Trim(path, "/")) }

// InState is the row of the documents of a type that have a status, and pathed of those of
// a kind that name paths: few among many, which nobody has to read to find them.
func InState(kind, status string) PhraseRow { return PhraseOf("\x00=" + kind + "\x00" + status) }
func Pathed(kind string) PhraseRow          { return PhraseOf("\x00:" + kind) }

func (p PhraseRow) compare(o PhraseRow) int {
	return cmp.Or(cmp.Compare(p.Hi, o.Hi), cmp.Compare(p.Lo, o.Lo))
}

// A unitRow has the lengths of a unit in terms. The longest that counts is 65535.
type unitRow struct {
	Doc                   uint32
	Body, Title, Keywords uint16
	_                     uint16
}

// A chunkRow has the name of a chunk and where its text is in the body.
type chunkRow struct {
	Name          Hash
	From, To      uint32
	Doc, Position uint32 // which document, and which of its chunks
}

// A termRow is where a term and its postings begin.
type termRow struct {
	Word, Posting, Sum uint32
}

// A Posting is how often a term stands in a unit.
type Posting struct {
	Unit            uint32
	Body            uint16
	Title, Keywords uint8
}

// A Segment is a file of documents. To be written behind it need only be open; what
// is below the line is there after load.
type Segment struct {
	B      *box.Box
	Name   string
	loaded bool

	Docs     []docRow
	Units    []unitRow
	Names    []chunkRow
	Chunks   []uint32
	terms    []termRow
	words    []byte
	phrases  []PhraseRow
	Kinds    []string
	Triggers []uint32
	TotalIn  []Lengths // by kind

	Dead   []bool    // by document; nil if none is
	Deads  int       // how many
	DeadIn []Lengths // by kind
}

// Lengths sum up units.
type Lengths struct{ Units, Body, Title, Keywords int }

func (l *Lengths) add(u unitRow) {
	l.Units++
	l.Body += int(u.Body)
	l.Title += int(u.Title)
	l.Keywords += int(u.Keywords)
}

// Open reads the header of f.
func Open(f *disk.File, id [32]byte) (*Segment, error) {
	b, err := box.Open(f, kindDocs, id)
	if err != nil {
		return nil, err
	}
	return &Segment{B: b, Name: f.Name()}, nil
}

// Load reads what every search needs.
func (s *Segment) Load() error {
	if s.loaded {
		return nil
	}
	for _, load := range []func() error{
		Rows(s.B, secDocs, &s.Docs), Rows(s.B, secUnits, &s.Units), Rows(s.B, secNames, &s.Names), Rows(s.B, secChunks, &s.Chunks),
		Rows(s.B, secTerms, &s.terms), Rows(s.B, secWords, &s.words), Rows(s.B, secPhrases, &s.phrases), Rows(s.B, secTriggers, &s.Triggers),
		s.loadKinds, s.check,
	} {
		if err := load(); err != nil {
			return fmt.Errorf("%s: %w", filepath.Base(s.Name), err)
		}
	}
	s.loaded = true
	return nil
}

// keys and removed are asked for where there are several segments.
func (s *Segment) keys() ([]keyRow, error)  { return box.Rows[keyRow](s.B, secKeys) }
func (s *Segment) Removed() ([]Hash, error) { return box.Rows[Hash](s.B, secRemoved) }

// Size is how many documents are in the segment or removed by it.
func (s *Segment) Size() int { return s.B.Rows() + int(s.B.Len(secRemoved)/16) }

func Rows[T any](b *box.Box, i int, to *[]T) func() error {
	return func() (err error) {
		*to, err = box.Rows[T](b, i)
		return err
	}
}

func (s *Segment) loadKinds() error {
	raw, err := s.B.Section(secKinds)
	r := reader{b: raw, s: string(raw)}
	s.Kinds = nil
	for err == nil && len(r.b) > 0 {
		s.Kinds = append(s.Kinds, r.text())
	}
	if r.bad {
		err = Damaged("kinds")
	}
	return err
}

func Damaged(what string) error { return fmt.Errorf("%w: %s", box.ErrDamaged, what) }

// check makes sure that the rows refer to what is there, since what follows them
// does not look again. It is a loop over documents, units and terms without a
// branch that is taken: 30 us for 10,000 documents.
func (s *Segment) check() error {
	if len(s.Docs) != s.B.Rows()+1 || len(s.terms) == 0 {
		return Damaged("tables")
	}
	s.TotalIn, s.DeadIn = make([]Lengths, len(s.Kinds)), make([]Lengths, len(s.Kinds))
	if err := s.checkDocs(); err != nil {
		return err
	}
	postings := uint32(s.B.Len(secPostings) / 8)
	for i := 1; i < len(s.terms); i++ {
		a, b := s.terms[i-1], s.terms[i]
		if a.Word > b.Word || a.Posting > b.Posting || b.Word > uint32(len(s.words)) || b.Posting > postings {
			return Damaged("terms")
		}
	}
	return s.checkReferences(uint32(s.Len()))
}

// checkReferences looks whether all that refers to a document refers to one.
func (s *Segment) checkReferences(n uint32) error {
	bad := len(s.Chunks) != len(s.Names)
	for i := range s.phrases {
		bad = bad || s.phrases[i].Doc >= n
	}
	for i := range s.Names {
		bad = bad || s.Names[i].Doc >= n
	}
	for _, c := range s.Chunks {
		bad = bad || c >= uint32(len(s.Names))
	}
	for _, d := range s.Triggers {
		bad = bad || d >= n
	}
	if bad {
		return Damaged("references")
	}
	return nil
}

func (s *Segment) checkDocs() error {
	if last := s.Docs[s.Len()]; s.Docs[0].Unit > 0 || s.Docs[0].Chunk > 0 || int(last.Unit) != len(s.Units) || int(last.Chunk) != len(s.Names) {
		return Damaged("documents")
	}
	for i := range s.Len() {
		a, b := &s.Docs[i], &s.Docs[i+1]
		if a.Meta > b.Meta || a.Text > b.Text || a.Unit > b.Unit || a.Chunk > b.Chunk || int(a.Kind) >= len(s.Kinds) || b.Unit > uint32(len(s.Units)) {
			return Damaged("documents")
		}
		for u := a.Unit; u < b.Unit; u++ {
			if s.Units[u].Doc != uint32(i) {
				return Damaged("units")
			}
			s.TotalIn[a.Kind].add(s.Units[u])
		}
	}
	return nil
}

// Len is the number of documents, dead ones too.
func (s *Segment) Len() int { return s.B.Rows() }

func (s *Segment) IsDead(doc uint32) bool { return s.Dead != nil && s.Dead[doc] }

// kill hides a document.
func (s *Segment) kill(doc uint32) {
	if s.Dead == nil {
		s.Dead = make([]bool, s.Len())
	}
	if s.Dead[doc] {
		return
	}
	s.Dead[doc] = true
	s.Deads++
	d := s.Docs[doc]
	for _, u := range s.Units[d.Unit:s.Docs[doc+1].Unit] {
		s.DeadIn[d.Kind].add(u)
	}
}

// Doc returns the number of the document with a key, dead or not.
func (s *Segment) Doc(key Hash) (doc uint32, ok bool, err error) {
	keys, err := s.keys()
	if err != nil {
		return 0, false, err
	}
	i := box.Lower(len(keys), func(i int) bool { return keys[i].Hash.Less(key) })
	if i == len(keys) || keys[i].Hash != key {
		return 0, false, nil
	}
	if int(keys[i].Doc) >= s.Len() {
		return 0, false, Damaged("keys")
	}
	return keys[i].Doc, true, nil
}

// HasKind reports whether there is a document of one of some kinds; none is all.
func (s *Segment) HasKind(kinds []string) bool {
	if len(kinds) == 0 {
		return s.Len() > 0
	}
	return slices.ContainsFunc(s.Kinds, func(kind string) bool { return slices.Contains(kinds, kind) })
}

// WithChunk calls yield with the documents that have a chunk.
func (s *Segment) WithChunk(name Hash, yield func(doc uint32)) {
	i := box.Lower(len(s.Chunks), func(i int) bool { return s.Names[s.Chunks[i]].Name.Less(name) })
	for ; i < len(s.Chunks) && s.Names[s.Chunks[i]].Name == name; i++ {
		yield(s.Names[s.Chunks[i]].Doc)
	}
}

// WithPhrase calls yield with the documents that have a keyword.
func (s *Segment) WithPhrase(p PhraseRow, yield func(doc uint32)) {
	i := box.Lower(len(s.phrases), func(i int) bool { return s.phrases[i].compare(p) < 0 })
	for ; i < len(s.phrases) && s.phrases[i].compare(p) == 0; i++ {
		yield(s.phrases[i].Doc)
	}
}

// Meta reads what is told of a document.
func (s *Segment) Meta(doc uint32) (*Meta, error) {
	raw, err := s.rawMeta(doc)
	if err != nil {
		return nil, err
	}
	return parseMeta(raw)
}

// IsForeign is [Meta.IsForeign] of a document of which nothing else is wanted.
func (s *Segment) IsForeign(doc uint32) (bool, error) {
	raw, err := s.rawMeta(doc)
	if err != nil {
		return false, err
	}
	return isForeign(raw)
}

func (s *Segment) rawMeta(doc uint32) ([]byte, error) {
	d, next := &s.Docs[doc], &s.Docs[doc+1]
	return s.B.Piece(secMeta, d.Meta, next.Meta-d.Meta, d.MetaSum)
}

// body reads the text of a document, without its title.
func (s *Segment) body(doc uint32) (string, error) {
	raw, err := s.text(doc)
	return string(raw), err
}

func (s *Segment) text(doc uint32) ([]byte, error) {
	d, next := &s.Docs[doc], &s.Docs[doc+1]
	return s.B.Piece(secText, d.Text, next.Text-d.Text, d.TextSum)
}

// Postings returns those of a term; none if there is no such term.
func (s *Segment) Postings(term string) ([]Posting, error) {
	i, j := 0, len(s.terms)-1
	for i < j {
		if m := (i + j) / 2; string(s.word(m)) < term {
			i = m + 1
		} else {
			j = m
		}
	}
	if i == len(s.terms)-1 || string(s.word(i)) != term {
		return nil, nil
	}
	return s.postingsAt(i)
}

func (s *Segment) word(i int) []byte { return s.words[s.terms[i].Word:s.terms[i+1].Word] }

func (s *Segment) postingsAt(i int) ([]Posting, error) {
	a, b := s.terms[i], s.terms[i+1]
	raw, err := s.B.Piece(secPostings, 8*uint64(a.Posting), 8*uint64(b.Posting-a.Posting), a.Sum)
	if err != nil {
		return nil, err
	}
	list, err := box.View[Posting](raw)
	for j := range list {
		if int(list[j].Unit) >= len(s.Units) {
			return nil, Damaged("postings")
		}
	}
	return list, err
}

func (s *Segment) Close() error { return s.B.Close() }

// Revive forgets which documents are dead.
func (s *Segment) Revive() {
	s.Dead, s.Deads = nil, 0
	clear(s.DeadIn)
}

// Hide kills what a newer segment has or removed.
func (s *Segment) Hide(newer *Segment) error {
	keys, err := newer.keys()
	if err != nil {
		return err
	}
	removed, err := newer.Removed()
	for i := 0; err == nil && i < len(keys)+len(removed); i++ {
		var key Hash
		if i < len(keys) {
			key = keys[i].Hash
		} else {
			key = removed[i-len(keys)]
		}
		var doc uint32
		var ok bool
		if doc, ok, err = s.Doc(key); ok {
			s.kill(doc)
		}
	}
	return err
}
