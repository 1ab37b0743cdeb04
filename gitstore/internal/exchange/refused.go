package exchange

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
	"github.com/git-sage/git-sage/gitstore/remedy"
)

// A Refused is what a remote has and a merge of what was fetched did not take in. It stays
// under refs/sage/remotes/, and our own ref is what it was.
type Refused struct {
	Remote string        `json:"remote"`
	Ref    string        `json:"ref"` // our name of it, in full
	ID     string        `json:"id"`
	Why    string        `json:"why"`
	Remedy remedy.Remedy `json:"remedy,omitzero"` // the zero value if none is known
	Told   bool          `json:"told,omitempty"`  // a status has said so
}

// Name is the ref as people type it.
func (r Refused) Name() string { return refname.ShortRef(r.Ref) }

// Note is why, and what to do about it.
func (r Refused) Note() remedy.Note {
	if r.Remedy.Do == "" {
		return remedy.Note{Text: r.Why}
	}
	return remedy.Note{Text: r.Why, Remedies: []remedy.Remedy{r.Remedy}}
}

func (e *Exchange) refusedFile() string { return e.repo.Dir("refused.json") }

func (e *Exchange) readRefused() (list []Refused) {
	b, err := fsx.ReadOwn(e.refusedFile())
	if err != nil || json.Unmarshal(b, &list) != nil {
		return nil
	}
	return list
}

// keepRefused remembers what was refused of the remotes that were looked at. What cannot be
// remembered is said by the next merge.
func (f *fetching) keepRefused() {
	old := f.s.readRefused()
	list := slices.DeleteFunc(slices.Clone(old), func(r Refused) bool {
		return slices.ContainsFunc(f.offers[r.Ref], func(o offer) bool { return o.remote == r.Remote }) || !f.has(r)
	})
	for _, r := range f.refused {
		i := slices.IndexFunc(old, func(o Refused) bool { return o.Remote == r.Remote && o.Ref == r.Ref && o.ID == r.ID })
		r.Told = i >= 0 && old[i].Told
		list = append(list, r)
	}
	if slices.Equal(list, old) {
		return
	}
	if b, err := json.Marshal(list); err == nil {
		_ = fsx.WriteDerived(f.s.refusedFile(), b, 0o644)
	}
}

// has reports whether a remote has still what was refused.
func (f *fetching) has(r Refused) bool { return slices.Contains(f.known[r.Ref], offer{r.Remote, r.ID}) }

// Refusals are those that no status has told, and that are still there.
func (e *Exchange) Refusals(ctx context.Context) (list []Refused) {
	for _, r := range e.readRefused() {
		if tip, err := e.repo.Tip(ctx, refname.TrackingRef(r.Remote, r.Ref)); err == nil && tip == r.ID && !r.Told {
			list = append(list, r)
		}
	}
	return list
}

// ToldRefused notes that a person was told of what was refused.
func (e *Exchange) ToldRefused(told []Refused) error {
	list := e.readRefused()
	for i, r := range list {
		list[i].Told = r.Told || slices.Contains(told, r)
	}
	b, err := json.Marshal(list)
	if err != nil || len(told) == 0 {
		return err
	}
	return fsx.WriteDerived(e.refusedFile(), b, 0o644)
}
