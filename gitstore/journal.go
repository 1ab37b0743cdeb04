package gitstore

import (
	"bytes"
	"fmt"
	"hash/crc32"
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
//	<crc32, 8 hex> <unix seconds> <old id> <new id> <ref>
//
// with - for no ref; the checksum is of what follows it. A ? before the time marks
// a move that is about to be made: one that deletes a ref or takes it back is
// announced, since who is killed behind it could not say that it was meant.
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
	begun         bool
	text          string
}

func (s *Store) journalFile() string { return s.dir("journal") }

// journal records moves that are about to be acknowledged.
func (s *Store) journal(moves []move) error { return s.addLines(moves, "") }

// announce records moves that are about to be made and that do not bring a ref
// forward.
func (s *Store) announce(moves []move) error { return s.addLines(moves, "?") }

func (s *Store) addLines(moves []move, mark string) error {
	if len(moves) == 0 {
		return nil
	}
	var b strings.Builder
	for _, m := range moves {
		b.WriteString(journalText(m, s.o.Now(), mark))
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

func journalText(m move, at time.Time, mark string) string {
	l := fmt.Sprintf("%s%d %s %s %s", mark, at.Unix(), dash(m.old), dash(m.new), m.ref)
	return fmt.Sprintf("%08x %s\n", crc32.ChecksumIEEE([]byte(l)), l)
}

// parseJournal reads lines, those of one ref if one is given. Damaged ones are
// skipped. Where a write was cut short, its rest stands before the next line, which
// is told by its checksum all the same. Of equal lines the last counts.
func parseJournal(b []byte, ref string) (lines []journalLine) {
	end := []byte(" " + ref)
	at := map[string]int{}
	for len(b) > 0 {
		var raw []byte
		raw, b, _ = bytes.Cut(b, []byte("\n"))
		if ref != "" && !bytes.HasSuffix(raw, end) {
			continue
		}
		l, ok := parseJournalLine(string(raw))
		if !ok {
			continue
		}
		if i, twice := at[l.text]; twice {
			lines[i].ref = ""
		}
		at[l.text] = len(lines)
		lines = append(lines, l)
	}
	return slices.DeleteFunc(lines, func(l journalLine) bool { return l.ref == "" })
}

func parseJournalLine(raw string) (l journalLine, ok bool) {
	f := strings.Split(raw, " ")
	if len(f) < 5 {
		return l, false
	}
	f = f[len(f)-5:]
	text := strings.Join(f[1:], " ")
	crc := f[0][max(0, len(f[0])-8):]
	if sum, err := strconv.ParseUint(crc, 16, 32); err != nil || uint32(sum) != crc32.ChecksumIEEE([]byte(text)) {
		return l, false
	}
	when, begun := strings.CutPrefix(f[1], "?")
	unix, err := strconv.ParseInt(when, 10, 64)
	l = journalLine{f[4], strings.Trim(f[2], "-"), strings.Trim(f[3], "-"), time.Unix(unix, 0).UTC(), begun, text}
	return l, err == nil && strings.HasPrefix(l.ref, "refs/")
}

// lastOf is what a ref was last. Its moves are the steps of one walk from value to
// value, and the end of a walk is the value at which it arrived more often than it
// left, in whatever order the steps are told. Steps that are missing, those of who
// was killed before it could tell, cut the walk in pieces: then it is the end of
// the piece that was told last.
func lastOf(lines []journalLine) (e entry, ok bool) {
	stays := map[string]int{}
	for _, l := range lines {
		if !l.begun {
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
