package gitstore

import (
	"bytes"
	"context"
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
	"github.com/git-sage/git-sage/gitstore/sage"
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
type version struct{ blob, key string }

// claim is what stands for it in sage/begun: the same file under another key is another.
// Of a blob of zeros it is the removal.
func (v version) claim() string {
	s := summer{sha256.New()}
	s.add("version", v.key, v.blob)
	return s.hex()
}

const (
	allAdopted = "*"
	asItWas    = "="
)

func (s *Store) versionsFile() string { return s.dir("versions") }

// versions are those that this user left, by key; nil before any were adopted. It is read
// as a whole, since of 10,000 items a map takes longer to make than a hook has.
type versions struct {
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

// versions reads what this user left here, nil if nothing was adopted yet.
func (s *Store) versions() *versions {
	word := s.word(false)
	if s.o.Global || word == "" {
		return nil
	}
	st, err := fsx.Stat(s.versionsFile())
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	s.trustMu.Lock()
	defer s.trustMu.Unlock()
	if err == nil && (s.left == nil || !sameFile(s.left.st, st)) {
		var b []byte
		if b, err = fsx.ReadOwn(s.versionsFile()); errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err == nil {
			s.left = newVersions(string(b), word, len(s.objects.Zero()))
			s.left.st = st
		}
	}
	switch {
	case err != nil: // nothing is proved
		return newVersions("", word, len(s.objects.Zero()))
	case !s.left.all:
		return nil
	}
	return s.left
}

func newVersions(text, word string, ids int) *versions {
	n := 64
	for n < 2*len(text)/(trustWord+ids+4) {
		n *= 2
	}
	v := &versions{text: text, word: word, ids: ids, table: make([]versionSpan, n)}
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
	if l, ok := parseVersionLine(line, ids); ok && l.word == word {
		return l.key
	}
	return ""
}

// A versionLine is one of sage/versions.
type versionLine struct{ word, blob, key string }

func (l versionLine) String() string { return l.word + " " + l.blob + " " + l.key + "\n" }

// parseVersionLine reads a line. What was cut short may stand before it.
func parseVersionLine(line string, ids int) (out versionLine, ok bool) {
	at := strings.LastIndexByte(line, ' ')
	if at < 0 || at+1 == len(line) {
		return out, false
	}
	l, ok := parseLedgerLine(line[:at], ids)
	return versionLine{l.word, l.id, line[at+1:]}, ok && len(l.word) == trustWord
}

func (v *versions) add(at int, key string) {
	if key == allAdopted {
		v.all = true
		return
	}
	key, old := strings.CutPrefix(key, asItWas)
	if old {
		at++
	}
	if span := v.slot(key); span.size == 0 || !old {
		*span = versionSpan{uint32(at), uint32(len(key)), old}
	}
}

// slot is where a key stands in the table, or would.
func (v *versions) slot(key string) *versionSpan {
	mask := uint64(len(v.table) - 1)
	for i := maphash.String(versionSeed(), key); ; i++ {
		if span := &v.table[i&mask]; span.size == 0 || v.key(span) == key {
			return span
		}
	}
}

func (v *versions) key(span *versionSpan) string { return v.text[span.at : span.at+span.size] }

func (v *versions) blob(span *versionSpan) string {
	end := int(span.at) - 1
	if span.adopted {
		end--
	}
	return v.text[end-v.ids : end]
}

// of is the version that the user left of a key: "" is none that is known, one of zeros that
// they removed it.
func (v *versions) of(key string) string {
	if v == nil {
		return ""
	}
	span := v.slot(key)
	if span.size == 0 {
		return ""
	}
	return v.blob(span)
}

// there is of, but for what the user removed.
func (v *versions) there(key string) string {
	blob := v.of(key)
	if strings.Trim(blob, "0") == "" {
		return ""
	}
	return blob
}

// isAdopted reports whether what counts of a key is what was adopted.
func (v *versions) isAdopted(key string) bool {
	span := v.slot(key)
	return span.size > 0 && span.adopted
}

// lists reports whether the user ever left a version.
func (v *versions) lists(l version) bool {
	return strings.Contains(v.text, " "+l.blob+" "+l.key+"\n") || strings.Contains(v.text, " "+l.blob+" "+asItWas+l.key+"\n")
}

// before is the version that the user left of a key before they left l for the last time,
// "" if there was none or they removed it.
func (v *versions) before(l version) (blob string) {
	last := ""
	v.ever(func(at version) {
		if at.key != l.key {
			return
		}
		if at.blob == l.blob {
			blob = last
		}
		last = at.blob
	})
	if strings.Trim(blob, "0") == "" {
		return ""
	}
	return blob
}

// claims are those of all that the user ever left.
func (v *versions) claims() map[string]bool {
	out := map[string]bool{}
	v.ever(func(at version) { out[at.claim()] = true })
	return out
}

// ever calls fn with all that the user left, in order.
func (v *versions) ever(fn func(version)) {
	if v == nil {
		return
	}
	for line := range strings.Lines(v.text) {
		if l, ok := parseVersionLine(strings.TrimSuffix(line, "\n"), v.ids); ok && l.word == v.word {
			fn(version{l.blob, strings.TrimPrefix(l.key, asItWas)})
		}
	}
}

// each calls fn with what the user left, in no order.
func (v *versions) each(fn func(version)) {
	if v == nil {
		return
	}
	for i := range v.table {
		if span := &v.table[i]; span.size > 0 {
			fn(version{v.blob(span), v.key(span)})
		}
	}
}

// noteVersions notes what this user left.
func (s *Store) noteVersions(list ...version) error {
	word := s.word(true)
	if s.o.Global || word == "" || len(list) == 0 {
		return nil
	}
	var b strings.Builder
	for _, v := range list {
		b.WriteString(versionLine{word, v.blob, v.key}.String())
	}
	if _, err := fsx.Append(s.versionsFile(), []byte(b.String())); err != nil {
		return fmt.Errorf("record which versions are yours: %w", err)
	}
	return nil
}

// adoptVersions takes the items that are this user's own by their texts as they are, once,
// before anything is written or taken in. It is one write, and does no harm twice. The tip
// is asked for before it is looked whether that was done: whoever takes something in adopted
// before that, which is seen then. Most often it was done long ago.
func (s *Store) adoptVersions(ctx context.Context) error {
	if s.o.Global || s.word(true) == "" || s.versions() != nil {
		return nil
	}
	files, err := s.everyItemFile()
	if err != nil {
		return err
	}
	if s.versions() != nil {
		return nil
	}
	items, err := s.readItems(ctx, files)
	if err != nil {
		return err
	}
	var list []version
	for _, e := range items {
		if e.Err == nil && s.Vouched(sumOf(e.Key, e.Item, false)) {
			list = append(list, version{e.Blob, asItWas + e.Key})
		}
	}
	return s.noteVersions(append(list, version{s.objects.Zero(), allAdopted})...)
}

// knows reports whether a version is the one that this user left, or that they saved and
// were killed before it was noted.
func (s *Store) knows(v *versions, l version) bool {
	return v.of(l.key) == l.blob || s.begun().has(l.claim()) && !v.lists(l)
}

// A Change is what somebody elsewhere made of an item of this user's own, and nobody here
// confirmed.
type Change struct {
	Left *sage.Item // as its user left it
	Sent *sage.Item // as it is in git

	Removed bool // it is no longer in git
}

// Fields are what differs; nothing if it was removed.
func (c *Change) Fields() sage.ItemDifference {
	if c.Removed {
		return sage.ItemDifference{ID: c.Left.ID}
	}
	return sage.DiffItems(c.Left, c.Sent)
}

// IsRemoved reports whether somebody elsewhere removed an item, which is shown as its user
// left it.
func (e ItemEntry) IsRemoved() bool { return e.Changed != nil && e.Changed.Removed }

// IsAsLeft reports whether an item is shown as its user left it, and not as it is in git.
func (e ItemEntry) IsAsLeft() bool { return e.Changed != nil && e.Item == e.Changed.Left }

// Sent is the item as it is in git.
func (e ItemEntry) Sent() *sage.Item {
	if e.Changed != nil {
		return e.Changed.Sent
	}
	return e.Item
}

// asLeft is an item as it counts: of one that somebody elsewhere changed without its text,
// or took out of sight, as its user left it. own says that it is as they left it.
func (s *Store) asLeft(v *versions, e ItemEntry) (out ItemEntry, own bool) {
	if v == nil || e.Err != nil || e.Changed != nil {
		return e, false
	}
	if s.knows(v, version{e.Blob, e.Key}) {
		return e, true
	}
	blob := v.there(e.Key)
	if blob == "" {
		return e, false
	}
	o, err := s.object(blob)
	if err != nil || o.Type != "blob" {
		return e, false
	}
	left := readItem(e.Path, o)
	switch {
	case left.Err != nil:
		return e, false
	case isSameVersion(left.Item, e.Item):
		e.Item = left.Item
		return e, true
	}
	e.Changed = &Change{Left: left.Item, Sent: e.Item}
	if sumOf(e.Key, left.Item, false) == sumOf(e.Key, e.Item, false) || hides(left.Item, e.Item) {
		e.Item = left.Item
	}
	return e, false
}

// allAsLeft is asLeft of a list.
func (s *Store) allAsLeft(list []ItemEntry) []ItemEntry {
	if v := s.versions(); v != nil {
		for i := range list {
			list[i], _ = s.asLeft(v, list[i])
		}
	}
	return list
}

// isSameVersion reports whether two versions of an item differ in their times alone.
func isSameVersion(a, b *sage.Item) bool {
	x, y := a.Clone(), b.Clone()
	x.Added, x.Updated, y.Added, y.Updated = a.Added, a.Updated, a.Added, a.Updated
	return bytes.Equal(x.Marshal(), y.Marshal())
}

// hides reports whether what somebody made of an item may take it out of the sight of those
// who would be given it as it was left: it changes its type or whether it holds, or takes
// away something that brings it back.
func hides(left, sent *sage.Item) bool {
	lacks := func(had, has []string) bool {
		return slices.ContainsFunc(had, func(x string) bool { return !slices.Contains(has, x) })
	}
	return left.Type != sent.Type || left.Status != sent.Status || left.Replacement != sent.Replacement ||
		!sent.Updated.IsZero() && sent.Updated.Before(left.Updated) ||
		lacks(left.Keywords, sent.Keywords) || lacks(left.Patterns, sent.Patterns) || lacks(left.When, sent.When) || lacks(left.Scope.Paths, sent.Scope.Paths) ||
		left.Scope.Always && !sent.Scope.Always || !slices.Equal(left.Scope.Skills, sent.Scope.Skills)
}

// forgetVersions writes the list anew behind a purge: of what is here now, and of what
// somebody elsewhere removed, the last line of each key, at what the purge made of its
// version if that is this user's own.
func (s *Store) forgetVersions(ctx context.Context) error {
	b, err := fsx.ReadOwn(s.versionsFile())
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read which versions are whose: %w", err)
	}
	files, err := s.everyItemFile()
	if err != nil {
		return err
	}
	there := map[string]bool{allAdopted: true}
	for _, f := range files {
		there[itemKey(f.name)] = true
	}
	begun := s.begun()
	became := func(v version) string {
		now, gone := s.purged(v.blob)
		switch {
		case now == v.blob && !gone:
			return v.blob
		case gone || !begun.has(version{now, v.key}.claim()):
			return ""
		}
		return now
	}
	return s.rewriteVersions(b, func(l versionLine) bool {
		key := strings.TrimPrefix(l.key, asItWas)
		return there[key] || s.isOfKey(became(version{l.blob, key}), key)
	}, became)
}

// isOfKey reports whether a version is of the item of a key, which a purge may have changed.
func (s *Store) isOfKey(blob, key string) bool {
	if strings.Trim(blob, "0") == "" {
		return false
	}
	o, err := s.object(blob)
	if err != nil || o.Type != "blob" {
		return false
	}
	it, err := sage.ParseItem(o.Data)
	return err == nil && it.ID == path.Base(key)
}

// rewriteVersions writes the list anew: the last line of each key that is wanted, at the
// version that becomes of it; "" is none.
func (s *Store) rewriteVersions(b []byte, wanted func(versionLine) bool, became func(version) string) error {
	last, order := map[[2]string]versionLine{}, [][2]string{}
	for line := range strings.Lines(string(b)) {
		l, ok := parseVersionLine(strings.TrimSuffix(line, "\n"), len(s.objects.Zero()))
		if !ok || !strings.HasSuffix(line, "\n") {
			continue
		}
		at := [2]string{l.word, strings.TrimPrefix(l.key, asItWas)}
		was, known := last[at]
		if !known {
			order = append(order, at)
		}
		if !known || !strings.HasPrefix(l.key, asItWas) || strings.HasPrefix(was.key, asItWas) && became(version{was.blob, at[1]}) == "" {
			last[at] = l
		}
	}
	var out strings.Builder
	for _, at := range order {
		l := last[at]
		if !wanted(l) {
			continue
		}
		if l.blob = became(version{l.blob, at[1]}); l.blob != "" {
			out.WriteString(l.String())
		}
	}
	return fsx.WriteFile(s.versionsFile(), []byte(out.String()), 0o644)
}

// mendVersions writes the list anew without what is damaged.
func (s *Store) mendVersions() error {
	b, err := fsx.ReadOwn(s.versionsFile())
	if err != nil {
		return fmt.Errorf("read which versions are whose: %w", err)
	}
	var out strings.Builder
	for line := range strings.Lines(string(b)) {
		if l, ok := parseVersionLine(strings.TrimSuffix(line, "\n"), len(s.objects.Zero())); ok {
			out.WriteString(l.String())
		}
	}
	return fsx.WriteFile(s.versionsFile(), []byte(out.String()), 0o644)
}
