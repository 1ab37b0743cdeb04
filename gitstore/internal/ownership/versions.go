package ownership

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash/maphash"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/rewritten"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/codec"
)

// An item is more than its text: its status, what replaces it, its links and what brings it
// back decide whether anybody is ever shown it. So the file sage/versions lists which version
// of each item its user left, a line each:
//
//	<word> <blob> <key>
//
// The last line of a key counts; a blob of zeros says that they removed it. Who changes an
// item elsewhere makes another version, which waits until somebody here confirms it:
//
//   - If the text is the same, or the item would no longer be recalled, or is gone, it is
//     shown, found and recalled as its user left it, with a mark.
//   - A new text is shown as it is, with a mark, like all that came from elsewhere.
//
// Versions that differ in their times alone are the same; the times of the one that was left
// count.
//
// A key behind '=' was adopted: it is a version that was one's own, by its text, when a
// git-sage first wrote here that keeps this list. Any other line of that key goes before it.
// The key '*' says that this was done; without it the sums of texts tell whose an item is.
type Version struct{ Blob, Key string }

// Claim is what stands for it in sage/begun: the same file under another key is another.
// Of a blob of zeros it is the removal.
func (v Version) Claim() string {
	s := summer{sha256.New()}
	s.add("version", v.Key, v.Blob)
	return s.hex()
}

const (
	AllAdopted = "*"
	AsItWas    = "="
)

func (own *Ownership) VersionsFile() string { return own.repo.Dir("versions") }

// Versions are those that this user left, by key; nil before any were adopted. It is read
// as a whole, since of 10,000 items a map takes longer to make than a hook has.
type Versions struct {
	st    fs.FileInfo
	text  string
	word  string
	ids   int // digits of an id
	table []versionSpan
	all   bool // those that were here are adopted
}

// A versionSpan is where a key stands in the text, behind its blob; of no size is none.
type versionSpan struct {
	at, size uint32
	adopted  bool
}

var versionSeed = sync.OnceValue(maphash.MakeSeed)

// Versions reads what this user left here, nil if nothing was adopted yet.
func (own *Ownership) Versions() *Versions {
	word := own.Word(false)
	if own.repo.Options.Global || word == "" {
		return nil
	}
	st, err := fsx.Stat(own.VersionsFile())
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	own.trustMu.Lock()
	defer own.trustMu.Unlock()
	if err == nil && (own.left == nil || !rewritten.SameFile(own.left.st, st)) {
		var b []byte
		if b, err = fsx.ReadOwn(own.VersionsFile()); errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err == nil {
			own.left = NewVersions(string(b), word, len(own.repo.Objects.Zero()))
			own.left.st = st
		}
	}
	switch {
	case err != nil: // nothing is proved
		return NewVersions("", word, len(own.repo.Objects.Zero()))
	case !own.left.all:
		return nil
	}
	return own.left
}

func NewVersions(text, word string, ids int) *Versions {
	n := 64
	for n < 2*len(text)/(TrustWord+ids+4) {
		n *= 2
	}
	v := &Versions{text: text, word: word, ids: ids, table: make([]versionSpan, n)}
	for at := 0; at < len(text); {
		end := strings.IndexByte(text[at:], '\n')
		if end < 0 {
			break // on its way, or cut short
		}
		end += at
		if key := keyIn(text[at:end], word, ids); key != "" {
			v.add(end-len(key), key)
		}
		at = end + 1
	}
	return v
}

// keyIn is the key of a line with a word, "" if it has another.
func keyIn(line, word string, ids int) string {
	last := strings.LastIndexByte(line, ' ')
	if last == len(word)+1+ids && line[len(word)] == ' ' && line[:len(word)] == word {
		return line[last+1:] // whole; what is no id is the version of nothing
	}
	if l, ok := ParseVersionLine(line, ids); ok && l.Word == word {
		return l.Key
	}
	return ""
}

// A VersionLine is one of sage/versions.
type VersionLine struct{ Word, Blob, Key string }

func (l VersionLine) String() string { return l.Word + " " + l.Blob + " " + l.Key + "\n" }

// ParseVersionLine reads a line. What was cut short may stand before it.
func ParseVersionLine(line string, ids int) (out VersionLine, ok bool) {
	at := strings.LastIndexByte(line, ' ')
	if at < 0 || at+1 == len(line) {
		return out, false
	}
	l, ok := ParseLedgerLine(line[:at], ids)
	return VersionLine{l.Word, l.ID, line[at+1:]}, ok && len(l.Word) == TrustWord
}

func (v *Versions) add(at int, key string) {
	if key == AllAdopted {
		v.all = true
		return
	}
	key, old := strings.CutPrefix(key, AsItWas)
	if old {
		at++
	}
	if span := v.slot(key); span.size == 0 || !old {
		*span = versionSpan{uint32(at), uint32(len(key)), old}
	}
}

// slot is where a key stands in the table, or would.
func (v *Versions) slot(key string) *versionSpan {
	mask := uint64(len(v.table) - 1)
	for i := maphash.String(versionSeed(), key); ; i++ {
		if span := &v.table[i&mask]; span.size == 0 || v.key(span) == key {
			return span
		}
	}
}

func (v *Versions) key(span *versionSpan) string { return v.text[span.at : span.at+span.size] }

func (v *Versions) blob(span *versionSpan) string {
	end := int(span.at) - 1
	if span.adopted {
		end--
	}
	return v.text[end-v.ids : end]
}

// Of is the version that the user left of a key: "" is none that is known, one of zeros that
// they removed it.
func (v *Versions) Of(key string) string {
	if v == nil {
		return ""
	}
	span := v.slot(key)
	if span.size == 0 {
		return ""
	}
	return v.blob(span)
}

// There is of, but for what the user removed.
func (v *Versions) There(key string) string {
	blob := v.Of(key)
	if strings.Trim(blob, "0") == "" {
		return ""
	}
	return blob
}

// IsAdopted reports whether what counts of a key is what was adopted.
func (v *Versions) IsAdopted(key string) bool {
	span := v.slot(key)
	return span.size > 0 && span.adopted
}

// Lists reports whether the user ever left a version.
func (v *Versions) Lists(l Version) bool {
	return strings.Contains(v.text, " "+l.Blob+" "+l.Key+"\n") || strings.Contains(v.text, " "+l.Blob+" "+AsItWas+l.Key+"\n")
}

// Before is the version that the user left of a key before they left l for the last time,
// "" if there was none or they removed it.
func (v *Versions) Before(l Version) (blob string) {
	last := ""
	v.ever(func(at Version) {
		if at.Key != l.Key {
			return
		}
		if at.Blob == l.Blob {
			blob = last
		}
		last = at.Blob
	})
	if strings.Trim(blob, "0") == "" {
		return ""
	}
	return blob
}

// Claims are those of all that the user ever left.
func (v *Versions) Claims() map[string]bool {
	out := map[string]bool{}
	v.ever(func(at Version) { out[at.Claim()] = true })
	return out
}

// ever calls fn with all that the user left, in order.
func (v *Versions) ever(fn func(Version)) {
	if v == nil {
		return
	}
	for line := range strings.Lines(v.text) {
		if l, ok := ParseVersionLine(strings.TrimSuffix(line, "\n"), v.ids); ok && l.Word == v.word {
			fn(Version{l.Blob, strings.TrimPrefix(l.Key, AsItWas)})
		}
	}
}

// Each calls fn with what the user left, in no order.
func (v *Versions) Each(fn func(Version)) {
	if v == nil {
		return
	}
	for i := range v.table {
		if span := &v.table[i]; span.size > 0 {
			fn(Version{v.blob(span), v.key(span)})
		}
	}
}

// NoteVersions notes what this user left.
func (own *Ownership) NoteVersions(list ...Version) error {
	word := own.Word(true)
	if own.repo.Options.Global || word == "" || len(list) == 0 {
		return nil
	}
	var b strings.Builder
	for _, v := range list {
		b.WriteString(VersionLine{word, v.Blob, v.Key}.String())
	}
	if _, err := fsx.Append(own.VersionsFile(), []byte(b.String())); err != nil {
		return fmt.Errorf("record your versions: %w", err)
	}
	return nil
}

// IsKnown reports whether a version is the one that this user left, or that they saved and
// were killed before it was noted.
func (own *Ownership) IsKnown(v *Versions, l Version) bool {
	return v.Of(l.Key) == l.Blob || own.BegunIDs().Has(l.Claim()) && !v.Lists(l)
}

// IsSameVersion reports whether two versions of an item differ in their times alone.
func IsSameVersion(a, b *sage.Item) bool {
	x, y := a.Clone(), b.Clone()
	x.Added, x.Updated, y.Added, y.Updated = a.Added, a.Updated, a.Added, a.Updated
	return bytes.Equal(codec.MarshalItem(x), codec.MarshalItem(y))
}

// Hides reports whether what somebody made of an item may take it out of the sight of those
// who would be given it as it was left: it changes its type or whether it holds, or takes
// away something that brings it back.
func Hides(left, sent *sage.Item) bool {
	lacks := func(had, has []string) bool {
		return slices.ContainsFunc(had, func(x string) bool { return !slices.Contains(has, x) })
	}
	return left.Type != sent.Type || left.Status != sent.Status || left.Replacement != sent.Replacement ||
		!sent.Updated.IsZero() && sent.Updated.Before(left.Updated) ||
		lacks(left.Keywords, sent.Keywords) || lacks(left.Patterns, sent.Patterns) || lacks(left.When, sent.When) || lacks(left.Scope.Paths, sent.Scope.Paths) ||
		left.Scope.Always && !sent.Scope.Always || !slices.Equal(left.Scope.Skills, sent.Scope.Skills)
}

// IsOfKey reports whether a version is of the item of a key, which a purge may have changed.
func (own *Ownership) IsOfKey(blob, key string) bool {
	if strings.Trim(blob, "0") == "" {
		return false
	}
	o, err := own.repo.Object(blob)
	if err != nil || o.Type != "blob" {
		return false
	}
	it, err := codec.ParseItem(o.Data)
	return err == nil && it.ID == path.Base(key)
}

// RewriteVersions writes the list anew: the last line of each key that is wanted, at the
// version that becomes of it; "" is none.
func (own *Ownership) RewriteVersions(wanted func(VersionLine) bool, became func(Version) string) error {
	return fsx.Rewrite(own.VersionsFile(), rewriteWait, func(b []byte) []byte {
		last, order := map[[2]string]VersionLine{}, [][2]string{}
		for line := range strings.Lines(string(b)) {
			l, ok := ParseVersionLine(strings.TrimSuffix(line, "\n"), len(own.repo.Objects.Zero()))
			if !ok || !strings.HasSuffix(line, "\n") {
				continue
			}
			at := [2]string{l.Word, strings.TrimPrefix(l.Key, AsItWas)}
			was, known := last[at]
			if !known {
				order = append(order, at)
			}
			if !known || !strings.HasPrefix(l.Key, AsItWas) || strings.HasPrefix(was.Key, AsItWas) && became(Version{was.Blob, at[1]}) == "" {
				last[at] = l
			}
		}
		var kept strings.Builder
		for _, at := range order {
			l := last[at]
			if !wanted(l) {
				continue
			}
			if l.Blob = became(Version{l.Blob, at[1]}); l.Blob != "" {
				kept.WriteString(l.String())
			}
		}
		return []byte(kept.String())
	})
}

// MendVersions writes the list anew without what is damaged.
func (own *Ownership) MendVersions() error {
	return fsx.Rewrite(own.VersionsFile(), rewriteWait, func(b []byte) []byte {
		var kept strings.Builder
		for line := range strings.Lines(string(b)) {
			if l, ok := ParseVersionLine(strings.TrimSuffix(line, "\n"), len(own.repo.Objects.Zero())); ok {
				kept.WriteString(l.String())
			}
		}
		return []byte(kept.String())
	})
}
