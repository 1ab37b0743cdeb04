package knowledge

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/recall/doc"
	"github.com/git-sage/git-sage/recall/index"
	"github.com/git-sage/git-sage/recall/internal/stores"
)

// PendingTodos lists what is still to be done here, and what of the person's own, by id, what came
// from elsewhere last.
// Of equal ids the repository's counts.
func (kn *Collection) PendingTodos(ctx context.Context) ([]Known, error) {
	var out []Known
	err := kn.stores.EachStore(ctx, func(s *gitstore.Store, own bool) error {
		items, err := kn.InState(ctx, s, own, PendingTodo)
		for _, k := range items {
			if !PendingTodo.Has(k) {
				continue
			}
			if _, err := kn.stores.Store.Knowledge.Item(ctx, k.Key); s == kn.stores.Store || errors.Is(err, gitstore.ErrNotFound) {
				out = append(out, k)
			}
		}
		return err
	})
	slices.SortFunc(out, func(a, b Known) int { return strings.Compare(a.Item.ID, b.Item.ID) })
	return kn.OursFirst(out), err
}

// A typeInState is a type of items with a status, by which the sidecar lists them.
type typeInState struct {
	of sage.ItemType
	is sage.Status
}

var (
	PendingTodo      = typeInState{sage.Todo, sage.Pending}
	ActivePreference = typeInState{sage.Preference, sage.Active}
)

func (t typeInState) Has(k Known) bool {
	return k.Err == nil && k.Item.Type == t.of && k.Item.Status == t.is
}

// InState are items of a store among which are those of some types that have a status: those
// that the sidecar names, if it is up to date, else all that may be. Of 10,000 items that is a
// hundredth of the time.
func (kn *Collection) InState(ctx context.Context, s *gitstore.Store, own bool, types ...typeInState) (out []Known, err error) {
	docs, ok := docsInState(ctx, kn.stores.SourceOf(s, own, nil), types)
	if !ok {
		var names []string
		for _, t := range types {
			names = append(names, string(t.of)) // it stands in the file
		}
		items, err := s.Knowledge.ItemsNaming(ctx, names...)
		for _, e := range items {
			out = append(out, Known{ItemEntry: e, Own: own})
		}
		out, _ = kn.admitted(ctx, out)
		return out, err
	}
	for _, d := range docs {
		e, err := s.Knowledge.Item(ctx, doc.ID(d.Key))
		if err != nil && !errors.Is(err, gitstore.ErrNotFound) {
			return nil, err
		}
		if err == nil {
			out = append(out, Known{ItemEntry: e, Own: own, Doc: d})
		}
	}
	out, _ = kn.admitted(ctx, out)
	return out, ctx.Err()
}

// docsInState are the documents that the sidecar holds for such; false if it is not up to date,
// which nobody waits for here.
func docsInState(ctx context.Context, src *stores.Source, types []typeInState) (docs []*index.Meta, ok bool) {
	tip, err := src.Store.History.StateTip(ctx)
	if err != nil || src.Open() != nil {
		return nil, false
	}
	defer stores.Sources{src}.Close()
	if tips, err := src.Index.Tips(); err != nil || tips[gitstore.KnowledgeRef] != tip {
		return nil, false
	}
	for _, t := range types {
		some, err := src.Index.InState(ctx, string(t.of), string(t.is))
		if err != nil {
			return nil, false
		}
		docs = append(docs, some...)
	}
	return docs, true
}
