package gitstore

import (
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
)

// countItems is the number of items of knowledge: their files are counted, not read. What
// cannot be listed counts as none; fsck names it.
func (s *Store) countItems() int {
	if s.mayRead(s.knowledge()) != nil {
		return 0
	}
	files, err := s.allItems()
	if err != nil {
		return 0
	}
	return len(files)
}

// lastSaved is when something was saved last: the newest checkpoint, or the knowledge if
// that is newer.
func (s *Store) lastSaved(checkpoint time.Time) time.Time {
	if r, err := s.commitRecord(s.knowledge()); err == nil && r.Recorded.After(checkpoint) {
		return r.Recorded
	}
	return checkpoint
}

// lastRecalled is when a session was given an item last, zero if that was never or is
// forgotten: sessions of a week are known.
func (s *Store) lastRecalled() (last time.Time) {
	list, _ := fsx.ReadDir(s.dir("cache", "given"))
	for _, e := range list {
		if st, err := e.Info(); err == nil && st.Mode().IsRegular() && st.ModTime().After(last) {
			last = st.ModTime()
		}
	}
	return last
}
