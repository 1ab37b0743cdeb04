package knowledge

import (
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
)

// CountItems is the number of items of knowledge: their files are counted, not read. What
// cannot be listed counts as none; fsck names it.
func (kn *reader) CountItems() int {
	if kn.history.MayRead(kn.history.State()) != nil {
		return 0
	}
	files, err := kn.allItems()
	if err != nil {
		return 0
	}
	return len(files)
}

// LastSaved is when something was saved last: the newest checkpoint, or the knowledge if
// that is newer.
func (kn *reader) LastSaved(checkpoint time.Time) time.Time {
	shared, private := refname.Halves(kn.history.State())
	for _, id := range []string{shared, private} {
		if r, err := kn.commits.CommitRecord(id); err == nil && r.Recorded.After(checkpoint) {
			checkpoint = r.Recorded
		}
	}
	return checkpoint
}

// LastGiven is when a session was given an item last, zero if that was never or is
// forgotten: sessions of a week are known.
func (kn *reader) LastGiven() (last time.Time) {
	list, _ := fsx.ReadDir(kn.repo.Dir("cache", "given"))
	for _, e := range list {
		if st, err := e.Info(); err == nil && st.Mode().IsRegular() && st.ModTime().After(last) {
			last = st.ModTime()
		}
	}
	return last
}
