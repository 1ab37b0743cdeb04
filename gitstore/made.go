package gitstore

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
)

// The file sage/own holds the ids of the commits that were made here, one a line behind
// the word of who made it (see trust.go), in no order that means anything. What it does
// not list came from elsewhere, whatever its author field says.

func (s *Store) ownFile() string { return s.dir("own") }

// made records commits as made here, under the word of this user, or what stands in its
// place.
func (s *Store) made(word string, ids ...string) error {
	if len(ids) == 0 {
		return nil
	}
	if _, err := fsx.Append(s.ownFile(), ledgerText(word, ids)); err != nil {
		return fmt.Errorf("record what was made here: %w", err)
	}
	return nil
}

// ledgerText is a line of a ledger for each id, behind one word.
func ledgerText(word string, ids []string) []byte {
	var b strings.Builder
	for _, id := range ids {
		b.WriteString(ledgerLine{word, id}.String())
	}
	return []byte(b.String())
}

// ownIDs returns the ids of the commits that were made here, whoever made them.
func (s *Store) ownIDs() (map[string]bool, error) {
	ids := map[string]bool{}
	err := readLedger(s.ownFile(), func(l ledgerLine) { ids[l.id] = true }, len(s.objects.Zero()))
	return ids, err
}

// rewriteLedger writes a file of ledger lines anew, without what is damaged, and lets
// change say which ids are listed: it returns what takes the place of one, "" is nothing.
// Whose they are stays.
func (s *Store) rewriteLedger(file string, change func(ledgerLine) ledgerLine, sizes ...int) error {
	lines := map[ledgerLine]bool{}
	err := readLedger(file, func(l ledgerLine) {
		if l = change(l); l.id != "" {
			lines[l] = true
		}
	}, sizes...)
	if err != nil || len(lines) == 0 && !there(file) {
		return err
	}
	var b strings.Builder
	for _, l := range slices.SortedFunc(maps.Keys(lines), func(x, y ledgerLine) int {
		return cmp.Or(strings.Compare(x.id, y.id), strings.Compare(x.word, y.word))
	}) {
		b.WriteString(l.String())
	}
	return fsx.WriteFile(file, []byte(b.String()), 0o644)
}

// A making is the commits that were made for some moves, and what their texts say.
type making struct {
	ids   []string
	sums  []string  // of items, see sumOf
	mixed bool      // with what came from elsewhere: nobody stands for it
	at    time.Time // that other moves of the same act have, too; zero is now

	versions []version // of items that this user left
}

// The file sage/begun lists, in the form of sage/own, what this user is about to save:
// commits, versions of items, and the sums of what those say. Whoever is killed behind the
// move of a ref did not come to say so in sage/own, and it is theirs all the same; nor is it
// anybody else's in the moment between. Ids of moves that failed stand in nothing that can
// be shown.

func (s *Store) begunFile() string { return s.dir("begun") }

// mostBegun bounds sage/begun: what the other files list is taken out of a longer one.
const mostBegun = 16 << 10

func (s *Store) begun() *idSet {
	return s.mine(&s.begunLedger, s.begunFile(), sumSize, len(s.objects.Zero()))
}

// claim notes what is about to be saved. That it could not is no reason not to save.
func (s *Store) claim(m making) {
	ids := slices.Concat(m.ids, m.sums)
	for _, v := range m.versions {
		ids = append(ids, v.claim())
	}
	if s.o.Global || m.mixed || len(ids) == 0 {
		return
	}
	word := s.word(true)
	if word == "" {
		return
	}
	if size, err := fsx.Append(s.begunFile(), ledgerText(word, ids)); err == nil && size > mostBegun {
		_ = s.shortenBegun()
	}
}

// shortenBegun leaves in sage/begun what only it lists.
func (s *Store) shortenBegun() error {
	made, vouched, left := s.madeByMe(), s.vouched(), s.versions().claims()
	return s.rewriteLedger(s.begunFile(), func(l ledgerLine) ledgerLine {
		if made.has(l.id) || vouched.has(l.id) || left[l.id] {
			return ledgerLine{}
		}
		return l
	}, sumSize, len(s.objects.Zero()))
}

// acknowledge writes down what is about to be reported as done: the moves, and what was
// made for them. What fails is no failure of the save, which is in git and durable; it is
// returned as words for a person.
func (s *Store) acknowledge(moves []move, why string, m making) (warnings []string) {
	if m.at.IsZero() {
		m.at = s.o.Now()
	}
	word := mixedWord
	if len(m.ids) > 0 && !m.mixed {
		word = cmp.Or(s.word(true), noWord)
	}
	for _, err := range []error{s.journalAt(moves, m.at, why), s.made(word, m.ids...), s.vouch(m.sums...), s.noteVersions(m.versions...)} {
		if err != nil {
			warnings = append(warnings, err.Error()+"; it is saved all the same, and 'git sage fsck' says what to type")
		}
	}
	return warnings
}
