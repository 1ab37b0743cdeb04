package sidecar

import (
	"sync"

	"github.com/git-sage/git-sage/recall/index"
)

// How much of one text is searched, in bytes; all of it is shown. A MiB takes up to five
// seconds to cut and to count, and its pieces some thousand vectors, for which the first
// search behind a fetch would wait. Of what came from elsewhere, and nobody here stands for,
// less is searched, of all of that mostForeign, and behind that of each its beginning.
const (
	mostSearched  = 256 << 10
	mostOfForeign = 16 << 10
	mostForeign   = 4 << 20
	leastSearched = 1 << 10
)

// share tells of what came from elsewhere, one after the other, how many bytes of so many are
// searched, beside what the sidecar has of that kind, but for some keys.
func (sc *Sidecar) share(kind string, but map[string]bool) func(size int) int {
	left := sync.OnceValue(func() int { return mostForeign - sc.foreign(kind, but) })
	taken := 0
	return func(size int) int {
		most := min(size, mostOfForeign, max(left()-taken, leastSearched))
		taken += most
		return most
	}
}

// foreign is how much is searched of what came from elsewhere, but for some keys.
func (sc *Sidecar) foreign(kind string, but map[string]bool) (bytes int) {
	_ = sc.Index.Each(func(d *index.Meta) bool { // a damaged one is made anew
		if d.Kind == kind && !but[d.Key] {
			bytes += d.Part
		}
		return true
	})
	return bytes
}
