package prompts

import (
	"context"
	"slices"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/prose/cut"
	"github.com/git-sage/git-sage/recall/doc"
	"github.com/git-sage/git-sage/recall/index"
	"github.com/git-sage/git-sage/recall/internal/knowledge"
	"github.com/git-sage/git-sage/recall/internal/stores"
	"github.com/git-sage/git-sage/recall/rank"
	"github.com/git-sage/git-sage/recall/search"
)

// OnActs are the items of which an agent should see the titles for what it does: what holds,
// is known to be true here, and was not given in the session before, by its key in seen.
func (re *Recaller) OnActs(ctx context.Context, acts []rank.Act, seen map[string]string) (out []search.Recalled, err error) {
	if len(acts) == 0 {
		return nil, nil
	}
	list, err := re.stores.SourcesFor(ctx, nil)
	if err != nil {
		return nil, err
	}
	defer list.Close()
	o := re.Scoped(ctx, RecallOptions{})
	takes := func(src *stores.Source, d *index.Meta) bool {
		return d.Kind == doc.Item && knowledge.Holds(sage.Status(d.Status)) && o.Takes(d) && !src.IsShadowed(d) &&
			(d.Blob == "" || seen[d.Key] != d.Blob) && seen[search.TitleKey(d.Key)] == ""
	}
	var chosen [][]rank.Scored
	for _, src := range list {
		if err := src.ReadySoon(ctx); err != nil {
			return nil, err
		}
		for _, a := range acts {
			var some []rank.Scored
			err := src.Whole(ctx, func() (err error) { some, err = onAct(ctx, src, a, takes); return err })
			if err != nil {
				return nil, err
			}
			chosen = append(chosen, some)
		}
	}
	best := rank.BestOnActs(chosen)
	var known Recall
	err = re.mayTell(ctx, list, "", cut.First(best, 3*rank.MostActs), &known) // some of which may not be told
	return cut.First(known.Maybe, rank.MostActs), err
}

// onAct asks a sidecar for what has the words of an act, or is about a path that it names.
// What the store knows by the words is the same whether or not an item was given before.
func onAct(ctx context.Context, src *stores.Source, a rank.Act, takes func(*stores.Source, *index.Meta) bool) (out []rank.Scored, err error) {
	found, err := src.Index.Search(ctx, a.Query())
	if err != nil {
		return nil, err
	}
	for _, s := range a.Choose(found) {
		if takes(src, s.Meta) {
			out = append(out, s)
		}
	}
	for _, p := range a.Paths {
		about, err := src.Index.About(ctx, pathsTo(p)...)
		if err != nil {
			return nil, err
		}
		about = slices.DeleteFunc(about, func(d *index.Meta) bool { return !takes(src, d) })
		if len(about) > rank.SharedBy { // as of a prompt that names a path
			about = slices.DeleteFunc(about, (*index.Meta).IsForeign)
		}
		if len(about) > rank.SharedBy {
			continue
		}
		for _, d := range about {
			out = append(out, rank.Scored{Hit: &index.Hit{Meta: d}, Score: 1})
		}
	}
	return out, nil
}
