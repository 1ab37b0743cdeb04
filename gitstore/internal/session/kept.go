package session

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
	"github.com/git-sage/git-sage/gitstore/internal/rewritten"
	"github.com/git-sage/git-sage/gitstore/redact"
)

// lockKept is how long one event of a session waits for another to be done with what is
// kept of it: events come in parallel, and an agent waits for each.
const lockKept = 40 * time.Millisecond

// files are what is kept of a session in files that may be lost at any time: what it was
// given, what it queued for others, and what its hooks keep.
type files struct {
	repo      *repo.Repo
	rewritten *rewritten.Map
}

// Kept is what [files.Keep] wrote for the session, as JSON; nil if there is nothing that
// can be read, or no session.
func (s *files) Kept(part string) []byte {
	if s.repo.Options.Session == "" {
		return nil
	}
	b, _ := fsx.ReadOwn(s.keptFile(part)) // unreadable: it begins anew
	return b
}

// Keep keeps something of the session beside its position, for its owner's eyes alone:
// JSON, which is replaced whole and may be lost at any time. It goes a week after the
// session's last event. Without a session nothing is kept.
func (s *files) Keep(part string, b []byte) error {
	if s.repo.Options.Session == "" {
		return nil
	}
	file := s.keptFile(part)
	if _, err := fsx.Lstat(file); errors.Is(err, fs.ErrNotExist) {
		s.dropOld("sessions", "."+part+".json")
		s.dropOld("sessions", ".lock")
	}
	if err := fsx.WriteDerived(file, b, 0o600); err != nil {
		return fmt.Errorf("save the session state: %w", err)
	}
	return nil
}

// LockKept keeps other processes from what is kept of the session until done is called.
// ok is false if one of them took too long, or there is no session: then one reads, and
// leaves writing to others. done may be called all the same.
func (s *files) LockKept(ctx context.Context) (done func(), ok bool) {
	if s.repo.Options.Session == "" {
		return func() {}, false
	}
	ctx, cancel := context.WithTimeout(ctx, lockKept)
	defer cancel()
	l, waited, err := fsx.TryLock(ctx, s.repo.Dir("sessions", refname.Hash16(s.repo.Options.Session)+".lock"))
	return l.Unlock, err == nil && (l != nil || !waited) // not every file system has locks
}

func (s *files) keptFile(part string) string {
	return s.repo.Dir("sessions", refname.Hash16(s.repo.Options.Session)+"."+part+".json")
}

// Redactor takes secrets out as the store does before it writes.
func (s *files) Redactor() *redact.Redactor { return s.repo.Options.Redact }

// of is another session of the repository, for what is kept of it.
func (s *files) of(session string) *files {
	o := s.repo.Options
	o.Session = session
	return &files{repo: &repo.Repo{Options: o, Where: s.repo.Where}}
}

// KeptOf is [files.Kept] of another session: of one that ended, say.
func (s *files) KeptOf(session, part string) []byte {
	other := s.of(session)
	return other.Kept(part)
}

// KeepOf is [files.Keep] of another session.
func (s *files) KeepOf(session, part string, b []byte) error {
	other := s.of(session)
	return other.Keep(part, b)
}

// Knows reports whether a session began here, or saved: whether there is a memory of it.
func (s *files) Knows(session string) bool {
	_, ok := ReadStand(s.repo.Dir("sessions", refname.Hash16(session)+".json"))
	return session != "" && ok
}

// Alone waits until nobody else saves unasked for the store's session, or for a second
// if that one is stopped. done is to be called in any case.
func (s *files) Alone(ctx context.Context) (done func()) {
	l, _, _ := fsx.Queue(ctx, s.repo.Dir("sessions", refname.Hash16("unasked "+s.repo.Options.Session)+".lock"), repo.SameWait)
	return l.Unlock
}

// Only reports whether nobody else is at a task of that name in the repository. The task
// is held until done is called or the process ends; done may be called in any case.
func (s *files) Only(ctx context.Context, task string) (done func(), ok bool) {
	ctx, cancel := context.WithTimeout(ctx, lockKept)
	defer cancel()
	l, waited, err := fsx.TryLock(ctx, s.repo.Dir("sessions", refname.Hash16("task "+task)+".lock"))
	return l.Unlock, err == nil && (l != nil || !waited) // not every file system has locks
}
