package api

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/cmd/internal/cli/knowledge"
	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/cmd/internal/item"
	"github.com/git-sage/git-sage/cmd/internal/wire"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/merge"
	"github.com/git-sage/git-sage/internal/hint"
	"github.com/git-sage/git-sage/recall"
)

// Knowledge is a list of items, pinned notes and core files.
type Knowledge struct {
	Items  []wire.Item `json:"items"`
	Core   []wire.Core `json:"core"`
	Hidden int         `json:"hidden"` // for their age
}

// knowledge is 'git sage list'.
func (*API) knowledge(ctx context.Context, c call) (any, error) {
	q := c.URL.Query()
	o := knowledge.ListOptions{Kinds: slices.Concat(q["type"], q["kind"]), Statuses: slices.Concat(q["status"], q["tag"]), Skill: q.Get("skill"), All: q.Get("all") != ""}
	list, hidden, err := o.Objects(ctx, c.m)
	if err != nil {
		return nil, err
	}
	out := Knowledge{Items: []wire.Item{}, Core: []wire.Core{}, Hidden: hidden}
	words := strings.Fields(strings.ToLower(q.Get("q")))
	for _, one := range list {
		if !hasWords(one, words) {
			continue
		}
		switch one := one.(type) {
		case wire.Item:
			out.Items = append(out.Items, one)
		case wire.Core:
			out.Core = append(out.Core, one)
		}
	}
	return out, nil
}

// hasWords reports whether what is told of something has all of some words.
func hasWords(v any, words []string) bool {
	if len(words) == 0 {
		return true
	}
	b, err := json.Marshal(v)
	text := strings.ToLower(string(b))
	return err == nil && !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) })
}

// item is 'git sage knowledge show'.
func (*API) item(ctx context.Context, c call) (any, error) {
	return item.Object(ctx, c.m, c.PathValue("id"))
}

// An ItemEdit says what is to become of an item: a field that is not given stays as it is.
type ItemEdit struct {
	Base        string    `json:"base"` // the blob of the item as it was seen; none is an item that is to be added
	Type        *string   `json:"type,omitempty"`
	Description *string   `json:"description,omitempty"`
	Content     *string   `json:"content,omitempty"`
	Keywords    *[]string `json:"keywords,omitempty"`
	Patterns    *[]string `json:"patterns,omitempty"`
	When        *[]string `json:"when,omitempty"`
	Skills      *[]string `json:"skills,omitempty"`
	Paths       *[]string `json:"paths,omitempty"`
	Always      *bool     `json:"always,omitempty"`
	Source      *string   `json:"source,omitempty"`
	Status      *string   `json:"status,omitempty"`
	Reason      *string   `json:"reason,omitempty"`
	Replacement *string   `json:"replacement,omitempty"`
	Approach    *string   `json:"approach,omitempty"`
	WhyFailed   *string   `json:"why_failed,omitempty"`
	Learned     *string   `json:"learned,omitempty"`
	Settle      []string  `json:"settle,omitempty"` // fields in conflict of which the version counts that is given, or else the first
	Shared      bool      `json:"shared,omitempty"` // a preference that is added belongs to the repository
}

// apply makes the change.
func (e *ItemEdit) apply(it *sage.Item) {
	for _, f := range []struct {
		to   *string
		from *string
	}{
		{&it.Description, e.Description}, {&it.Content, e.Content}, {&it.Source, e.Source}, {&it.Reason, e.Reason}, {&it.Replacement, e.Replacement},
		{&it.Approach, e.Approach}, {&it.WhyFailed, e.WhyFailed}, {&it.Learned, e.Learned}, {(*string)(&it.Status), e.Status},
	} {
		if f.from != nil {
			*f.to = *f.from
		}
	}
	for _, f := range []struct{ to, from *[]string }{
		{&it.Keywords, e.Keywords}, {&it.Patterns, e.Patterns}, {&it.When, e.When}, {&it.Scope.Skills, e.Skills}, {&it.Scope.Paths, e.Paths},
	} {
		if f.from != nil {
			*f.to = slices.Clone(*f.from)
		}
	}
	if e.Type != nil {
		it.Type = sage.TypeOf(*e.Type)
	}
	if e.Always != nil {
		it.Scope.Always = *e.Always
	}
	merge.SettleItem(it, e.Settle...)
}

// Changed says what became of items.
type Changed struct {
	Written []wire.Written `json:"written"`
	Item    *wire.Item     `json:"item"` // as it is now; null if it is gone
}

// putItem changes an item as it was seen, or adds one. One that somebody else changed
// meanwhile is left as it is.
func (a *API) putItem(ctx context.Context, c call) (any, error) {
	var in ItemEdit
	if err := decode(c, &in); err != nil {
		return nil, err
	}
	key := c.PathValue("id")
	change := recall.ItemChange{ItemChange: gitstore.ItemChange{Key: key, Seen: in.Base}, Shared: in.Shared}
	k, err := c.m.Knowledge.Item(ctx, key)
	switch {
	case in.Base == "" && err == nil:
		return nil, now(ctx, c, key, gitstore.ErrExists)
	case in.Base == "" && exit.IsNotFound(err):
		change.Item = &sage.Item{ID: item.KeyName(key)}
		in.apply(change.Item)
	case err != nil:
		return nil, err
	default:
		change.Whole = k.Changed == nil // else the page shows what it was, and the review what was made of it
		change.Edit = func(it *sage.Item) error { in.apply(it); return nil }
	}
	act := "changed"
	if in.Base == "" {
		act = "added"
	}
	return changeItem(ctx, c, act, change)
}

// An ItemRemoval says as what an item that is to be removed was seen.
type ItemRemoval struct {
	Base string `json:"base"` // its blob
}

// deleteItem removes an item as it was seen.
func (a *API) deleteItem(ctx context.Context, c call) (any, error) {
	var in ItemRemoval
	if err := decode(c, &in); err != nil {
		return nil, err
	}
	if in.Base == "" {
		return nil, badRequest("base is missing: the blob of the item as it was seen")
	}
	return changeItem(ctx, c, "removed", recall.ItemChange{ItemChange: gitstore.ItemChange{Key: c.PathValue("id"), Remove: true, Seen: in.Base}})
}

// changeItem makes one change of an item, and tells what is there then.
func changeItem(ctx context.Context, c call, act string, change recall.ItemChange) (any, error) {
	written, err := c.m.Write.Items(ctx, "", change)
	if errors.Is(err, gitstore.ErrChanged) || errors.Is(err, gitstore.ErrExists) {
		return nil, now(ctx, c, change.Key, err)
	}
	if err != nil {
		return nil, item.Missing(ctx, c.m, err)
	}
	out := Changed{Written: []wire.Written{}}
	for _, w := range written {
		for _, e := range w.Items {
			did := act
			if e.Key != change.Key {
				did = "changed"
			}
			out.Written = append(out.Written, wire.WrittenOf(did, []string{change.Key}, w, e))
		}
		for _, key := range w.Removed {
			out.Written = append(out.Written, wire.Written{Act: "removed", ID: item.KeyName(key), Own: w.Own, Commit: w.Commit, Warnings: wire.NotNil(hint.Notes(w.Warnings))})
		}
	}
	if it, err := item.Object(ctx, c.m, change.Key); err == nil {
		out.Item = &it
	}
	return out, nil
}

// now is the error that something is not as it was seen, with what is there.
func now(ctx context.Context, c call, key string, err error) error {
	p := &problem{status: http.StatusConflict, error: err}
	if it, err := item.Object(ctx, c.m, key); err == nil {
		p.now = it
	}
	return p
}
