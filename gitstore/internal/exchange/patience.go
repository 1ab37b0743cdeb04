package exchange

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/git-sage/git-sage/gitstore/internal/converge"
	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
)

// A patience is what a clone remembers between two calls of MergeFetched: which joins it
// made, and for how long it waits for others. It may be deleted at any time; then
// it waits once more.
type patience struct {
	Format int             `json:"format"`
	Refs   map[string]wait `json:"refs"`
	was    string
}

type wait struct {
	Made   string `json:"made,omitempty"`   // the join at the tip that was made here
	Saw    string `json:"saw,omitempty"`    // a digest of the tips that were known
	Waited int    `json:"waited,omitempty"` // tips looked at since that brought nothing
}

const patienceFormat = 1

func (e *Exchange) patienceFile() string { return e.repo.Dir("cache", "meet.json") }

func (e *Exchange) readPatience() *patience {
	w := &patience{}
	b, err := fsx.ReadOwn(e.patienceFile())
	if err != nil || json.Unmarshal(b, w) != nil || w.Format != patienceFormat || w.Refs == nil {
		w = &patience{Refs: map[string]wait{}}
	}
	w.was, w.Format = string(b), patienceFormat
	return w
}

// keep writes down what changed. Failing costs others a wait and nothing else.
func (w *patience) keep(s *Exchange) {
	if len(w.Refs) == 0 && w.was == "" {
		return
	}
	if b, err := json.Marshal(w); err == nil && string(b) != w.was {
		_ = fsx.WriteDerived(s.patienceFile(), b, 0o644)
	}
}

// made reports whether the tip of a ref is a join that was made here, and forgets
// what it knew of another tip.
func (w *patience) made(ref, tip string) bool {
	t, ok := w.Refs[ref]
	return ok && tip != "" && t.Made == tip
}

func (w *patience) joined(ref, tip string) { w.Refs[ref] = wait{Made: tip} }

// patient counts tips that brought nothing, and reports whether to wait on.
func (w *patience) patient(ref string, r converge.Ref, most int) bool {
	t := w.Refs[ref]
	known := slices.Sorted(slices.Values(r.Known))
	if saw := refname.Hash16(fmt.Sprint(r.Local, known)); saw != t.Saw {
		t.Saw, t.Waited = saw, 0
	}
	t.Waited += len(r.Offered)
	w.Refs[ref] = t
	return t.Waited <= most
}
