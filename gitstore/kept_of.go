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
