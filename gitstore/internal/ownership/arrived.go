package ownership

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/record"
)

// The file sage/arrived lists by which remote each commit came that somebody elsewhere made, one
// a line: <unix seconds> <id> <remote>. The first line of an id counts. It is read by what shows
// one piece of memory, and by no prompt.

// An Arrival is how a commit came here.
type Arrival struct {
	At     time.Time `json:"at"`
	Remote string    `json:"remote"`
}

func (own *Ownership) ArrivedFile() string { return own.repo.Dir("arrived") }

func parseArrival(l string) (id string, a Arrival, ok bool) {
	f := strings.SplitN(strings.TrimSuffix(l, "\n"), " ", 3)
	if len(f) != 3 || f[0] == "" || strings.Trim(f[0], "0123456789") != "" || len(f[1]) < 40 || !record.IsHex(f[1]) || f[2] == "" {
		return "", a, false
	}
	return f[1], Arrival{record.Unix(f[0]), f[2]}, true
}

// IsArrivalLine reports whether a line of sage/arrived can be read.
func IsArrivalLine(l string) bool { _, _, ok := parseArrival(l); return ok }

// NoteArrivals notes that commits came by a remote.
func (own *Ownership) NoteArrivals(at time.Time, remote string, ids []string) error {
	var b strings.Builder
	for _, id := range ids {
		fmt.Fprintf(&b, "%d %s %s\n", at.Unix(), id, remote)
	}
	if b.Len() == 0 || own.repo.Options.Global {
		return nil
	}
	_, err := fsx.Append(own.ArrivedFile(), []byte(b.String()))
	return err
}

// Arrivals are how commits came here, by id.
func (own *Ownership) Arrivals() (map[string]Arrival, error) {
	b, err := fsx.ReadOwn(own.ArrivedFile())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read by which remote memory came: %w", err)
	}
	return arrivalsIn(b), nil
}

func arrivalsIn(b []byte) map[string]Arrival {
	out := map[string]Arrival{}
	for l := range strings.Lines(string(b)) {
		if id, a, ok := parseArrival(l); ok && out[id].Remote == "" {
			out[id] = a
		}
	}
	return out
}

// ForgetArrivals leaves out the commits that are gone.
func (own *Ownership) ForgetArrivals(gone func(id string) bool) error {
	return fsx.Rewrite(own.ArrivedFile(), rewriteWait, func(b []byte) []byte {
		var kept strings.Builder
		known := arrivalsIn(b)
		for _, id := range slices.Sorted(maps.Keys(known)) {
			if !gone(id) {
				fmt.Fprintf(&kept, "%d %s %s\n", known[id].At.Unix(), id, known[id].Remote)
			}
		}
		return []byte(kept.String())
	})
}

// The file sage/taken lists, in the form of sage/vouched, what came from a source that this user
// trusts: ids of checkpoints, and sums of what items say. It counts as reviewed, and is nobody's
// here.

func (own *Ownership) TakenFile() string { return own.repo.Dir("taken") }

// IsTaken reports whether an id or sum came from a source that this user trusts.
func (own *Ownership) IsTaken(id string) bool { return own.taken().Has(id) }

func (own *Ownership) taken() *idSet {
	return own.mine(&own.takenLedger, own.TakenFile(), SumSize, len(own.repo.Objects.Zero()))
}

// Take notes that ids and sums came from a source that this user trusts.
func (own *Ownership) Take(ids ...string) error {
	word, known := own.Word(true), own.taken()
	var lines []byte
	for _, id := range ids {
		if !known.Has(id) {
			lines = append(lines, LedgerLine{word, id}.String()...)
		}
	}
	if len(lines) == 0 || word == "" {
		return nil
	}
	if _, err := fsx.Append(own.TakenFile(), lines); err != nil {
		return fmt.Errorf("record what came from whom you trust: %w", err)
	}
	return nil
}

// ForgetTaken forgets what came from sources which this user trusts, but for some of it.
func (own *Ownership) ForgetTaken(but ...string) error {
	word, kept := own.Word(false), make(map[string]bool, len(but))
	for _, id := range but {
		kept[id] = true
	}
	if own.taken().within(kept) {
		return nil
	}
	return own.RewriteLedger(own.TakenFile(), func(l LedgerLine) LedgerLine {
		if l.Word == word && !kept[l.ID] {
			return LedgerLine{}
		}
		return l
	}, SumSize, len(own.repo.Objects.Zero()))
}
