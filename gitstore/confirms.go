package gitstore

import (
	"fmt"
	"hash/crc32"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/sage"
)

// The file sage/confirms lists who stood for what and when, a line each:
//
//	<crc32, 8 hex> <unix seconds>.<nanoseconds> + <id or sum>,... <in words>
//
// with - for what was taken back. The version of an item is <key>@<blob before>-<blob>.
// sage/vouched and sage/versions say what counts; this one lets it be undone. A purge removes
// it.

const confirmsTail = 1 << 20 // bytes of the file that are read

// A confirmLine is one confirmation, or the end of one.
type confirmLine struct {
	at   time.Time
	back bool
	ids  []string
	what string // item 'staging-wipe'

	steps []versionStep // of versions of items
}

// A versionStep is from the version of an item that somebody left to the one that they
// confirmed.
type versionStep struct{ key, old, new string }

func (v versionStep) String() string { return v.key + "@" + v.old + "-" + v.new }

func parseVersionStep(s string) (v versionStep, ok bool) {
	key, ids, ok := strings.Cut(s, "@")
	old, now, ok2 := strings.Cut(ids, "-")
	return versionStep{key, old, now}, ok && ok2 && isID(old) && isID(now) && checkKey(key) == nil
}

func (s *Store) confirmsFile() string { return s.dir("confirms") }

// noteConfirm writes down that somebody stands, or no longer stands, for something.
func (s *Store) noteConfirm(l confirmLine) error {
	sign := "+"
	if l.back {
		sign = "-"
	}
	words := slices.Clone(l.ids)
	for _, v := range l.steps {
		words = append(words, v.String())
	}
	text := fmt.Sprintf("%s %s %s %s", preciseTime(s.o.Now()), sign, strings.Join(words, ","), sage.OneLine(l.what))
	if _, err := fsx.Append(s.confirmsFile(), fmt.Appendf(nil, "%08x %s\n", crc32.ChecksumIEEE([]byte(text)), text)); err != nil {
		return fmt.Errorf("record what was confirmed: %w", err)
	}
	return nil
}

func parseConfirmLine(raw string) (l confirmLine, ok bool) {
	sum, text, _ := strings.Cut(raw, " ")
	crc, err := strconv.ParseUint(sum, 16, 32)
	if err != nil || uint32(crc) != crc32.ChecksumIEEE([]byte(text)) {
		return l, false
	}
	f := strings.SplitN(text, " ", 4)
	if len(f) < 4 {
		return l, false
	}
	at, err := parsePreciseTime(f[0])
	l = confirmLine{at: at, back: f[1] == "-", what: f[3]}
	for _, word := range strings.Split(f[2], ",") {
		if v, ok := parseVersionStep(word); ok {
			l.steps = append(l.steps, v)
		} else {
			l.ids = append(l.ids, word)
		}
	}
	return l, err == nil
}

// confirmActs are the confirmations, newest first.
func (s *Store) confirmActs() (acts []Act) {
	b, _, err := fsx.ReadEnd(s.confirmsFile(), confirmsTail)
	if err != nil {
		return nil
	}
	for raw := range strings.Lines(string(b)) {
		raw = strings.TrimSuffix(raw, "\n")
		l, ok := parseConfirmLine(raw)
		if !ok {
			continue
		}
		a := Act{At: l.at, Kind: ActConfirm, What: "confirmed " + l.what, stood: l}
		if l.back {
			a.Kind, a.What = ActUndo, "undid: "+a.What
		}
		acts = append(acts, a)
	}
	slices.Reverse(acts)
	return acts
}

// unconfirm has this user no longer stand for what they confirmed.
func (s *Store) unconfirm(c confirmLine) error {
	word, gone := s.word(true), map[string]bool{}
	for _, id := range c.ids {
		gone[id] = true
	}
	err := s.rewriteLedger(s.vouchedFile(), func(l ledgerLine) ledgerLine {
		if l.word == word && gone[l.id] {
			l.id = ""
		}
		return l
	}, sumSize, len(s.objects.Zero()))
	if err != nil {
		return fmt.Errorf("take back who stands for what: %w", err)
	}
	var back []version
	left := s.versions()
	for _, v := range c.steps {
		if left.of(v.key) == v.new {
			back = append(back, version{v.old, v.key})
		}
	}
	if err := s.noteVersions(back...); err != nil {
		return err
	}
	return s.noteConfirm(confirmLine{back: true, ids: c.ids, steps: c.steps, what: c.what})
}
