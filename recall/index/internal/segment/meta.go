package segment

import (
	"encoding/binary"
	"fmt"
	"math"
	"time"

	"github.com/git-sage/git-sage/recall/index/box"
)

// fields lists the strings, the lists and the rest of m in the order of their bytes.
func (m *Meta) fields() (texts []*string, lists []*[]string) {
	return []*string{&m.Key, &m.Kind, &m.Blob, &m.Title, &m.Type, &m.Line, &m.Status, &m.Source, &m.Author, &m.Vouch, &m.Trigger},
		[]*[]string{&m.Skills, &m.Paths, &m.Keywords, &m.Patterns, &m.ReplacedBy, &m.Links}
}

const (
	flagAlways = 1 << iota
	flagUser
)

// appendTo writes m: lengths before strings, all numbers as varints.
func (m *Meta) appendTo(b []byte) []byte {
	texts, lists := m.fields()
	for _, s := range texts {
		b = appendText(b, *s)
	}
	for _, l := range lists {
		b = binary.AppendUvarint(b, uint64(len(*l)))
		for _, s := range *l {
			b = appendText(b, s)
		}
	}
	flags := uint64(0)
	if m.Always {
		flags |= flagAlways
	}
	if m.User {
		flags |= flagUser
	}
	b = binary.AppendUvarint(b, flags)
	b = binary.AppendVarint(b, int64(m.Tokens))
	b = binary.AppendVarint(b, int64(m.Part))
	b = binary.AppendUvarint(b, math.Float64bits(m.Confidence))
	b = binary.AppendVarint(b, seconds(m.Added))
	return binary.AppendVarint(b, seconds(m.Updated))
}

func appendText(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// seconds keeps the zero time as it is.
func seconds(t time.Time) int64 {
	if t.IsZero() {
		return math.MinInt64
	}
	return t.Unix()
}

func timeOf(s int64) time.Time {
	if s == math.MinInt64 {
		return time.Time{}
	}
	return time.Unix(s, 0).UTC()
}

// parseMeta reads what appendTo wrote.
func parseMeta(b []byte) (*Meta, error) {
	r := reader{b: b, s: string(b)}
	m := &Meta{}
	texts, lists := m.fields()
	for _, s := range texts {
		*s = r.text()
	}
	for _, l := range lists {
		n := r.uint()
		for ; n > 0 && !r.bad; n-- {
			*l = append(*l, r.text())
		}
	}
	flags := r.uint()
	m.Always, m.User = flags&flagAlways != 0, flags&flagUser != 0
	m.Tokens, m.Part = int(r.int()), int(r.int())
	m.Confidence = math.Float64frombits(r.uint())
	m.Added, m.Updated = timeOf(r.int()), timeOf(r.int())
	if r.bad || len(r.b) > 0 {
		return nil, fmt.Errorf("%w: a document", box.ErrDamaged)
	}
	return m, nil
}

// isForeign reads of what appendTo wrote what tells that, and skips the rest: a keyword that
// thousands share asks it of each.
func isForeign(b []byte) (bool, error) {
	r := reader{b: b}
	texts, lists := (&Meta{}).fields()
	for range texts {
		r.skip()
	}
	for range lists {
		for n := r.uint(); n > 0 && !r.bad; n-- {
			r.skip()
		}
	}
	r.uint() // flags
	r.int()  // Tokens
	part := r.int()
	if r.bad {
		return false, fmt.Errorf("%w: a document", box.ErrDamaged)
	}
	return part > 0, nil
}

// A reader takes values off the front of bytes; bad says that they ended too early.
type reader struct {
	b   []byte
	s   string // the same, from the beginning: texts are parts of it
	bad bool
}

func (r *reader) uint() uint64 {
	v, n := binary.Uvarint(r.b)
	return v & r.took(n)
}

func (r *reader) int() int64 {
	v, n := binary.Varint(r.b)
	return v & int64(r.took(n))
}

// took moves on by n bytes, and returns a mask of the value that they were.
func (r *reader) took(n int) uint64 {
	if n <= 0 {
		r.b, r.bad = nil, true
		return 0
	}
	r.b = r.b[n:]
	return math.MaxUint64
}

func (r *reader) text() string {
	n := r.skip()
	end := len(r.s) - len(r.b)
	return r.s[end-n : end]
}

// skip takes a text off the front, and returns how many bytes it has.
func (r *reader) skip() int {
	n := r.uint()
	if n > uint64(len(r.b)) {
		r.b, r.bad = nil, true
		return 0
	}
	r.b = r.b[n:]
	return int(n)
}
