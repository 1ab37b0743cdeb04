package ownership

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
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/rewritten"
	"github.com/git-sage/git-sage/gitstore/internal/wording"
	"github.com/git-sage/git-sage/gitstore/internal/worktree"
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

const TrustWord = 16 // digits

// Word is the one that the lines of this user have here, "" if there is none. It is made
// for who is about to write.
func (own *Ownership) Word(write bool) string {
	own.trustMu.Lock()
	defer own.trustMu.Unlock()
	if own.trustWord != "" || !filepath.IsAbs(own.repo.Options.Home) { // a relative one would be another in each folder
		return own.trustWord
	}
	at, err := fsx.IdentityOf(own.repo.Where.CommonDir)
	if err != nil {
		return ""
	}
	dir := filepath.Join(own.repo.Options.Home, "trust")
	if st, err := fsx.Lstat(dir); err == nil && !st.IsDir() { // a link leads where others may have written words
		return ""
	}
	file := filepath.Join(dir, fmt.Sprintf("%x-%x", at.Inode, at.Born))
	here := func() string { return worktree.WithoutLinks(own.repo.Where.CommonDir) }
	if own.trustWord = wordIn(file, at, here); own.trustWord != "" || !write {
		return own.trustWord
	}
	word := make([]byte, TrustWord/2)
	if _, err := rand.Read(word); err != nil || fsx.MkdirAll(filepath.Dir(file), 0o700) != nil {
		return ""
	}
	// Of two who are the first at once both take the word that stands first.
	if _, err := fsx.Append(file, fmt.Appendf(nil, "%x %x %q\n", word, at.Device, here())); err == nil {
		own.trustWord = wordIn(file, at, here)
	}
	return own.trustWord
}

// wordIn is the word that a file has for a folder. Where the folder is takes twice as long as
// all else, and of who saved nothing yet it is asked for each item that they look at.
func wordIn(file string, at fsx.Identity, here func() string) string {
	b, err := fsx.ReadOwn(file)
	if err != nil {
		return ""
	}
	for l := range strings.Lines(string(b)) {
		f := strings.SplitN(strings.TrimSuffix(l, "\n"), " ", 3)
		if len(f) != 3 || len(f[0]) != TrustWord || !record.IsHex(f[0]) {
			continue
		}
		dev, err := strconv.ParseUint(f[1], 16, 64)
		path, err2 := strconv.Unquote(f[2])
		if errors.Join(err, err2) == nil && (dev == at.Device || path == here()) {
			return f[0]
		}
	}
	return ""
}

// A LedgerLine is one of sage/own or sage/vouched: whose word it has, and the id or sum
// that it lists. No word at all is of a version that knew none.
type LedgerLine struct{ Word, ID string }

// What stands in the place of a word, lest one that was cut short stands there.
const (
	MixedWord = "-" // made here, with what came from elsewhere: nobody stands for it; behind a word it says who
	NoWord    = "?" // made here, and there was no word
)

func (l LedgerLine) String() string {
	if l.Word == "" {
		return l.ID + "\n"
	}
	return l.Word + " " + l.ID + "\n"
}

// ParseLedgerLine reads a line. What was cut short may stand before it; sizes are how
// many digits an id may have.
func ParseLedgerLine(l string, sizes ...int) (out LedgerLine, ok bool) {
	for _, n := range sizes {
		if len(l) < n || !record.IsHex(l[len(l)-n:]) {
			continue
		}
		out.ID = l[len(l)-n:]
		before := l[:len(l)-n]
		before, spaced := strings.CutSuffix(before, " ")
		word, mixed := strings.CutSuffix(before, MixedWord)
		if at := len(word) - TrustWord; spaced && mixed && at >= 0 && record.IsHex(word[at:]) {
			out.Word = before[at:]
			return out, true
		}
		if at := len(before) - TrustWord; spaced && at >= 0 && record.IsHex(before[at:]) {
			out.Word = before[at:]
		} else if spaced && (strings.HasSuffix(before, MixedWord) || strings.HasSuffix(before, NoWord)) {
			out.Word = before[len(before)-1:]
		}
		return out, true
	}
	return out, false
}

// readLedger calls fn with every line of a file that can be read; a missing one has none.
func readLedger(file string, fn func(LedgerLine), sizes ...int) error {
	b, err := fsx.ReadOwn(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("read the list of what is yours: %w", err)
	}
	ledgerLines(b, fn, sizes...)
	return nil
}

// ledgerLines calls fn with every line that can be read.
func ledgerLines(b []byte, fn func(LedgerLine), sizes ...int) {
	for l := range strings.Lines(string(b)) {
		if l, ok := ParseLedgerLine(strings.TrimSuffix(l, "\n"), sizes...); ok {
			fn(l)
		}
	}
}

// A ledger is what a file lists under one's own word. It is read again when the file is
// another or has grown.
type ledger struct {
	st  fs.FileInfo
	ids *idSet
}

// mine returns the ids that a file of ours lists as one's own.
func (own *Ownership) mine(l *ledger, file string, sizes ...int) *idSet {
	return own.listed(l, file, "", sizes...)
}

// listed returns the ids that a file of ours lists behind the user's own word and a suffix of it.
func (own *Ownership) listed(l *ledger, file, suffix string, sizes ...int) *idSet {
	word := own.Word(false)
	if word == "" {
		return nil
	}
	word += suffix
	st, err := fsx.Stat(file)
	if err != nil {
		return nil
	}
	own.trustMu.Lock()
	defer own.trustMu.Unlock()
	if l.st != nil && rewritten.SameFile(l.st, st) {
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
	for n < 2*len(text)/(TrustWord+sizes[len(sizes)-1]) {
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
	if l, ok := ParseLedgerLine(line, sizes...); ok && l.Word == word {
		return len(l.ID)
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

// within reports whether all of a set are among some ids.
func (set *idSet) within(ids map[string]bool) bool {
	return set == nil || !slices.ContainsFunc(set.table, func(s idSpan) bool { return s.size > 0 && !ids[set.of(s)] })
}

// Has reports whether an id is in the set; none is in no set.
func (set *idSet) Has(id string) bool {
	return set != nil && len(id) >= 8 && set.slot(id).size > 0
}

// IsOwn reports whether a commit was made here by this user, or they stand for it.
func (own *Ownership) IsOwn(id string) bool {
	if own.repo.Options.Global { // all that is in it is its user's
		return true
	}
	return own.MadeByMe().Has(id) || own.VouchedIDs().Has(id) || own.BegunIDs().Has(id)
}

// Owner is isOwn as it is now, for who asks of many.
func (own *Ownership) Owner() func(id string) bool {
	if own.repo.Options.Global {
		return own.IsOwn
	}
	made := own.MadeByMe()
	vouched, begun := sync.OnceValue(own.VouchedIDs), sync.OnceValue(own.BegunIDs)
	return func(id string) bool { return made.Has(id) || vouched().Has(id) || begun().Has(id) }
}

// Maker tells which commits this user made here, as of now: what they only stand for is
// somebody else's.
func (own *Ownership) Maker() func(id string) bool {
	if own.repo.Options.Global {
		return own.IsOwn
	}
	made, begun := own.MadeByMe(), sync.OnceValue(own.BegunIDs)
	return func(id string) bool { return made.Has(id) || begun().Has(id) }
}

// MadeByMe are the commits that this user made here.
func (own *Ownership) MadeByMe() *idSet {
	return own.mine(&own.ownLedger, own.OwnFile(), len(own.repo.Objects.Zero()))
}

// IsMixed reports whether this user made a commit here with what came from elsewhere.
func (own *Ownership) IsMixed(id string) bool {
	return !own.repo.Options.Global && own.listed(&own.mixedLedger, own.OwnFile(), MixedWord, len(own.repo.Objects.Zero())).Has(id)
}

// The file sage/vouched lists what somebody here stands for beside the commits that they
// made: ids of commits that came from elsewhere, and the sums of what items say, see
// SumOf. Who wrote a text here stands for it wherever it stands.

func (own *Ownership) VouchedFile() string { return own.repo.Dir("vouched") }

func (own *Ownership) VouchedIDs() *idSet {
	return own.mine(&own.vouchedLedger, own.VouchedFile(), SumSize, len(own.repo.Objects.Zero()))
}

// Vouch notes that this user stands for ids and sums.
func (own *Ownership) Vouch(ids ...string) error {
	if len(ids) == 0 {
		return nil
	}
	word, known := own.Word(true), own.VouchedIDs()
	ids = slices.DeleteFunc(slices.Clone(ids), known.Has)
	if len(ids) == 0 || word == "" {
		return nil
	}
	if _, err := fsx.Append(own.VouchedFile(), ledgerText(word, ids)); err != nil {
		return fmt.Errorf("record confirmations: %w", err)
	}
	return nil
}

// Trust tells how far this repository knows what its user wrote.
type Trust struct {
	Own       int    // commits that they made here, or stand for
	Unclaimed int    // commits that the repository lists as made in it, and not by them as far as their home knows
	Why       string // why nothing can be kept as theirs; "" if it can

	UnclaimedIDs []string
}

// Trust tells how far this repository knows what its user wrote.
func (own *Ownership) Trust() (t Trust, err error) {
	word, claimed := own.Word(false), map[string]bool{}
	others := map[string]bool{}
	sizes := len(own.repo.Objects.Zero())
	err = readLedger(own.OwnFile(), func(l LedgerLine) {
		switch {
		case strings.HasSuffix(l.Word, MixedWord):
		case word != "" && l.Word == word:
			claimed[l.ID] = true
		default:
			others[l.ID] = true
		}
	}, sizes)
	vouched := own.VouchedIDs()
	for id := range others {
		if vouched.Has(id) {
			claimed[id] = true
		} else if !claimed[id] && !own.repo.Options.Global {
			t.UnclaimedIDs = append(t.UnclaimedIDs, id)
		}
	}
	t.Own, t.Unclaimed = len(claimed), len(t.UnclaimedIDs)
	if word == "" {
		t.Why = own.Untrusted()
	}
	return t, err
}

// Untrusted is why there can be no word, "" if there can.
func (own *Ownership) Untrusted() string {
	if own.repo.Options.Home == "" {
		return "no home folder; set HOME or SAGE_HOME"
	}
	if !filepath.IsAbs(own.repo.Options.Home) {
		return "the home folder '" + own.repo.Options.Home + "' is not an absolute path"
	}
	if _, err := fsx.IdentityOf(own.repo.Where.CommonDir); err != nil {
		return wording.PlainError(err)
	}
	dir := filepath.Join(own.repo.Options.Home, "trust")
	if st, err := fsx.Lstat(dir); err == nil && st.Mode()&fs.ModeSymlink != 0 {
		return "'" + dir + "' is a symbolic link; run: rm " + wording.InShell(dir)
	}
	for ; ; dir = filepath.Dir(dir) {
		st, err := fsx.Stat(dir)
		switch {
		case err == nil && !st.IsDir():
			return "'" + dir + "' is not a folder"
		case err == nil:
			if err = fsx.Writable(dir); err != nil {
				return wording.PlainError(err)
			}
			return ""
		case filepath.Dir(dir) == dir:
			return wording.PlainError(err)
		}
	}
}
