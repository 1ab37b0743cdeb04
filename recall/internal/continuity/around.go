package continuity

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/prose/cut"
	"github.com/git-sage/git-sage/recall/doc"
	"github.com/git-sage/git-sage/recall/index"
	"github.com/git-sage/git-sage/recall/internal/knowledge"
	"github.com/git-sage/git-sage/recall/internal/stores"
	"github.com/git-sage/git-sage/recall/prompts"
	"github.com/git-sage/git-sage/recall/rank"
	"github.com/git-sage/git-sage/recall/search"
)

const (
	mostLinked   = 5
	mostFailures = 3
	mostFiles    = 50  // of a checkpoint, that items may be about
	askedAround  = 240 // bytes of question and thesis, 60 tokens: a model takes as long as a question is
	aroundTokens = 150 // of one item: as much as a person says of it
)

// around are the items that a checkpoint is linked to, and the failures that fit it.
// Somebody waits for them.
func (rs *Restorer) around(ctx context.Context, c *sage.Checkpoint) (linked, failures []search.Recalled, err error) {
	sources, err := rs.stores.Sources(ctx)
	if err != nil {
		return nil, nil, err
	}
	defer sources.Close()
	for _, src := range sources {
		rs.stores.Complain(src.Ready(ctx, true, false)) // what is there is looked at
	}
	o := rs.prompts.Scoped(ctx, prompts.RecallOptions{Quick: true})
	about, failed, err := look(ctx, sources, filesOf(c), o)
	if err != nil {
		return nil, nil, err
	}
	if linked, err = rs.linked(ctx, sources, c, about, o); err != nil {
		return nil, nil, err
	}
	failures, err = rs.failures(ctx, sources, c, failed, o)
	failures = slices.DeleteFunc(failures, func(r search.Recalled) bool { return slices.ContainsFunc(linked, r.Is) })
	return shortened(linked), shortened(failures), err
}

// look goes over all items, once: it returns the keys of those about one of some files,
// and of failures, as far as they may be recalled.
func look(ctx context.Context, l stores.Sources, files []string, o prompts.RecallOptions) (about, failed []string, err error) {
	for _, src := range l {
		err = cmp.Or(err, src.Index.Each(func(d *index.Meta) bool {
			takes := d.Kind == doc.Item && o.Takes(d)
			if takes && d.Type == string(sage.Failure) {
				failed = append(failed, d.Key)
			}
			if takes && len(about) < mostLinked && len(d.Paths) > 0 && rank.NamedPath(d.Paths, files) != "" {
				about = append(about, d.Key)
			}
			return ctx.Err() == nil
		}))
	}
	return about, failed, cmp.Or(err, ctx.Err())
}

// failures are those that fit a checkpoint, of some. Where there are none no model is
// asked.
func (rs *Restorer) failures(ctx context.Context, l stores.Sources, c *sage.Checkpoint, keys []string, o prompts.RecallOptions) ([]search.Recalled, error) {
	if len(keys) == 0 {
		return nil, nil
	}
	o.Types, o.MaxItems = []sage.ItemType{sage.Failure}, mostFailures
	found, err := rs.prompts.RecallOf(ctx, l, keys, strings.ToValidUTF8(cut.Bytes(c.CoreQuestion+"\n"+c.Thesis, askedAround), ""), o)
	if err != nil {
		return nil, err
	}
	return found.Items, nil
}

// shortened keeps of each item what its beginning says.
func shortened(items []search.Recalled) []search.Recalled {
	for i := range items {
		if items[i].Item.Tokens() > aroundTokens {
			items[i].Excerpt = aroundTokens
		}
	}
	return items
}

// linked are the items that a checkpoint is linked to, most first: those that were in
// front of its author, those about the files that it cites or changed, and those that
// the first are linked with, whoever points to whom.
func (rs *Restorer) linked(ctx context.Context, l stores.Sources, c *sage.Checkpoint, about []string, o prompts.RecallOptions) (out []search.Recalled, err error) {
	var keys []string
	for _, id := range c.KnowledgeRecalled {
		keys = append(keys, doc.ItemKey(id))
	}
	next, err := linksOf(ctx, l, cut.First(keys, mostLinked))
	if err != nil {
		return nil, err
	}
	for _, key := range slices.Concat(keys, about, next) {
		if r, ok := rs.named(ctx, l, key, o); ok && !slices.ContainsFunc(out, r.Is) {
			out = append(out, r)
		}
		if len(out) == mostLinked {
			break
		}
	}
	return out, ctx.Err()
}

// filesOf are the files that a checkpoint cites or changed, between slashes.
func filesOf(c *sage.Checkpoint) (out []string) {
	files := slices.Clone(c.FilesChanged)
	for _, r := range c.CodeRefs {
		files = append(files, r.File)
	}
	for _, f := range cut.First(files, mostFiles) {
		out = append(out, "/"+strings.Trim(f, "/")+"/")
	}
	return out
}

// linksOf are the keys of what items point to, or is pointed to by.
func linksOf(ctx context.Context, l stores.Sources, keys []string) (out []string, err error) {
	for _, key := range keys {
		for _, src := range l {
			if m, err := src.Index.Get(key); err == nil && m != nil {
				out = append(out, m.Links...)
			}
			from, err := src.Index.Pointing(ctx, key)
			if err != nil {
				return nil, err
			}
			out = append(out, from...)
		}
	}
	return out, nil
}

// named is the item of a key as the first store that has it has it, if it may be shown.
func (rs *Restorer) named(ctx context.Context, l stores.Sources, key string, o prompts.RecallOptions) (r search.Recalled, ok bool) {
	for _, src := range l {
		d, err := src.Index.Get(key)
		if err != nil || d == nil {
			continue
		}
		if !knowledge.Holds(sage.Status(d.Status)) || o.Bar(d) != "" {
			return r, false
		}
		k, err := rs.knowledge.Item(ctx, doc.ID(key))
		return search.Recalled{Known: k, Scored: rank.Scored{Hit: &index.Hit{Meta: d}}}, err == nil && k.Err == nil
	}
	return r, false
}
