package index

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"slices"

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
	secChunks          // keyRow, by chunk; unit is the number of the chunk
	secTerms           // termRow, by term; one more than there are terms
	secWords           // the terms themselves
	secPostings        // posting, with checksums in termRow
	secPhrases         // keyRow, by the hash of a keyword; more is its number
	secKinds           // names, as Meta writes strings
	secTriggers        // numbers of documents that are always shown or have patterns
	docSections
)

const kindDocs = 1

// A hash names a key, a keyword or a chunk.
type hash [16]byte

func hashOf(s string) hash {
	sum := sha256.Sum256([]byte(s))
	return hash(sum[:16])
}

func (h hash) compare(o hash) int { return bytes.Compare(h[:], o[:]) }

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
	Hash      hash
	Doc, More uint32
}

// A unitRow has the lengths of a unit in terms. The longest that counts is 65535.
type unitRow struct {
	Doc                   uint32
	Body, Title, Keywords uint16
	_                     uint16
}

// A chunkRow has the name of a chunk and where its text is in the body.
type chunkRow struct {
	Name     hash
	From, To uint32
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

// A segment is a file of documents. Alive says which of them count.
type segment struct {
	b        *box.Box
	name     string
	docs     []docRow
	units    []unitRow
	keys     []keyRow
	removed  []hash
	names    []chunkRow
	chunks   []keyRow
	terms    []termRow
	words    []byte
	phrases  []keyRow
	kinds    []string
	triggers []uint32

	dead    []bool // by document; nil if none is
	deads   int
	deadIn  []lengths // by kind
	totalIn []lengths // by kind, of all
}

// lengths sum up units.
type lengths struct{ units, body, title, keywords int }

func (l *lengths) add(u unitRow) {
	l.units++
	l.body += int(u.Body)
	l.title += int(u.Title)
	l.keywords += int(u.Keywords)
}

// openSegment reads what every search needs.
func openSegment(f *disk.File, id [32]byte) (*segment, error) {
	b, err := box.Open(f, kindDocs, id)
	if err != nil {
		return nil, err
	}
	s := &segment{b: b, name: f.Name()}
	for _, load := range []func() error{
		rows(b, secDocs, &s.docs), rows(b, secUnits, &s.units), rows(b, secKeys, &s.keys), rows(b, secRemoved, &s.removed),
		rows(b, secNames, &s.names), rows(b, secChunks, &s.chunks), rows(b, secTerms, &s.terms), rows(b, secWords, &s.words),
		rows(b, secPhrases, &s.phrases), rows(b, secTriggers, &s.triggers), s.loadKinds,
	} {
		if err := load(); err != nil {
			return nil, err
		}
	}
	return s, s.check()
}

func rows[T any](b *box.Box, i int, to *[]T) func() error {
	return func() (err error) {
		*to, err = box.Rows[T](b, i)
		return err
	}
}

func (s *segment) loadKinds() error {
	raw, err := s.b.Section(secKinds)
	r := reader{b: raw}
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
	n := uint32(s.len())
	for _, rows := range [][]keyRow{s.keys, s.chunks, s.phrases} {
		for i := range rows {
			if rows[i].Doc >= n {
				return errDamaged("keys")
			}
		}
	}
	for _, d := range s.triggers {
		if d >= n {
			return errDamaged("triggers")
		}
	}
	return nil
}

func (s *segment) checkDocs() error {
	for i := range s.len() {
		a, b := &s.docs[i], &s.docs[i+1]
		if a.Meta > b.Meta || a.Text > b.Text || a.Unit > b.Unit || a.Chunk > b.Chunk || int(a.Kind) >= len(s.kinds) ||
			b.Unit > uint32(len(s.units)) || b.Chunk > uint32(len(s.names)) {
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
func (s *segment) len() int { return len(s.docs) - 1 }

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

// find returns the rows with a hash.
func find(rows []keyRow, h hash) []keyRow {
	i, ok := slices.BinarySearchFunc(rows, h, func(r keyRow, h hash) int { return r.Hash.compare(h) })
	if !ok {
		return nil
	}
	j := i + 1
	for j < len(rows) && rows[j].Hash == h {
		j++
	}
	return rows[i:j]
}

// doc returns the number of the document with a key, dead or not.
func (s *segment) doc(key hash) (uint32, bool) {
	if r := find(s.keys, key); len(r) > 0 {
		return r[0].Doc, true
	}
	return 0, false
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
	if n := len(list); n > 0 && int(list[n-1].Unit) >= len(s.units) {
		return nil, errDamaged("postings")
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
func (s *segment) hide(newer *segment) {
	for i := range newer.keys {
		if doc, ok := s.doc(newer.keys[i].Hash); ok {
			s.kill(doc)
		}
	}
	for _, h := range newer.removed {
		if doc, ok := s.doc(h); ok {
			s.kill(doc)
		}
	}
}
