package knowledge

import (
	"fmt"
	"hash/crc32"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/journal"
	"github.com/git-sage/git-sage/gitstore/internal/ownership"
	"github.com/git-sage/git-sage/gitstore/internal/rewritten"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
)

// The file sage/confirms lists who stood for what and when, a line each:
//
//	<crc32, 8 hex> <unix seconds>.<nanoseconds> + <id or sum>,... <in words>
//
// with - for what was taken back. The version of an item is <key>@<blob before>-<blob>.
// sage/vouched and sage/versions say what counts; this one lets it be undone. A purge removes
// it.

const ConfirmsTail = 1 << 20 // bytes of the file that are read

// A ConfirmLine is one confirmation, or the end of one.
type ConfirmLine struct {
	At   time.Time
	Back bool
	IDs  []string
	What string // item 'staging-wipe'

	Steps []VersionStep // of versions of items
}

// A VersionStep is from the version of an item that somebody left to the one that they
// confirmed.
type VersionStep struct{ Key, old, New string }

func (v VersionStep) String() string { return v.Key + "@" + v.old + "-" + v.New }

func parseVersionStep(s string) (v VersionStep, ok bool) {
	key, ids, ok := strings.Cut(s, "@")
	old, now, ok2 := strings.Cut(ids, "-")
	return VersionStep{key, old, now}, ok && ok2 && rewritten.IsID(old) && rewritten.IsID(now) && CheckKey(key) == nil
}

func (kn *Collection) ConfirmsFile() string { return kn.repo.Dir("confirms") }

// NoteConfirm writes down that somebody stands, or no longer stands, for something.
func (kn *Collection) NoteConfirm(l ConfirmLine) error {
	sign := "+"
	if l.Back {
		sign = "-"
	}
	words := slices.Clone(l.IDs)
	for _, v := range l.Steps {
		words = append(words, v.String())
	}
	text := fmt.Sprintf("%s %s %s %s", journal.PreciseTime(kn.repo.Options.Now()), sign, strings.Join(words, ","), legible.OneLine(l.What))
	if _, err := fsx.Append(kn.ConfirmsFile(), fmt.Appendf(nil, "%08x %s\n", crc32.ChecksumIEEE([]byte(text)), text)); err != nil {
		return fmt.Errorf("record the confirmation: %w", err)
	}
	return nil
}

func ParseConfirmLine(raw string) (l ConfirmLine, ok bool) {
	sum, text, _ := strings.Cut(raw, " ")
	crc, err := strconv.ParseUint(sum, 16, 32)
	if err != nil || uint32(crc) != crc32.ChecksumIEEE([]byte(text)) {
		return l, false
	}
	f := strings.SplitN(text, " ", 4)
	if len(f) < 4 {
		return l, false
	}
	at, err := journal.ParsePreciseTime(f[0])
	l = ConfirmLine{At: at, Back: f[1] == "-", What: f[3]}
	for _, word := range strings.Split(f[2], ",") {
		if v, ok := parseVersionStep(word); ok {
			l.Steps = append(l.Steps, v)
		} else {
			l.IDs = append(l.IDs, word)
		}
	}
	return l, err == nil
}

// Unconfirm has this user no longer stand for what they confirmed.
func (kn *Collection) Unconfirm(c ConfirmLine) error {
	word, gone := kn.ownership.Word(true), map[string]bool{}
	for _, id := range c.IDs {
		gone[id] = true
	}
	err := kn.ownership.RewriteLedger(kn.ownership.VouchedFile(), func(l ownership.LedgerLine) ownership.LedgerLine {
		if l.Word == word && gone[l.ID] {
			l.ID = ""
		}
		return l
	}, ownership.SumSize, len(kn.repo.Objects.Zero()))
	if err != nil {
		return fmt.Errorf("undo the confirmation: %w", err)
	}
	var back []ownership.Version
	left := kn.ownership.Versions()
	for _, v := range c.Steps {
		if left.Of(v.Key) == v.New {
			back = append(back, ownership.Version{Blob: v.old, Key: v.Key})
		}
	}
	if err := kn.ownership.NoteVersions(back...); err != nil {
		return err
	}
	return kn.NoteConfirm(ConfirmLine{Back: true, IDs: c.IDs, Steps: c.Steps, What: c.What})
}
