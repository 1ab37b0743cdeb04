package ledger

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/journal"
	"github.com/git-sage/git-sage/gitstore/internal/loose"
	"github.com/git-sage/git-sage/gitstore/internal/ownership"
	"github.com/git-sage/git-sage/gitstore/remedy"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
)

// A Mover is a git that moves refs in one transaction, with the record by which
// others know whose its locks are. It is fed or cancelled, once.
type Mover struct {
	s    *Ledger
	ctx  context.Context
	why  string
	git  *git.Waiting
	rec  *writerRecord
	said []remedy.Note  // what a person should know: locks that were in the way
	keep []loose.Object // for the backup, while git works
}

// Mover starts the git that moves refs. One that is started early is up when
// the refs are known, which saves the millisecond that its start takes. How long
// it waits for a lock is not left to the user's config: for ever is a hung hook.
func (led *Ledger) Mover(ctx context.Context, why string) (*Mover, error) {
	rec := led.NewRecord()
	w, err := led.repo.Git.Start(ctx, rec.File(), "-c", "core.fsync=reference", "-c", "core.filesRefLockTimeout=100", "-c", "core.packedRefsTimeout=1000",
		"update-ref", "--no-deref", "--create-reflog", "-m", why, "--stdin", "-z")
	if err != nil {
		rec.Remove()
		return nil, err
	}
	return &Mover{s: led, ctx: ctx, why: why, git: w, rec: rec, said: remedy.Notes(led.ClearDead())}, nil
}

// Cancel ends a mover that is not wanted. It may be called on nil and after feed.
func (m *Mover) Cancel() {
	if m != nil {
		m.git.Cancel()
		m.rec.Remove()
	}
}

// feed lets git move refs.
func (m *Mover) feed(moves []journal.Move) error {
	if err := m.rec.Write(moves, m.git.PID()); err != nil { // others could not tell what a lock is
		m.Cancel()
		return err
	}
	err := m.git.Feed([]byte(m.s.script(moves)), func() { m.s.backup.BackupObjects(m.keep...); m.s.backup.NoteFresh(m.keep) })
	m.keep = nil
	m.s.ClearBehind(m.rec, err, m.git)
	m.rec.Remove()
	return err
}

// MoveBy is move by a mover that was started before. It writes no journal.
func (led *Ledger) MoveBy(m *Mover, moves []journal.Move) error {
	_ = led.journal.Announce(deletions(moves), m.why) // of forks, whose lines tell as well that nothing is lost
	if err := m.feedPast(moves); err != nil {
		if err = moveError(err); errors.Is(err, journal.ErrMoved) {
			return err
		}
		switch moved, unread := led.moved(moves); {
		case unread != nil:
			return fmt.Errorf("%w; cannot tell whether the ref moved", err)
		case !moved:
			return err
		}
	}
	if err := led.syncRefs(moves); err != nil {
		return led.undo(moves, err)
	}
	for _, m := range moves {
		if led.rewritten.StandIn(m.New) != m.New {
			return led.undo(moves, ErrPurgedMeanwhile)
		}
	}
	return nil
}

// MoveTo moves refs to objects that were written for it, reads those back, does
// what is to be done then, if anything, and acknowledges the moves, with the commits
// that were made here. It returns what a person should know.
func (led *Ledger) MoveTo(ctx context.Context, why string, objects []loose.Object, moves []journal.Move, then func() error, made ownership.Making) ([]remedy.Note, error) {
	m, err := led.Mover(ctx, why)
	if err != nil {
		return nil, err
	}
	return m.MoveTo(ctx, objects, moves, then, made)
}

// MoveTo is Store.MoveTo by a mover that was started before.
func (m *Mover) MoveTo(ctx context.Context, objects []loose.Object, moves []journal.Move, then func() error, made ownership.Making) ([]remedy.Note, error) {
	s := m.s
	m.keep = objects
	s.ownership.Claim(made)
	if err := s.MoveBy(m, moves); err != nil {
		return nil, err
	}
	err := s.backup.Verify(ctx, objects...)
	if err == nil && then != nil {
		err = then()
	}
	if err != nil {
		return nil, s.undo(moves, err)
	}
	said := append(m.said, s.ownership.Acknowledge(moves, m.why, made)...)
	s.haveMoved()
	return said, nil
}

// feedPast feeds git again as long as something is in the way that goes: the lock
// of a writer that is dead is removed, for any other it waits a while, and what a
// gc took that prunes at once is written again.
func (m *Mover) feedPast(moves []journal.Move) error {
	var p lockWatch
	for taken := 0; ; {
		keep := m.keep
		err := m.feed(moves)
		lock := LockIn(err)
		switch {
		case lock == "" && (taken == maxTaken || !tookAway(err, keep)):
			return err
		case lock == "":
			taken++
			if m.keep = keep; m.writeAgain() != nil {
				return err
			}
		default:
			cleared := m.s.ClearLocks()
			m.said = append(m.said, remedy.Notes(cleared)...)
			if len(cleared) == 0 {
				if err := p.ends(lock, err); err != nil {
					return err
				}
			}
		}
		next, serr := m.s.Mover(m.ctx, m.why)
		if serr != nil {
			return serr
		}
		m.git, m.rec, m.said = next.git, next.rec, append(m.said, next.said...)
	}
}

// maxTaken bounds how often objects are written again that a gc took before a ref
// pointed to them: each time one gc has ended, and the next has not got that far. Beside
// a loop of 'git prune --expire=now' one save in fifty needs more than five.
const maxTaken = 25

// tookAway reports whether git found one of these missing.
func tookAway(err error, objects []loose.Object) bool {
	var e *git.Error
	return errors.As(err, &e) && slices.ContainsFunc(objects, func(o loose.Object) bool {
		return o.Data != nil && e.LacksObject(o.ID)
	})
}

// writeAgain writes what is to be kept, when the gc that runs has ended.
func (m *Mover) writeAgain() error {
	m.s.repo.AwaitGC(m.ctx)
	return m.s.backup.Put(m.ctx, slices.DeleteFunc(slices.Clone(m.keep), func(o loose.Object) bool { return o.Data == nil })...)
}

// LockIn is the lock file that kept git from moving refs, or "".
func LockIn(err error) string {
	var e *git.Error
	errors.As(err, &e)
	return e.LockedBy()
}

const (
	// LockAge is the age from which a lock of git's on a ref is taken for left
	// behind: a git that moves refs needs milliseconds.
	LockAge = 3 * time.Second
	// lockBusy bounds the wait for locks that come and go.
	lockBusy = 20 * time.Second
)

// A lockWatch is how long one has waited for a lock. It believes no clock: the age
// of a file may be anything when a clock was set, but a file that is the same after
// LockAge of waiting is that old.
type lockWatch struct {
	began, since time.Time
	last         os.FileInfo
}

// ends returns nil as long as a lock is worth waiting for, and then an error that
// explains it.
func (p *lockWatch) ends(lock string, err error) error {
	st, serr := fsx.Lstat(lock)
	now := time.Now()
	if p.began.IsZero() {
		p.began = now
	}
	if serr != nil {
		if now.Sub(p.began) > lockBusy {
			return err
		}
		return nil // it went
	}
	if p.last == nil || !os.SameFile(p.last, st) || !p.last.ModTime().Equal(st.ModTime()) {
		p.last, p.since = st, now
	}
	age := max(now.Sub(st.ModTime()), now.Sub(p.since))
	if age < LockAge && now.Sub(p.began) < lockBusy {
		return nil
	}
	return remedy.For(fmt.Errorf("'%s' has locked the ref for %s", filepath.ToSlash(lock), legible.Lasted(age)), remedy.RemoveLock.On())
}
