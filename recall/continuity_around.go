package recall

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/recall/index"
)

const (
	mostLinked   = 5
	mostFailures = 3
	mostFiles    = 50   // of a checkpoint, that items may be about
	askedAround  = 2000 // bytes of question and thesis; the model reads 512 tokens
	aroundTokens = 150  // of one item: as much as a person says of it
)

// around are the items that a checkpoint is linked to, and the failures that fit it.
// Somebody waits for them.
func (m *Memory) around(ctx context.Context, c *sage.Checkpoint) (linked, failures []Recalled, err error) {
	shelves, err := m.shelves(ctx)
	if err != nil {
		return nil, nil, err
	}
	defer shelves.close()
	o := RecallOptions{Types: []sage.ItemType{sage.Failure}, MaxItems: mostFailures, Quick: true,
		skill: sync.OnceValue(func() string { return m.Skill(ctx) })}
	query := strings.ToValidUTF8(clipped(c.CoreQuestion+"\n"+c.Thesis, askedAround), "")
	found, err := shelves.recall(ctx, query, o)
	if err != nil {
		return nil, nil, err
	}
	o.Types = nil
	if linked, err = shelves.linked(ctx, c, o); err != nil {
		return nil, nil, err
	}
	failures = slices.DeleteFunc(found.Items, func(r Recalled) bool { return slices.ContainsFunc(linked, r.is) })
	return brief(linked), brief(failures), nil
}

// brief keeps of each item what its beginning says.
func brief(items []Recalled) []Recalled {
	for i := range items {
		if items[i].Item.Tokens() > aroundTokens {
			items[i].Excerpt = aroundTokens
		}
	}
	return items
}

// is reports whether both are the same item.
func (r Recalled) is(o Recalled) bool { return r.Item.ID == o.Item.ID }

// linked are the items that a checkpoint is linked to, most first: those that were in
// front of its author, those about the files that it cites or changed, and those that
// the first are linked with, whoever points to whom.
func (l shelves) linked(ctx context.Context, c *sage.Checkpoint, o RecallOptions) (out []Recalled, err error) {
	var keys []string
	for _, id := range c.KnowledgeRecalled {
		keys = append(keys, itemKey(id))
	}
	next, err := l.linksOf(ctx, first(keys, mostLinked))
	if err != nil {
		return nil, err
	}
	about, err := l.about(ctx, filesOf(c), o)
	if err != nil {
		return nil, err
	}
	for _, key := range slices.Concat(keys, about, next) {
		if r, ok := l.named(ctx, key, o); ok && !slices.ContainsFunc(out, r.is) {
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
	for _, f := range first(files, mostFiles) {
		out = append(out, "/"+strings.Trim(f, "/")+"/")
	}
	return out
}

// linksOf are the keys of what items point to, or is pointed to by.
func (l shelves) linksOf(ctx context.Context, keys []string) (out []string, err error) {
	for _, key := range keys {
		for _, sh := range l {
			if m, err := sh.index.Get(key); err == nil && m != nil {
				out = append(out, m.Links...)
			}
			from, err := sh.index.Pointing(ctx, key)
			if err != nil {
				return nil, err
			}
			out = append(out, from...)
		}
	}
	return out, nil
}

// about are the keys of items about one of some files.
func (l shelves) about(ctx context.Context, files []string, o RecallOptions) (keys []string, err error) {
	for _, sh := range l {
		if len(files) == 0 || err != nil {
			break
		}
		err = sh.index.Each(func(d *index.Meta) bool {
			if d.Kind == kindItem && len(d.Paths) > 0 && namedPath(d.Paths, files) != "" && o.takes(d) {
				keys = append(keys, d.Key)
			}
			return ctx.Err() == nil && len(keys) < mostLinked
		})
	}
	return keys, err
}

// named is the item of a key as the first store that has it has it, if it may be shown.
func (l shelves) named(ctx context.Context, key string, o RecallOptions) (r Recalled, ok bool) {
	for _, sh := range l {
		m, err := sh.index.Get(key)
		if err != nil || m == nil {
			continue
		}
		status := sage.Status(m.Status)
		if !slices.Contains(holds, status) || o.bar(m) != "" {
			return r, false
		}
		k, err := l[0].m.Item(ctx, keyID(key))
		return Recalled{k, Scored{Hit: &index.Hit{Meta: m}}}, err == nil && k.Err == nil
	}
	return r, false
}
