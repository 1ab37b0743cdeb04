package journal

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/record"
)

// The journal is the file sage/journal: a line for each ref that was moved and
// acknowledged. It is there to notice what others take away: git's own log of a
// ref goes with the ref. The ref is what is durable; a journal that lost its end
// in a power cut, or lies damaged, only notices less.
//
// A line is
//
//	<crc32, 8 hex> <unix seconds>.<nanoseconds> <old id> <new id> <ref> <why>
//
// with - for no ref; the checksum is of what follows it. A ? before the time marks
// a move that is about to be made: one that deletes a ref or takes it back is
// announced, since who is killed behind it could not say that it was meant. A + before
// it marks a move of the same transaction as the line above. Why is what the log of the
// ref says, without blanks: git deletes that log with the ref, and what an undo did would
// be lost. Lines of a version that knew neither, and of a journal that was written anew,
// end with the ref.
//
// Lines are added by one write each, in the order of the writers where they queue,
// and in none where they do not. So what a ref was last is not its last line but
// the value that was arrived at and not left: see lastOf.
//
// Beyond JournalMax the journal is written anew with one line a ref. Who appends
// meanwhile finds that the file has another inode and appends again; equal lines
// count once.

const (
	JournalMax  = 256 << 10 // bytes
	journalTail = 16 << 10  // bytes that hold the last line of a ref in use: some 110 lines
)

// What the logs of refs, and so the journal, say of a move that later commands look for.
const (
	AbortSays       = "sage: abort merge"
	FastForwardSays = "sage: merge: fast-forward"
	FetchedSays     = "sage: merge what was fetched"
	ImportedFrom    = " imported from " // between "sage: checkpoint: 12" and the tool's name
)

// An Entry is what the journal knows of a ref.
type Entry struct {
	Old, New string // "" is no ref
	At       time.Time
	Begun    []string // values that moves may have left which were announced and not recorded
}

// A JournalLine is one move.
type JournalLine struct {
	Ref, Old, New string
	At            time.Time
	Begun, Joins  bool   // only announced; of the transaction of the line above
	Why           string // as the log of the ref has it; "" is not known
	Text          string
}

func (j *Journal) JournalFile() string { return j.repo.Dir("journal") }

// Journal records moves of one transaction that are about to be acknowledged.
func (j *Journal) Journal(moves []Move, why string) error {
	return j.JournalAt(moves, j.repo.Options.Now(), why)
}

// JournalAt is journal with the time that several transactions of one act have.
func (j *Journal) JournalAt(moves []Move, at time.Time, why string) error {
	return j.addLines(moves, at, "", "+", why)
}

// Announce records moves that are about to be made and that do not bring a ref
// forward.
func (j *Journal) Announce(moves []Move, why string) error {
	return j.addLines(moves, j.repo.Options.Now(), "?", "?", why)
}

// addLines has one time for all: what was moved together is listed together.
func (j *Journal) addLines(moves []Move, at time.Time, mark, next, why string) error {
	if len(moves) == 0 {
		return nil
	}
	var b strings.Builder
	for _, m := range moves {
		b.WriteString(journalText(m, at, mark, why))
		mark = next
	}
	size, err := fsx.Append(j.JournalFile(), []byte(b.String()))
	if err != nil {
		return fmt.Errorf("write the journal: %w", err)
	}
	if size > JournalMax {
		j.compactJournal(size)
	}
	return nil
}

func journalText(m Move, at time.Time, mark, why string) string {
	l := fmt.Sprintf("%s%s %s %s %s", mark, PreciseTime(at), record.Dash(m.Old), record.Dash(m.New), m.Ref)
	if why != "" {
		l += " " + url.QueryEscape(why)
	}
	return fmt.Sprintf("%08x %s\n", crc32.ChecksumIEEE([]byte(l)), l)
}

// PreciseTime writes a time as <unix seconds>.<nanoseconds>: what was done in one second
// has an order.
func PreciseTime(t time.Time) string { return fmt.Sprintf("%d.%09d", t.Unix(), t.Nanosecond()) }

// ParsePreciseTime reads what [PreciseTime] wrote, and seconds alone.
func ParsePreciseTime(s string) (time.Time, error) {
	whole, part, precise := strings.Cut(s, ".")
	sec, err := strconv.ParseInt(whole, 10, 64)
	var nano uint64
	if err == nil && precise {
		nano, err = strconv.ParseUint(part, 10, 30) // less than two seconds
	}
	return time.Unix(sec, int64(nano)).UTC(), err
}

// parseJournal reads lines, those of one ref if one is given. Damaged ones are
// skipped. Where a write was cut short, its rest stands before the next line, which
// is told by its checksum all the same. Of equal moves of one time the last counts.
func parseJournal(b []byte, ref string) []JournalLine {
	return LastOfEqual(JournalLines(b, ref), func(l JournalLine) JournalLine {
		l.Why, l.Text, l.Joins = "", "", false
		return l
	})
}

// JournalLines is parseJournal with all that stands there.
func JournalLines(b []byte, ref string) (lines []JournalLine) {
	name := []byte(" " + ref)
	for len(b) > 0 {
		var raw []byte
		raw, b, _ = bytes.Cut(b, []byte("\n"))
		if ref != "" && !bytes.Contains(raw, name) {
			continue
		}
		if l, ok := ParseJournalLine(string(raw)); ok && (ref == "" || l.Ref == ref) {
			lines = append(lines, l)
		}
	}
	return lines
}

// LastOfEqual leaves out lines that come again.
func LastOfEqual[K comparable](lines []JournalLine, key func(JournalLine) K) (kept []JournalLine) {
	seen := map[K]bool{}
	for _, l := range slices.Backward(lines) {
		if k := key(l); !seen[k] {
			seen[k], kept = true, append(kept, l)
		}
	}
	slices.Reverse(kept)
	return kept
}

func (l JournalLine) Move() Move { return Move{l.Ref, l.Old, l.New} }

func ParseJournalLine(raw string) (l JournalLine, ok bool) {
	f := strings.Split(raw, " ")
	for _, words := range []int{6, 5} { // with why, and without
		if len(f) >= words {
			if l, ok = journalLineOf(f[len(f)-words:]); ok {
				return l, true
			}
		}
	}
	return JournalLine{}, false
}

func journalLineOf(f []string) (l JournalLine, ok bool) {
	text := strings.Join(f[1:], " ")
	crc := f[0][max(0, len(f[0])-8):]
	if sum, err := strconv.ParseUint(crc, 16, 32); err != nil || uint32(sum) != crc32.ChecksumIEEE([]byte(text)) {
		return l, false
	}
	l = JournalLine{Ref: f[4], Old: strings.Trim(f[2], "-"), New: strings.Trim(f[3], "-"), Text: text}
	when := f[1]
	when, l.Begun = strings.CutPrefix(when, "?")
	when, l.Joins = strings.CutPrefix(when, "+")
	var err error
	if l.At, err = ParsePreciseTime(when); err == nil && len(f) > 5 {
		l.Why, err = url.QueryUnescape(f[5])
	}
	return l, err == nil && strings.HasPrefix(l.Ref, "refs/")
}

// lastOf is what a ref was last. Its moves are the steps of one walk from value to
// value, and the end of a walk is the value at which it arrived more often than it
// left, in whatever order the steps are told. Steps that are missing, those of who
// was killed before it could tell, cut the walk in pieces: then it is the end of
// the piece that was told last. A move that was only announced is a step where the next
// one that was told leaves what it went to.
func lastOf(lines []JournalLine) (e Entry, ok bool) {
	stays := map[string]int{}
	for i, l := range lines {
		if !l.Begun || wasMade(l, lines[i+1:]) {
			stays[l.New]++
			stays[l.Old]--
		}
	}
	var last *JournalLine
	for i := range lines {
		if l := &lines[i]; !l.Begun && (last == nil || stays[l.New] > 0 || stays[last.New] <= 0) {
			last = l
		}
	}
	if last == nil {
		return e, false
	}
	e = Entry{Old: last.Old, New: last.New, At: last.At}
	for _, l := range lines {
		if l.Begun && l.Old == e.New {
			e.Begun = append(e.Begun, l.New)
		}
	}
	return e, true
}

// wasMade reports whether a move that was announced was made, by the lines behind it.
func wasMade(l JournalLine, behind []JournalLine) bool {
	i := slices.IndexFunc(behind, func(next JournalLine) bool { return !next.Begun })
	again := func(next JournalLine) bool { return next.Move() == l.Move() }
	return i >= 0 && behind[i].Old == l.New && !slices.ContainsFunc(behind[:i], again) // announced twice, made once
}

// LastEntry is what the journal knows of one ref. Mostly that stands near the end.
func (j *Journal) LastEntry(ref string) (e Entry, ok bool) {
	b, whole, err := fsx.ReadEnd(j.JournalFile(), journalTail)
	if err != nil {
		return e, false
	}
	if e, ok = lastOf(parseJournal(b, ref)); ok || whole {
		return e, ok
	}
	old, now, err := j.ReadJournal()
	if err != nil {
		return e, false
	}
	return lastOf(parseJournal(append(old, now...), ref))
}

// Since are the moves that were acknowledged after a time. Mostly they stand near the end.
func (j *Journal) Since(t time.Time) ([]JournalLine, error) {
	b, _, err := fsx.ReadEnd(j.JournalFile(), journalTail)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	lines := JournalLines(b, "")
	if err == nil && (len(lines) == 0 || lines[0].At.After(t)) {
		lines, err = j.Lines()
	}
	return slices.DeleteFunc(lines, func(l JournalLine) bool { return l.Begun || !l.At.After(t) }), err
}

// Lines are all moves that the journal tells of.
func (j *Journal) Lines() ([]JournalLine, error) {
	old, now, err := j.ReadJournal()
	return JournalLines(append(old, now...), ""), err
}

// Journaled returns what the journal knows of every ref, also of deleted ones.
func (j *Journal) Journaled() (map[string]Entry, error) {
	old, now, err := j.ReadJournal()
	if err != nil {
		return nil, err
	}
	return lastOfEach(append(old, now...)), nil
}

func lastOfEach(journal []byte) map[string]Entry {
	of := map[string][]JournalLine{}
	for _, l := range parseJournal(journal, "") {
		of[l.Ref] = append(of[l.Ref], l)
	}
	out := map[string]Entry{}
	for ref, lines := range of {
		if e, ok := lastOf(lines); ok {
			out[ref] = e
		}
	}
	return out
}
