package sidecar

import (
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/git-sage/git-sage/recall/index"
)

// Indexes keeps sidecars open for the memories of a process that lives long: to open one
// of 100,000 documents and to check it costs 15 ms. Several memories may use it at once.
type Indexes struct {
	Long bool // the process lives so long that vector_index is worth obeying

	mu   sync.Mutex
	open map[string]*index.Index
}

// get opens one, or returns the one that is open.
func (k *Indexes) get(dir string, o index.Options) (*index.Index, error) {
	if k == nil {
		return index.Open(dir, o)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	name := nameOf(dir, o)
	if x := k.open[name]; x != nil {
		return x, nil
	}
	x, err := index.Open(dir, o)
	if err == nil && dir != "" {
		if k.open == nil {
			k.open = map[string]*index.Index{}
		}
		k.open[name] = x
	}
	return x, err
}

func nameOf(dir string, o index.Options) string {
	return fmt.Sprintf("%q %q %q %d %s", dir, o.Store, o.Model, o.Dim, o.VectorIndex)
}

// put gives back what get returned. What could not write is closed, so that the next one
// tries again.
func (k *Indexes) put(x *index.Index) {
	if k != nil && x.Unwritten() == nil && k.keeps(x) {
		return
	}
	if k != nil {
		k.forget(x)
	}
	_ = x.Close() // what was written is on disk, and can be made again
}

func (k *Indexes) keeps(x *index.Index) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return slices.Contains(slices.Collect(maps.Values(k.open)), x)
}

func (k *Indexes) forget(x *index.Index) {
	k.mu.Lock()
	defer k.mu.Unlock()
	maps.DeleteFunc(k.open, func(_ string, o *index.Index) bool { return o == x })
}

// Len is how many are open.
func (k *Indexes) Len() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return len(k.open)
}
