package gitstore

import (
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
)

// What somebody wrote here is theirs as long as the repository is where they wrote it.
// Their home has a word for it, Home/trust/<inode>-<born>, and each line of sage/own and
// sage/vouched that is theirs begins with that word:
//
//   - A copy, or what comes out of an archive, has another inode, and so another word:
//     what its lists say of the old one proves nothing.
//   - A folder that moved has the same. A device may be called otherwise behind a boot:
//     then the path has to be the same.
//   - Somebody else who works in the same repository has a home, and a word, of their own.
//   - A file system may give the inode of what was deleted to something new. That knows
//     the word only if it is a copy of what was deleted.
//
// Where the home is missing or cannot be written, there is no word, and nothing is one's
// own: saves go on.

const trustWord = 16 // digits

// word is the one that the lines of this user have here, "" if there is none. It is made
// for who is about to write.
func (s *Store) word(write bool) string {
	s.trustMu.Lock()
	defer s.trustMu.Unlock()
	if s.trustWord != "" || !filepath.IsAbs(s.o.Home) { // a relative one would be another in each folder
		return s.trustWord
	}
	at, err := fsx.IdentityOf(s.where.commonDir)
	if err != nil {
		return ""
	}
	dir := filepath.Join(s.o.Home, "trust")
	if st, err := fsx.Lstat(dir); err == nil && !st.IsDir() { // a link leads where others may have written words
		return ""
	}
	file := filepath.Join(dir, fmt.Sprintf("%x-%x", at.Inode, at.Born))
	here := withoutLinks(s.where.commonDir)
	if s.trustWord = wordIn(file, at, here); s.trustWord != "" || !write {
		return s.trustWord
	}
	word := make([]byte, trustWord/2)
	if _, err := rand.Read(word); err != nil || fsx.MkdirAll(filepath.Dir(file), 0o700) != nil {
		return ""
	}
	// Of two who are the first at once both take the word that stands first.
	if _, err := fsx.Append(file, fmt.Appendf(nil, "%x %x %q\n", word, at.Device, here)); err == nil {
		s.trustWord = wordIn(file, at, here)
	}
	return s.trustWord
}

// wordIn is the word that a file has for a folder.
func wordIn(file string, at fsx.Identity, here string) string {
	b, err := fsx.ReadOwn(file)
	if err != nil {
		return ""
	}
	for l := range strings.Lines(string(b)) {
		f := strings.SplitN(strings.TrimSuffix(l, "\n"), " ", 3)
		if len(f) != 3 || len(f[0]) != trustWord || !isHex(f[0]) {
			continue
		}
		dev, err := strconv.ParseUint(f[1], 16, 64)
		path, err2 := strconv.Unquote(f[2])
		if errors.Join(err, err2) == nil && (dev == at.Device || path == here) {
			return f[0]
		}
	}
	return ""
}

// A ledgerLine is one of sage/own or sage/vouched: whose word it has, and the id or sum
// that it lists. No word at all is of a version that knew none.
type ledgerLine struct{ word, id string }

// What stands in the place of a word, lest one that was cut short stands there.
const (
	mixedWord = "-" // made here, with what came from elsewhere: nobody stands for it
	noWord    = "?" // made here, and there was no word
)

func (l ledgerLine) String() string {
	if l.word == "" {
		return l.id + "\n"
	}
	return l.word + " " + l.id + "\n"
}

// parseLedgerLine reads a line. What was cut short may stand before it; sizes are how
// many digits an id may have.
func parseLedgerLine(l string, sizes ...int) (out ledgerLine, ok bool) {
	for _, n := range sizes {
		if len(l) < n || !isHex(l[len(l)-n:]) {
			continue
		}
		out.id = l[len(l)-n:]
		before := l[:len(l)-n]
		before, spaced := strings.CutSuffix(before, " ")
		if at := len(before) - trustWord; spaced && at >= 0 && isHex(before[at:]) {
			out.word = before[at:]
		} else if spaced && (strings.HasSuffix(before, mixedWord) || strings.HasSuffix(before, noWord)) {
			out.word = before[len(before)-1:]
		}
		return out, true
	}
	return out, false
}

// readLedger calls fn with every line of a file that can be read; a missing one has none.
func readLedger(file string, fn func(ledgerLine), sizes ...int) error {
	b, err := fsx.ReadOwn(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("read what was made here: %w", err)
	}
	for l := range strings.Lines(string(b)) {
		if l, ok := parseLedgerLine(strings.TrimSuffix(l, "\n"), sizes...); ok {
			fn(l)
		}
	}
	return nil
}

// A ledger is what a file lists under one's own word. It is read again when the file is
// another or has grown.
type ledger struct {
	st  fs.FileInfo
	ids *idSet
}

// mine returns the ids that a file of ours lists as one's own.
func (s *Store) mine(l *ledger, file string, sizes ...int) *idSet {
	word := s.word(false)
	if word == "" {
		return nil
	}
	st, err := fsx.Stat(file)
	if err != nil {
		return nil
	}
	s.trustMu.Lock()
	defer s.trustMu.Unlock()
	if l.st != nil && sameFile(l.st, st) {
		return l.ids
	}
	b, err := fsx.ReadOwn(file)
	if err != nil {
		return nil
	}
	l.st, l.ids = st, newIDSet(string(b), word, sizes...)
	return l.ids
}

// An idSet is a set of ids that stand in a text. A map of 20,000 takes 10 ms to make,
// which a hook has not; this takes 1.
type idSet struct {
	text  string
	table []idSpan // by the first digits of an id, and those behind that which are taken
}

// An idSpan is where in the text an id stands; of no length is none.
type idSpan struct{ at, size uint32 }

func newIDSet(text, word string, sizes ...int) *idSet {
	n := 64
	for n < 2*len(text)/(trustWord+sizes[len(sizes)-1]) {
		n *= 2
	}
	set := &idSet{text, make([]idSpan, n)}
	for at := 0; at < len(text); {
		end := strings.IndexByte(text[at:], '\n')
		if end < 0 {
			end = len(text) - at
		}
		if n := idIn(text[at:at+end], word, sizes...); n > 0 {
			set.add(idSpan{uint32(at + end - n), uint32(n)})
		}
		at += end + 1
	}
	return set
}

// idIn is the length of the id at the end of a line with a word, 0 if it has another.
func idIn(line, word string, sizes ...int) int {
	if n := len(line) - len(word) - 1; n >= 0 && line[len(word)] == ' ' && line[:len(word)] == word && slices.Contains(sizes, n) {
		return n // whole; what is no id is asked for by nobody
	}
	if l, ok := parseLedgerLine(line, sizes...); ok && l.word == word {
		return len(l.id)
	}
	return 0
}

func (set *idSet) of(span idSpan) string { return set.text[span.at : span.at+span.size] }

// slot is where an id stands in the table, or would.
func (set *idSet) slot(id string) *idSpan {
	mask := uint64(len(set.table) - 1)
	const spread = 0x9e3779b97f4a7c15 // digits are no random bits
	for i := binary.LittleEndian.Uint64([]byte(id[:8])) * spread >> 20; ; i++ {
		if span := &set.table[i&mask]; span.size == 0 || set.of(*span) == id {
			return span
		}
	}
}

func (set *idSet) add(span idSpan) { *set.slot(set.of(span)) = span }

// has reports whether an id is in the set; none is in no set.
func (set *idSet) has(id string) bool {
	return set != nil && len(id) >= 8 && set.slot(id).size > 0
}

// isOwn reports whether a commit was made here by this user, or they stand for it.
func (s *Store) isOwn(id string) bool {
	if s.o.Global { // all that is in it is its user's
		return true
	}
	return s.madeByMe().has(id) || s.vouched().has(id) || s.begun().has(id)
}

// owner is isOwn as it is now, for who asks of many.
func (s *Store) owner() func(id string) bool {
	if s.o.Global {
		return s.isOwn
	}
	made := s.madeByMe()
	vouched, begun := sync.OnceValue(s.vouched), sync.OnceValue(s.begun)
	return func(id string) bool { return made.has(id) || vouched().has(id) || begun().has(id) }
}

// madeByMe are the commits that this user made here.
func (s *Store) madeByMe() *idSet {
	return s.mine(&s.ownLedger, s.ownFile(), len(s.objects.Zero()))
}

// The file sage/vouched lists what somebody here stands for beside the commits that they
// made: ids of commits that came from elsewhere, and the sums of what items say, see
// sumOf. Who wrote a text here stands for it wherever it stands.

func (s *Store) vouchedFile() string { return s.dir("vouched") }

func (s *Store) vouched() *idSet {
	return s.mine(&s.vouchedLedger, s.vouchedFile(), sumSize, len(s.objects.Zero()))
}

// vouch notes that this user stands for ids and sums.
func (s *Store) vouch(ids ...string) error {
	if len(ids) == 0 {
		return nil
	}
	word, known := s.word(true), s.vouched()
	ids = slices.DeleteFunc(slices.Clone(ids), known.has)
	if len(ids) == 0 || word == "" {
		return nil
	}
	if _, err := fsx.Append(s.vouchedFile(), ledgerText(word, ids)); err != nil {
		return fmt.Errorf("record who stands for what: %w", err)
	}
	return nil
}

// Trust tells how far this repository knows what its user wrote.
type Trust struct {
	Own       int    // commits that they made here, or stand for
	Unclaimed int    // commits that the repository lists as made in it, and not by them as far as their home knows
	Why       string // why nothing can be kept as theirs; "" if it can

	unclaimed []string
}

// Trust tells how far this repository knows what its user wrote.
func (s *Store) Trust() (t Trust, err error) {
	word, claimed := s.word(false), map[string]bool{}
	others := map[string]bool{}
	sizes := len(s.objects.Zero())
	err = readLedger(s.ownFile(), func(l ledgerLine) {
		switch {
		case l.word == mixedWord:
		case word != "" && l.word == word:
			claimed[l.id] = true
		default:
			others[l.id] = true
		}
	}, sizes)
	vouched := s.vouched()
	for id := range others {
		if vouched.has(id) {
			claimed[id] = true
		} else if !claimed[id] && !s.o.Global {
			t.unclaimed = append(t.unclaimed, id)
		}
	}
	t.Own, t.Unclaimed = len(claimed), len(t.unclaimed)
	if word == "" {
		t.Why = s.untrusted()
	}
	return t, err
}

// untrusted is why there can be no word, "" if there can.
func (s *Store) untrusted() string {
	if s.o.Home == "" {
		return "there is no home folder: set HOME or SAGE_HOME"
	}
	if !filepath.IsAbs(s.o.Home) {
		return "the home folder '" + s.o.Home + "' has no absolute path"
	}
	if _, err := fsx.IdentityOf(s.where.commonDir); err != nil {
		return plainError(err)
	}
	dir := filepath.Join(s.o.Home, "trust")
	if st, err := fsx.Lstat(dir); err == nil && st.Mode()&fs.ModeSymlink != 0 {
		return "'" + dir + "' is a symbolic link; type: rm " + InShell(dir)
	}
	for ; ; dir = filepath.Dir(dir) {
		st, err := fsx.Stat(dir)
		switch {
		case err == nil && !st.IsDir():
			return "'" + dir + "' is no folder"
		case err == nil:
			if err = fsx.Writable(dir); err != nil {
				return plainError(err)
			}
			return ""
		case filepath.Dir(dir) == dir:
			return plainError(err)
		}
	}
}
