package index

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
	"github.com/git-sage/git-sage/recall/index/internal/box"
	"github.com/git-sage/git-sage/recall/index/internal/disk"
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

// A hash names a key, a keyword or a chunk.
type hash struct{ hi, lo uint64 }

func hashOf(s string) hash {
	sum := sha256.Sum256([]byte(s))
	return hashFrom(sum[:])
}

func hashFrom(b []byte) hash {
	return hash{binary.BigEndian.Uint64(b), binary.BigEndian.Uint64(b[8:])}
}

func (h hash) id() (id ChunkID) {
	binary.BigEndian.PutUint64(id[:], h.hi)
	binary.BigEndian.PutUint64(id[8:], h.lo)
	return id
}

func (h hash) compare(o hash) int { return cmp.Or(cmp.Compare(h.hi, o.hi), cmp.Compare(h.lo, o.lo)) }

func (h hash) less(o hash) bool { return h.hi < o.hi || h.hi == o.hi && h.lo < o.lo }

// A docRow is where the parts of a document begin; they end where those of the next
// do. The last row is no document.
type docRow struct {
	Key              hash
	Meta, Text       uint64
	MetaSum, TextSum uint32
	Unit, Chunk      uint32
	Kind, _          uint32
}

// A keyRow leads from a hash to a document.
type keyRow struct {
	Hash   hash
	Doc, _ uint32
}

// A phraseRow leads from the first half of the hash of a keyword, of a key that is
// pointed to, or of a path, to a document.
type phraseRow struct {
	Hi, Lo, Doc uint32
}

func phraseOf(text string) phraseRow {
	h := hashOf(text).hi
	return phraseRow{Hi: uint32(h >> 32), Lo: uint32(h)}
}

// keyLanguages are those in which keywords are found without their inflection: a keyword of
// a word or two does not tell which it is of.
var keyLanguages = sync.OnceValue(func() []terms.Lang {
	return append([]terms.Lang{""}, terms.Languages...)
})

// inflected is the row of a keyword as [terms.KeyPhrase] has it, where that is another than
// its own. It is none of a key's or path's.
func inflected(phrase string, in terms.Lang) phraseRow {
	return phraseOf("\x00\x00" + string(in) + " " + phrase)
}

// linkTo is the row of who points to a key. It is none of a keyword's, which has no NUL.
func linkTo(key string) phraseRow { return phraseOf("\x00" + key) }

// onPath is the row of who is about a file or folder. Keys have no slash in front.
func onPath(path string) phraseRow { return phraseOf("\x00/" + strings.Trim(path, "/")) }

// inState is the row of the documents of a type that have a status, and pathed of those of
// a kind that name paths: few among many, which nobody has to read to find them.
func inState(kind, status string) phraseRow { return phraseOf("\x00=" + kind + "\x00" + status) }
func pathed(kind string) phraseRow          { return phraseOf("\x00:" + kind) }

func (p phraseRow) compare(o phraseRow) int {
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
	Name          hash
	From, To      uint32
	Doc, Position uint32 // which document, and which of its chunks
}

// A termRow is where a term and its postings begin.
type termRow struct {
	Word, Posting, Sum uint32
}

// A posting is how often a term stands in a unit.
type posting struct {
	Unit            uint32
	Body            uint16
	Title, Keywords uint8
}

// A segment is a file of documents. To be written behind it need only be open; what
// is below the line is there after load.
type segment struct {
	b      *box.Box
	name   string
	loaded bool

	docs     []docRow
	units    []unitRow
	names    []chunkRow
	chunks   []uint32
	terms    []termRow
	words    []byte
	phrases  []phraseRow
	kinds    []string
	triggers []uint32
	totalIn  []lengths // by kind

	dead   []bool    // by document; nil if none is
	deads  int       // how many
	deadIn []lengths // by kind
}

// lengths sum up units.
type lengths struct{ units, body, title, keywords int }

func (l *lengths) add(u unitRow) {
	l.units++
	l.body += int(u.Body)
	l.title += int(u.Title)
	l.keywords += int(u.Keywords)
}

// openSegment reads the header of f.
func openSegment(f *disk.File, id [32]byte) (*segment, error) {
	b, err := box.Open(f, kindDocs, id)
	if err != nil {
		return nil, err
	}
	return &segment{b: b, name: f.Name()}, nil
}

// load reads what every search needs.
func (s *segment) load() error {
	if s.loaded {
		return nil
	}
	for _, load := range []func() error{
		rows(s.b, secDocs, &s.docs), rows(s.b, secUnits, &s.units), rows(s.b, secNames, &s.names), rows(s.b, secChunks, &s.chunks),
		rows(s.b, secTerms, &s.terms), rows(s.b, secWords, &s.words), rows(s.b, secPhrases, &s.phrases), rows(s.b, secTriggers, &s.triggers),
		s.loadKinds, s.check,
	} {
		if err := load(); err != nil {
			return fmt.Errorf("%s: %w", filepath.Base(s.name), err)
		}
	}
	s.loaded = true
	return nil
}

// keys and removed are asked for where there are several segments.
func (s *segment) keys() ([]keyRow, error)  { return box.Rows[keyRow](s.b, secKeys) }
func (s *segment) removed() ([]hash, error) { return box.Rows[hash](s.b, secRemoved) }

// size is how many documents are in the segment or removed by it.
func (s *segment) size() int { return s.b.Rows() + int(s.b.Len(secRemoved)/16) }

func rows[T any](b *box.Box, i int, to *[]T) func() error {
	return func() (err error) {
		*to, err = box.Rows[T](b, i)
		return err
	}
}

func (s *segment) loadKinds() error {
	raw, err := s.b.Section(secKinds)
	r := reader{b: raw, s: string(raw)}
	s.kinds = nil
	for err == nil && len(r.b) > 0 {
		s.kinds = append(s.kinds, r.text())
	}
	if r.bad {
		err = errDamaged("kinds")
	}
	return err
}

func errDamaged(what string) error { return fmt.Errorf("%w: %s", box.ErrDamaged, what) }

// check makes sure that the rows refer to what is there, since what follows them
// does not look again. It is a loop over documents, units and terms without a
// branch that is taken: 30 us for 10,000 documents.
func (s *segment) check() error {
	if len(s.docs) != s.b.Rows()+1 || len(s.terms) == 0 {
		return errDamaged("tables")
	}
	s.totalIn, s.deadIn = make([]lengths, len(s.kinds)), make([]lengths, len(s.kinds))
	if err := s.checkDocs(); err != nil {
		return err
	}
	postings := uint32(s.b.Len(secPostings) / 8)
	for i := 1; i < len(s.terms); i++ {
		a, b := s.terms[i-1], s.terms[i]
		if a.Word > b.Word || a.Posting > b.Posting || b.Word > uint32(len(s.words)) || b.Posting > postings {
			return errDamaged("terms")
		}
	}
	return s.checkReferences(uint32(s.len()))
}

// checkReferences looks whether all that refers to a document refers to one.
func (s *segment) checkReferences(n uint32) error {
	bad := len(s.chunks) != len(s.names)
	for i := range s.phrases {
		bad = bad || s.phrases[i].Doc >= n
	}
	for i := range s.names {
		bad = bad || s.names[i].Doc >= n
	}
	for _, c := range s.chunks {
		bad = bad || c >= uint32(len(s.names))
	}
	for _, d := range s.triggers {
		bad = bad || d >= n
	}
	if bad {
		return errDamaged("references")
	}
	return nil
}

func (s *segment) checkDocs() error {
	if last := s.docs[s.len()]; s.docs[0].Unit > 0 || s.docs[0].Chunk > 0 || int(last.Unit) != len(s.units) || int(last.Chunk) != len(s.names) {
		return errDamaged("documents")
	}
	for i := range s.len() {
		a, b := &s.docs[i], &s.docs[i+1]
		if a.Meta > b.Meta || a.Text > b.Text || a.Unit > b.Unit || a.Chunk > b.Chunk || int(a.Kind) >= len(s.kinds) || b.Unit > uint32(len(s.units)) {
			return errDamaged("documents")
		}
		for u := a.Unit; u < b.Unit; u++ {
			if s.units[u].Doc != uint32(i) {
				return errDamaged("units")
			}
			s.totalIn[a.Kind].add(s.units[u])
		}
	}
	return nil
}

// len is the number of documents, dead ones too.
func (s *segment) len() int { return s.b.Rows() }

func (s *segment) isDead(doc uint32) bool { return s.dead != nil && s.dead[doc] }

// kill hides a document.
func (s *segment) kill(doc uint32) {
	if s.dead == nil {
		s.dead = make([]bool, s.len())
	}
	if s.dead[doc] {
		return
	}
	s.dead[doc] = true
	s.deads++
	d := s.docs[doc]
	for _, u := range s.units[d.Unit:s.docs[doc+1].Unit] {
		s.deadIn[d.Kind].add(u)
	}
}

// doc returns the number of the document with a key, dead or not.
func (s *segment) doc(key hash) (doc uint32, ok bool, err error) {
	keys, err := s.keys()
	if err != nil {
		return 0, false, err
	}
	i := lower(len(keys), func(i int) bool { return keys[i].Hash.less(key) })
	if i == len(keys) || keys[i].Hash != key {
		return 0, false, nil
	}
	if int(keys[i].Doc) >= s.len() {
		return 0, false, errDamaged("keys")
	}
	return keys[i].Doc, true, nil
}

// lower is the first of n rows that is not less.
func lower(n int, less func(i int) bool) int {
	i := 0
	for i < n {
		if m := int(uint(i+n) / 2); less(m) {
			i = m + 1
		} else {
			n = m
		}
	}
	return i
}

// hasKind reports whether there is a document of one of some kinds; none is all.
func (s *segment) hasKind(kinds []string) bool {
	if len(kinds) == 0 {
		return s.len() > 0
	}
	return slices.ContainsFunc(s.kinds, func(kind string) bool { return slices.Contains(kinds, kind) })
}

// withChunk calls yield with the documents that have a chunk.
func (s *segment) withChunk(name hash, yield func(doc uint32)) {
	i := lower(len(s.chunks), func(i int) bool { return s.names[s.chunks[i]].Name.less(name) })
	for ; i < len(s.chunks) && s.names[s.chunks[i]].Name == name; i++ {
		yield(s.names[s.chunks[i]].Doc)
	}
}

// withPhrase calls yield with the documents that have a keyword.
func (s *segment) withPhrase(p phraseRow, yield func(doc uint32)) {
	i := lower(len(s.phrases), func(i int) bool { return s.phrases[i].compare(p) < 0 })
	for ; i < len(s.phrases) && s.phrases[i].compare(p) == 0; i++ {
		yield(s.phrases[i].Doc)
	}
}

// meta reads what is told of a document.
func (s *segment) meta(doc uint32) (*Meta, error) {
	d, next := &s.docs[doc], &s.docs[doc+1]
	raw, err := s.b.Piece(secMeta, d.Meta, next.Meta-d.Meta, d.MetaSum)
	if err != nil {
		return nil, err
	}
	return parseMeta(raw)
}

// body reads the text of a document, without its title.
func (s *segment) body(doc uint32) (string, error) {
	raw, err := s.text(doc)
	return string(raw), err
}

func (s *segment) text(doc uint32) ([]byte, error) {
	d, next := &s.docs[doc], &s.docs[doc+1]
	return s.b.Piece(secText, d.Text, next.Text-d.Text, d.TextSum)
}

// postings returns those of a term; none if there is no such term.
func (s *segment) postings(term string) ([]posting, error) {
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

func (s *segment) word(i int) []byte { return s.words[s.terms[i].Word:s.terms[i+1].Word] }

func (s *segment) postingsAt(i int) ([]posting, error) {
	a, b := s.terms[i], s.terms[i+1]
	raw, err := s.b.Piece(secPostings, 8*uint64(a.Posting), 8*uint64(b.Posting-a.Posting), a.Sum)
	if err != nil {
		return nil, err
	}
	list, err := box.View[posting](raw)
	for j := range list {
		if int(list[j].Unit) >= len(s.units) {
			return nil, errDamaged("postings")
		}
	}
	return list, err
}

func (s *segment) close() error { return s.b.Close() }

// revive forgets which documents are dead.
func (s *segment) revive() {
	s.dead, s.deads = nil, 0
	clear(s.deadIn)
}

// hide kills what a newer segment has or removed.
func (s *segment) hide(newer *segment) error {
	keys, err := newer.keys()
	if err != nil {
		return err
	}
	removed, err := newer.removed()
	for i := 0; err == nil && i < len(keys)+len(removed); i++ {
		var key hash
		if i < len(keys) {
			key = keys[i].Hash
		} else {
			key = removed[i-len(keys)]
		}
		var doc uint32
		var ok bool
		if doc, ok, err = s.doc(key); ok {
			s.kill(doc)
		}
	}
	return err
}
