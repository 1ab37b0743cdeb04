package gitstore

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/redact"
)

// lockKept is how long one event of a session waits for another to be done with what is
// kept of it: events come in parallel, and an agent waits for each.
const lockKept = 40 * time.Millisecond

// Kept is what [Store.Keep] wrote for the session, as JSON; nil if there is nothing that
// can be read, or no session.
func (s *Store) Kept(part string) []byte {
	if s.o.Session == "" {
		return nil
	}
	b, _ := fsx.ReadOwn(s.keptFile(part)) // unreadable: it begins anew
	return b
}

// Keep keeps something of the session beside its position, for its owner's eyes alone:
// JSON, which is replaced whole and may be lost at any time. It goes a week after the
// session's last event. Without a session nothing is kept.
func (s *Store) Keep(part string, b []byte) error {
	if s.o.Session == "" {
		return nil
	}
	file := s.keptFile(part)
	if _, err := fsx.Lstat(file); errors.Is(err, fs.ErrNotExist) {
		s.dropOld("sessions", "."+part+".json")
		s.dropOld("sessions", ".lock")
	}
	if err := fsx.WriteDerived(file, b, 0o600); err != nil {
		return fmt.Errorf("keep what is known of the session: %w", err)
	}
	return nil
}

// LockKept keeps other processes from what is kept of the session until done is called.
// ok is false if one of them took too long, or there is no session: then one reads, and
// leaves writing to others. done may be called all the same.
func (s *Store) LockKept(ctx context.Context) (done func(), ok bool) {
	if s.o.Session == "" {
		return func() {}, false
	}
	ctx, cancel := context.WithTimeout(ctx, lockKept)
	defer cancel()
	l, waited, err := fsx.TryLock(ctx, s.dir("sessions", hash16(s.o.Session)+".lock"))
	return l.Unlock, err == nil && (l != nil || !waited) // not every file system has locks
}

func (s *Store) keptFile(part string) string {
	return s.dir("sessions", hash16(s.o.Session)+"."+part+".json")
}

// Redactor takes secrets out as the store does before it writes.
func (s *Store) Redactor() *redact.Redactor { return s.o.Redact }

// SHA256 reports whether the repository names its objects by SHA-256.
func (s *Store) SHA256() bool { return s.where.format == "sha256" }
