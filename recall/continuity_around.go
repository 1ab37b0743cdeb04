package recall

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/prose/cut"
	"github.com/git-sage/git-sage/recall/doc"
	"github.com/git-sage/git-sage/recall/index"
	"github.com/git-sage/git-sage/recall/rank"
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
func (m *Memory) around(ctx context.Context, c *sage.Checkpoint) (linked, failures []Recalled, err error) {
	shelves, err := m.shelves(ctx)
	if err != nil {
		return nil, nil, err
	}
	defer shelves.close()
	for _, sh := range shelves {
		m.complain(sh.Ready(ctx, true, false)) // what is there is looked at
	}
	o := m.scoped(ctx, RecallOptions{Quick: true})
	about, failed, err := look(ctx, shelves, filesOf(c), o)
	if err != nil {
		return nil, nil, err
	}
	if linked, err = m.linked(ctx, shelves, c, about, o); err != nil {
		return nil, nil, err
	}
	failures, err = m.failures(ctx, shelves, c, failed, o)
	failures = slices.DeleteFunc(failures, func(r Recalled) bool { return slices.ContainsFunc(linked, r.is) })
	return shortened(linked), shortened(failures), err
}

// look goes over all items, once: it returns the keys of those about one of some files,
// and of failures, as far as they may be recalled.
func look(ctx context.Context, l shelves, files []string, o RecallOptions) (about, failed []string, err error) {
	for _, sh := range l {
		err = cmp.Or(err, sh.Index.Each(func(d *index.Meta) bool {
			takes := d.Kind == doc.Item && o.takes(d)
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
func (m *Memory) failures(ctx context.Context, l shelves, c *sage.Checkpoint, keys []string, o RecallOptions) ([]Recalled, error) {
	if len(keys) == 0 {
		return nil, nil
	}
	o.Types, o.MaxItems = []sage.ItemType{sage.Failure}, mostFailures
	found, err := m.recallOf(ctx, l, keys, strings.ToValidUTF8(cut.Bytes(c.CoreQuestion+"\n"+c.Thesis, askedAround), ""), o)
	if err != nil {
		return nil, err
	}
	return found.Items, nil
}

// shortened keeps of each item what its beginning says.
func shortened(items []Recalled) []Recalled {
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
func (m *Memory) linked(ctx context.Context, l shelves, c *sage.Checkpoint, about []string, o RecallOptions) (out []Recalled, err error) {
	var keys []string
	for _, id := range c.KnowledgeRecalled {
		keys = append(keys, doc.ItemKey(id))
	}
	next, err := linksOf(ctx, l, cut.First(keys, mostLinked))
	if err != nil {
		return nil, err
	}
	for _, key := range slices.Concat(keys, about, next) {
		if r, ok := m.named(ctx, l, key, o); ok && !slices.ContainsFunc(out, r.is) {
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
func linksOf(ctx context.Context, l shelves, keys []string) (out []string, err error) {
	for _, key := range keys {
		for _, sh := range l {
			if m, err := sh.Index.Get(key); err == nil && m != nil {
				out = append(out, m.Links...)
			}
			from, err := sh.Index.Pointing(ctx, key)
			if err != nil {
				return nil, err
			}
			out = append(out, from...)
		}
	}
	return out, nil
}

// named is the item of a key as the first store that has it has it, if it may be shown.
func (m *Memory) named(ctx context.Context, l shelves, key string, o RecallOptions) (r Recalled, ok bool) {
	for _, sh := range l {
		d, err := sh.Index.Get(key)
		if err != nil || d == nil {
			continue
		}
		if !holds(sage.Status(d.Status)) || o.bar(d) != "" {
			return r, false
		}
		k, err := m.Item(ctx, doc.ID(key))
		return Recalled{k, rank.Scored{Hit: &index.Hit{Meta: d}}}, err == nil && k.Err == nil
	}
	return r, false
}
