package gitstore

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
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
// Beyond journalMax the journal is written anew with one line a ref. Who appends
// meanwhile finds that the file has another inode and appends again; equal lines
// count once.

const (
	journalMax  = 256 << 10 // bytes
	journalTail = 16 << 10  // bytes that hold the last line of a ref in use: some 110 lines
)

// What the logs of refs, and so the journal, say of a move that later commands look for.
const (
	abortSays       = "sage: abort merge"
	fastForwardSays = "sage: merge: fast-forward"
	fetchedSays     = "sage: merge what was fetched"
)

// An entry is what the journal knows of a ref.
type entry struct {
	old, new string // "" is no ref
	at       time.Time
	begun    []string // values that moves may have left which were announced and not recorded
}

// A journalLine is one move.
type journalLine struct {
	ref, old, new string
	at            time.Time
	begun, joins  bool   // only announced; of the transaction of the line above
	why           string // as the log of the ref has it; "" is not known
	text          string
}

func (s *Store) journalFile() string { return s.dir("journal") }

// journal records moves of one transaction that are about to be acknowledged.
func (s *Store) journal(moves []move, why string) error { return s.journalAt(moves, s.o.Now(), why) }

// journalAt is journal with the time that several transactions of one act have.
func (s *Store) journalAt(moves []move, at time.Time, why string) error {
	return s.addLines(moves, at, "", "+", why)
}

// announce records moves that are about to be made and that do not bring a ref
// forward.
func (s *Store) announce(moves []move, why string) error {
	return s.addLines(moves, s.o.Now(), "?", "?", why)
}

// addLines has one time for all: what was moved together is listed together.
func (s *Store) addLines(moves []move, at time.Time, mark, next, why string) error {
	if len(moves) == 0 {
		return nil
	}
	var b strings.Builder
	for _, m := range moves {
		b.WriteString(journalText(m, at, mark, why))
		mark = next
	}
	size, err := fsx.Append(s.journalFile(), []byte(b.String()))
	if err != nil {
		return fmt.Errorf("write the journal: %w", err)
	}
	if size > journalMax {
		s.compactJournal(size)
	}
	return nil
}

func journalText(m move, at time.Time, mark, why string) string {
	l := fmt.Sprintf("%s%s %s %s %s", mark, preciseTime(at), dash(m.old), dash(m.new), m.ref)
	if why != "" {
		l += " " + url.QueryEscape(why)
	}
	return fmt.Sprintf("%08x %s\n", crc32.ChecksumIEEE([]byte(l)), l)
}

// preciseTime writes a time as <unix seconds>.<nanoseconds>: what was done in one second
// has an order.
func preciseTime(t time.Time) string { return fmt.Sprintf("%d.%09d", t.Unix(), t.Nanosecond()) }

// parsePreciseTime reads what [preciseTime] wrote, and seconds alone.
func parsePreciseTime(s string) (time.Time, error) {
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
func parseJournal(b []byte, ref string) []journalLine {
	return lastOfEqual(journalLines(b, ref), func(l journalLine) journalLine {
		l.why, l.text, l.joins = "", "", false
		return l
	})
}

// journalLines is parseJournal with all that stands there.
func journalLines(b []byte, ref string) (lines []journalLine) {
	name := []byte(" " + ref)
	for len(b) > 0 {
		var raw []byte
		raw, b, _ = bytes.Cut(b, []byte("\n"))
		if ref != "" && !bytes.Contains(raw, name) {
			continue
		}
		if l, ok := parseJournalLine(string(raw)); ok && (ref == "" || l.ref == ref) {
			lines = append(lines, l)
		}
	}
	return lines
}

// lastOfEqual leaves out lines that come again.
func lastOfEqual[K comparable](lines []journalLine, key func(journalLine) K) (kept []journalLine) {
	seen := map[K]bool{}
	for _, l := range slices.Backward(lines) {
		if k := key(l); !seen[k] {
			seen[k], kept = true, append(kept, l)
		}
	}
	slices.Reverse(kept)
	return kept
}

func (l journalLine) move() move { return move{l.ref, l.old, l.new} }

func parseJournalLine(raw string) (l journalLine, ok bool) {
	f := strings.Split(raw, " ")
	for _, words := range []int{6, 5} { // with why, and without
		if len(f) >= words {
			if l, ok = journalLineOf(f[len(f)-words:]); ok {
				return l, true
			}
		}
	}
	return journalLine{}, false
}

func journalLineOf(f []string) (l journalLine, ok bool) {
	text := strings.Join(f[1:], " ")
	crc := f[0][max(0, len(f[0])-8):]
	if sum, err := strconv.ParseUint(crc, 16, 32); err != nil || uint32(sum) != crc32.ChecksumIEEE([]byte(text)) {
		return l, false
	}
	l = journalLine{ref: f[4], old: strings.Trim(f[2], "-"), new: strings.Trim(f[3], "-"), text: text}
	when := f[1]
	when, l.begun = strings.CutPrefix(when, "?")
	when, l.joins = strings.CutPrefix(when, "+")
	var err error
	if l.at, err = parsePreciseTime(when); err == nil && len(f) > 5 {
		l.why, err = url.QueryUnescape(f[5])
	}
	return l, err == nil && strings.HasPrefix(l.ref, "refs/")
}

// lastOf is what a ref was last. Its moves are the steps of one walk from value to
// value, and the end of a walk is the value at which it arrived more often than it
// left, in whatever order the steps are told. Steps that are missing, those of who
// was killed before it could tell, cut the walk in pieces: then it is the end of
// the piece that was told last. A move that was only announced is a step where the next
// one that was told leaves what it went to.
func lastOf(lines []journalLine) (e entry, ok bool) {
	stays := map[string]int{}
	for i, l := range lines {
		if !l.begun || wasMade(l, lines[i+1:]) {
			stays[l.new]++
			stays[l.old]--
		}
	}
	var last *journalLine
	for i := range lines {
		if l := &lines[i]; !l.begun && (last == nil || stays[l.new] > 0 || stays[last.new] <= 0) {
			last = l
		}
	}
	if last == nil {
		return e, false
	}
	e = entry{old: last.old, new: last.new, at: last.at}
	for _, l := range lines {
		if l.begun && l.old == e.new {
			e.begun = append(e.begun, l.new)
		}
	}
	return e, true
}

// wasMade reports whether a move that was announced was made, by the lines behind it.
func wasMade(l journalLine, behind []journalLine) bool {
	i := slices.IndexFunc(behind, func(next journalLine) bool { return !next.begun })
	again := func(next journalLine) bool { return next.move() == l.move() }
	return i >= 0 && behind[i].old == l.new && !slices.ContainsFunc(behind[:i], again) // announced twice, made once
}

// lastEntry is what the journal knows of one ref. Mostly that stands near the end.
func (s *Store) lastEntry(ref string) (e entry, ok bool) {
	b, whole, err := fsx.ReadEnd(s.journalFile(), journalTail)
	if err != nil {
		return e, false
	}
	if e, ok = lastOf(parseJournal(b, ref)); ok || whole {
		return e, ok
	}
	old, now, err := s.readJournal()
	if err != nil {
		return e, false
	}
	return lastOf(parseJournal(append(old, now...), ref))
}

// journaled returns what the journal knows of every ref, also of deleted ones.
func (s *Store) journaled() (map[string]entry, error) {
	old, now, err := s.readJournal()
	if err != nil {
		return nil, err
	}
	return lastOfEach(append(old, now...)), nil
}

func lastOfEach(journal []byte) map[string]entry {
	of := map[string][]journalLine{}
	for _, l := range parseJournal(journal, "") {
		of[l.ref] = append(of[l.ref], l)
	}
	out := map[string]entry{}
	for ref, lines := range of {
		if e, ok := lastOf(lines); ok {
			out[ref] = e
		}
	}
	return out
}
