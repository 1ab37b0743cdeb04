package chunk

import (
	"slices"

	"github.com/git-sage/git-sage/codeindex/internal/segment"
	"github.com/git-sage/git-sage/codeindex/internal/words"
)

// A tally counts the terms of one chunk after another. It is a table by their hash that is
// never cleared: a map for each chunk took a fifth of the time in which Go is indexed.
type tally struct {
	slots []slot // a power of two of them, half of which are free at least
	now   uint32 // the chunk
	list  []segment.Count
}

type slot struct {
	term words.Term
	of   uint32 // the chunk in which it was met
	at   uint32 // in list
}

func newTally() *tally { return &tally{slots: make([]slot, 1<<11), now: 1} }

// of is the count of a term, which may be new. It holds until the next call.
func (t *tally) of(term words.Term) *segment.TF {
	mask := uint64(len(t.slots) - 1)
	i := uint64(term) & mask
	for ; t.slots[i].of == t.now; i = (i + 1) & mask {
		if t.slots[i].term == term {
			return &t.list[t.slots[i].at].TF
		}
	}
	t.slots[i] = slot{term, t.now, uint32(len(t.list))}
	t.list = append(t.list, segment.Count{Term: term})
	if 2*len(t.list) > len(t.slots) {
		t.grow()
	}
	return &t.list[len(t.list)-1].TF
}

func (t *tally) grow() {
	list := t.list
	*t = tally{slots: make([]slot, 2*len(t.slots)), now: 1, list: make([]segment.Count, 0, 2*len(list))}
	for _, c := range list {
		*t.of(c.Term) = c.TF
	}
}

// take returns what was counted, in the order in which it was met, and begins again.
func (t *tally) take() []segment.Count {
	out := slices.Clone(t.list)
	t.list = t.list[:0]
	if t.now++; t.now == 0 { // after four thousand million chunks
		clear(t.slots)
		t.now = 1
	}
	return out
}
