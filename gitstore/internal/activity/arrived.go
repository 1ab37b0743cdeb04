package activity

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/identity"
	"github.com/git-sage/git-sage/gitstore/internal/journal"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
)

// lookedFile holds when this user was last told what others did. It is derived: without it
// nothing is new.
func (o *Observer) lookedFile() string {
	return o.repo.Dir("cache", "looked-"+refname.Hash16(o.ownership.Word(false)))
}

// Looked notes that this user was told of all that is here.
func (o *Observer) Looked() error {
	return fsx.WriteDerived(o.lookedFile(), []byte(journal.PreciseTime(o.repo.Options.Now())+"\n"), 0o644)
}

// Arrived lists the people whose checkpoints came here since this user last looked, and when
// that was, the person first who concluded something last. This user is not among them,
// whatever machine they come from. Where nothing was fetched that costs two short reads.
func (o *Observer) Arrived(ctx context.Context) (who []Person, since time.Time, err error) {
	b, err := fsx.ReadOwn(o.lookedFile())
	if err != nil {
		return nil, since, nil
	}
	if since, err = journal.ParsePreciseTime(strings.TrimSpace(string(b))); err != nil {
		return nil, since, nil
	}
	moves, err := o.journal.Since(since)
	made := o.ownership.Maker()
	brings := func(m journal.JournalLine) bool {
		return m.New != "" && (strings.HasPrefix(m.Ref, refname.HeadsPrefix) || strings.HasPrefix(m.Ref, refname.ForksPrefix))
	}
	moves = slices.DeleteFunc(moves, func(m journal.JournalLine) bool { return !brings(m) })
	if err != nil || !slices.ContainsFunc(moves, func(m journal.JournalLine) bool { return !made(m.New) }) {
		return nil, since, err
	}
	list, err := o.broughtBy(ctx, moves)
	me, _ := o.repo.PersonOf(ctx, "author")
	var acts []Act
	for _, s := range list {
		if !s.Mine && !s.Recovery && s.Author.Mail != me.Mail && s.Author != identity.Nobody {
			acts = append(acts, Act{Sighting: s})
		}
	}
	return people(acts), since, err
}

// opposingFile keeps what was derived of the lines as they were: what opposes what.
func (o *Observer) opposingFile() string { return o.repo.Dir("cache", "opposing.json") }

// KeptOpposing is what [Observer.KeepOpposing] kept last, nil if that is nothing.
func (o *Observer) KeptOpposing() []byte {
	b, _ := fsx.ReadOwn(o.opposingFile())
	return b
}

// KeepOpposing keeps what opposes what, until a purge or until it is replaced.
func (o *Observer) KeepOpposing(b []byte) error { return fsx.WriteDerived(o.opposingFile(), b, 0o644) }
