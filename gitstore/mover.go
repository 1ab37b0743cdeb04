package gitstore

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/loose"
)

// A mover is a git that moves refs in one transaction, with the record by which
// others know whose its locks are. It is fed or cancelled, once.
type mover struct {
	s    *Store
	ctx  context.Context
	why  string
	git  *git.Waiting
	rec  *record
	said []string       // what a person should know: locks that were in the way
	keep []loose.Object // for the backup, while git works
}

// mover starts the git that moves refs. One that is started early is up when
// the refs are known, which saves the millisecond that its start takes. How long
// it waits for a lock is not left to the user's config: for ever is a hung hook.
func (s *Store) mover(ctx context.Context, why string) (*mover, error) {
	rec := s.newRecord()
	w, err := s.git.Start(ctx, rec.file(), "-c", "core.fsync=reference", "-c", "core.filesRefLockTimeout=100", "-c", "core.packedRefsTimeout=1000",
		"update-ref", "--no-deref", "--create-reflog", "-m", why, "--stdin", "-z")
	if err != nil {
		rec.remove()
		return nil, err
	}
	return &mover{s: s, ctx: ctx, why: why, git: w, rec: rec, said: s.clearDead()}, nil
}

// cancel ends a mover that is not wanted. It may be called on nil and after feed.
func (m *mover) cancel() {
	if m != nil {
		m.git.Cancel()
		m.rec.remove()
	}
}

// feed lets git move refs.
func (m *mover) feed(moves []move) error {
	if err := m.rec.write(moves, m.git.PID()); err != nil { // others could not tell what a lock is
		m.cancel()
		return err
	}
	err := m.git.Feed([]byte(m.s.script(moves)), func() { m.s.backupObjects(m.keep...); m.s.noteFresh(m.keep) })
	m.keep = nil
	m.s.clearBehind(m.rec, err, m.git.Said())
	m.rec.remove()
	return err
}

// moveBy is move by a mover that was started before. It writes no journal.
func (s *Store) moveBy(m *mover, moves []move) error {
	_ = s.announce(deletions(moves), m.why) // of forks, whose lines tell as well that nothing is lost
	if err := m.feedPast(moves); err != nil {
		if err = moveError(err); errors.Is(err, errMoved) {
			return err
		}
		switch moved, unread := s.moved(moves); {
		case unread != nil:
			return fmt.Errorf("%w; whether the ref moved cannot be read, so it may be there all the same", err)
		case !moved:
			return err
		}
	}
	if err := s.syncRefs(moves); err != nil {
		return s.undo(moves, err)
	}
	for _, m := range moves {
		if s.standIn(m.new) != m.new {
			return s.undo(moves, errPurgedMeanwhile)
		}
	}
	return nil
}

// moveTo moves refs to objects that were written for it, reads those back, does
// what is to be done then, if anything, and acknowledges the moves, with the commits
// that were made here. It returns what a person should know.
func (s *Store) moveTo(ctx context.Context, why string, objects []loose.Object, moves []move, then func() error, made making) ([]string, error) {
	m, err := s.mover(ctx, why)
	if err != nil {
		return nil, err
	}
	return m.moveTo(ctx, objects, moves, then, made)
}

// moveTo is Store.moveTo by a mover that was started before.
func (m *mover) moveTo(ctx context.Context, objects []loose.Object, moves []move, then func() error, made making) ([]string, error) {
	s := m.s
	m.keep = objects
	s.claim(made)
	if err := s.moveBy(m, moves); err != nil {
		return nil, err
	}
	err := s.verify(ctx, objects...)
	if err == nil && then != nil {
		err = then()
	}
	if err != nil {
		return nil, s.undo(moves, err)
	}
	return append(m.said, s.acknowledge(moves, m.why, made)...), nil
}

// feedPast feeds git again as long as something is in the way that goes: the lock
// of a writer that is dead is removed, for any other it waits a while, and what a
// gc took that prunes at once is written again.
func (m *mover) feedPast(moves []move) error {
	var p lockWatch
	for taken := 0; ; {
		keep := m.keep
		err := m.feed(moves)
		lock := lockIn(err)
		switch {
		case lock == "" && (taken == maxTaken || !tookAway(err, keep)):
			return err
		case lock == "":
			taken++
			if m.keep = keep; m.writeAgain() != nil {
				return err
			}
		default:
			cleared := m.s.clearLocks()
			m.said = append(m.said, cleared...)
			if len(cleared) == 0 {
				if err := p.ends(lock, err); err != nil {
					return err
				}
			}
		}
		next, serr := m.s.mover(m.ctx, m.why)
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
		return o.Data != nil && strings.Contains(e.Stderr, "nonexistent object "+o.ID)
	})
}

// writeAgain writes what is to be kept, when the gc that runs has ended.
func (m *mover) writeAgain() error {
	m.s.awaitGC(m.ctx)
	return m.s.put(m.ctx, slices.DeleteFunc(slices.Clone(m.keep), func(o loose.Object) bool { return o.Data == nil })...)
}

// lockIn is the lock file that kept git from moving refs, or "".
func lockIn(err error) string {
	var e *git.Error
	if !errors.As(err, &e) {
		return ""
	}
	_, after, found := strings.Cut(e.Stderr, "Unable to create '")
	file, _, ends := strings.Cut(after, "': File exists")
	if !found || !ends {
		if file, _, ends = strings.Cut(e.Stderr, ": File exists"); !ends || !strings.HasSuffix(file, "packed-refs.new") {
			return ""
		}
		file = strings.TrimSuffix(file[strings.LastIndexByte(file, ' ')+1:], ".new") + ".lock"
	}
	return file
}

const (
	// lockAge is the age from which a lock of git's on a ref is taken for left
	// behind: a git that moves refs needs milliseconds.
	lockAge = 3 * time.Second
	// lockBusy bounds the wait for locks that come and go.
	lockBusy = 20 * time.Second
)

// A lockWatch is how long one has waited for a lock. It believes no clock: the age
// of a file may be anything when a clock was set, but a file that is the same after
// lockAge of waiting is that old.
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
	if age < lockAge && now.Sub(p.began) < lockBusy {
		return nil
	}
	return fmt.Errorf("'%s' locks the ref, and has for %s: if no git is at work here, one was killed; run 'git sage fsck --repair', or delete the file",
		filepath.ToSlash(lock), lasted(age))
}
