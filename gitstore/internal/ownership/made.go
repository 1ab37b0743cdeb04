package ownership

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/journal"
	"github.com/git-sage/git-sage/gitstore/remedy"
)

// The file sage/own holds the ids of the commits that were made here, one a line behind
// the word of who made it (see trust.go), in no order that means anything. What it does
// not list came from elsewhere, whatever its author field says.

func (own *Ownership) OwnFile() string { return own.repo.Dir("own") }

// made records commits as made here, under the word of this user, or what stands in its
// place.
func (own *Ownership) made(word string, ids ...string) error {
	if len(ids) == 0 {
		return nil
	}
	if _, err := fsx.Append(own.OwnFile(), ledgerText(word, ids)); err != nil {
		return fmt.Errorf("record ownership: %w", err)
	}
	return nil
}

// ledgerText is a line of a ledger for each id, behind one word.
func ledgerText(word string, ids []string) []byte {
	var b strings.Builder
	for _, id := range ids {
		b.WriteString(LedgerLine{word, id}.String())
	}
	return []byte(b.String())
}

// OwnIDs returns the ids of the commits that were made here, whoever made them.
func (own *Ownership) OwnIDs() (map[string]bool, error) {
	ids := map[string]bool{}
	err := readLedger(own.OwnFile(), func(l LedgerLine) { ids[l.ID] = true }, len(own.repo.Objects.Zero()))
	return ids, err
}

// rewriteWait is how long is waited for another process that rewrites a list.
const rewriteWait = 2 * time.Second

// RewriteLedger writes a file of ledger lines anew, without what is damaged, and lets
// change say which ids are listed: it returns what takes the place of one, "" is nothing.
// Whose they are stays, and so does what others append meanwhile.
func (own *Ownership) RewriteLedger(file string, change func(LedgerLine) LedgerLine, sizes ...int) error {
	return rewriteLedger(file, rewriteWait, change, sizes...)
}

func rewriteLedger(file string, wait time.Duration, change func(LedgerLine) LedgerLine, sizes ...int) error {
	return fsx.Rewrite(file, wait, func(b []byte) []byte {
		lines := map[LedgerLine]bool{}
		ledgerLines(b, func(l LedgerLine) {
			if l = change(l); l.ID != "" {
				lines[l] = true
			}
		}, sizes...)
		var kept strings.Builder
		for _, l := range slices.SortedFunc(maps.Keys(lines), func(x, y LedgerLine) int {
			return cmp.Or(strings.Compare(x.ID, y.ID), strings.Compare(x.Word, y.Word))
		}) {
			kept.WriteString(l.String())
		}
		return []byte(kept.String())
	})
}

// Remake notes that this user made commits here for a purge: its record, and what became of those
// that they had made.
func (own *Ownership) Remake(ids ...string) error {
	if word := own.Word(true); word != "" {
		return own.made(word, ids...)
	}
	return nil
}

// A Making is the commits that were made for some moves, and what their texts say.
type Making struct {
	IDs   []string
	Sums  []string  // of items, see SumOf
	Mixed bool      // with what came from elsewhere: nobody stands for it
	At    time.Time // that other moves of the same act have, too; zero is now

	Versions []Version // of items that this user left
}

// The file sage/begun lists, in the form of sage/own, what this user is about to save:
// commits, versions of items, and the sums of what those say. Whoever is killed behind the
// move of a ref did not come to say so in sage/own, and it is theirs all the same; nor is it
// anybody else's in the moment between. Ids of moves that failed stand in nothing that can
// be shown.

func (own *Ownership) BegunFile() string { return own.repo.Dir("begun") }

// MostBegun bounds sage/begun: what the other files list is taken out of a longer one.
const MostBegun = 16 << 10

func (own *Ownership) BegunIDs() *idSet {
	return own.mine(&own.begunLedger, own.BegunFile(), SumSize, len(own.repo.Objects.Zero()))
}

// Claim notes what is about to be saved. That it could not is no reason not to save.
func (own *Ownership) Claim(m Making) {
	ids := slices.Concat(m.IDs, m.Sums)
	for _, v := range m.Versions {
		ids = append(ids, v.Claim())
	}
	if own.repo.Options.Global || m.Mixed || len(ids) == 0 {
		return
	}
	word := own.Word(true)
	if word == "" {
		return
	}
	if size, err := fsx.Append(own.BegunFile(), ledgerText(word, ids)); err == nil && size > MostBegun {
		_ = own.shortenBegun()
	}
}

// shortenBegun leaves in sage/begun what only it lists. A save is waiting for it, so it waits
// for nobody.
func (own *Ownership) shortenBegun() error {
	made, vouched, left := own.MadeByMe(), own.VouchedIDs(), own.Versions().Claims()
	return rewriteLedger(own.BegunFile(), 0, func(l LedgerLine) LedgerLine {
		if made.Has(l.ID) || vouched.Has(l.ID) || left[l.ID] {
			return LedgerLine{}
		}
		return l
	}, SumSize, len(own.repo.Objects.Zero()))
}

// Acknowledge writes down what is about to be reported as done: the moves, and what was
// made for them. What fails is no failure of the save, which is in git and durable; it is
// returned as notes for a person.
func (own *Ownership) Acknowledge(moves []journal.Move, why string, m Making) (warnings []remedy.Note) {
	if m.At.IsZero() {
		m.At = own.repo.Options.Now()
	}
	word := MixedWord
	if len(m.IDs) > 0 && !m.Mixed {
		word = cmp.Or(own.Word(true), NoWord)
	} else if len(m.IDs) > 0 {
		word = own.Word(true) + MixedWord
	}
	for _, err := range []error{own.journal.JournalAt(moves, m.At, why), own.made(word, m.IDs...), own.Vouch(m.Sums...), own.NoteVersions(m.Versions...)} {
		if err != nil {
			warnings = append(warnings, remedy.NoteOf(remedy.For(fmt.Errorf("%w; the save succeeded", err), remedy.Check.On().To("shows how to repair this"))))
		}
	}
	return warnings
}
