package gitstore

import (
	"context"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
)

// KeptOf is [Store.Kept] of another session: of one that ended, say.
func (s *Store) KeptOf(session, part string) []byte {
	other := Store{o: Options{Session: session}, where: s.where}
	return other.Kept(part)
}

// KeepOf is [Store.Keep] of another session.
func (s *Store) KeepOf(session, part string, b []byte) error {
	other := Store{o: s.o, where: s.where}
	other.o.Session = session
	return other.Keep(part, b)
}

// Knows reports whether a session began here, or saved: whether there is a memory of it.
func (s *Store) Knows(session string) bool {
	_, ok := readStand(s.dir("sessions", hash16(session)+".json"))
	return session != "" && ok
}

// Alone waits until nobody else saves unasked for the store's session, or for a second
// if that one is stopped. done is to be called in any case.
func (s *Store) Alone(ctx context.Context) (done func()) {
	l, _, _ := fsx.Queue(ctx, s.dir("sessions", hash16("unasked "+s.o.Session)+".lock"), sameWait)
	return l.Unlock
}

// Only reports whether nobody else is at a task of that name in the repository. The task
// is held until done is called or the process ends; done may be called in any case.
func (s *Store) Only(ctx context.Context, task string) (done func(), ok bool) {
	ctx, cancel := context.WithTimeout(ctx, lockKept)
	defer cancel()
	l, waited, err := fsx.TryLock(ctx, s.dir("sessions", hash16("task "+task)+".lock"))
	return l.Unlock, err == nil && (l != nil || !waited) // not every file system has locks
}
