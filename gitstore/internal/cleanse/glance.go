package cleanse

import (
	"bytes"
	"cmp"
	"context"
	"path"

	"github.com/git-sage/git-sage/gitstore/internal/bulk"
	"github.com/git-sage/git-sage/gitstore/internal/git"
)

// glance goes through history in bulk, and works on each commit when what it holds
// is at hand: alone each object takes 80 µs. It reports whether that was all of
// history; what it leaves out is for whoever asks for it.
func (c *Cleaner) glance(ctx context.Context, revs string) (whole bool, err error) {
	c.warmed = map[string]git.Object{}
	defer func() { c.warmed = nil }()
	at := ""
	args := append(c.needed(), "--topo-order", "--reverse", "--missing=allow-any", "--ignore-missing")
	for part := range bulk.Ahead(bulk.Reached(ctx, c.s.repo.Git, revs, &whole, args...), c.lookAt) {
		for _, o := range part {
			if o.Typ == "commit" {
				if err := c.workedOn(ctx, at); err != nil {
					return false, err
				}
				at = o.ID
			}
			c.warmUp(o)
		}
	}
	return whole, c.workedOn(ctx, at)
}

// workedOn works on a commit whose objects were read, if there is one, and lets go
// of them.
func (c *Cleaner) workedOn(ctx context.Context, id string) error {
	if id == "" {
		return nil
	}
	err := c.one(ctx, id)
	clear(c.warmed)
	return err
}

// needed says in words of git rev-list what of history is to be read.
func (c *Cleaner) needed() []string {
	switch {
	case c.Rule.Match != nil:
		return []string{"--objects", "--in-commit-order"}
	case c.treesStay():
		return nil
	}
	return []string{"--objects", "--in-commit-order", "--filter=blob:none"}
}

// treesStay reports whether nothing can change but which commits there are.
func (c *Cleaner) treesStay() bool {
	return c.Rule.Match == nil && c.Rule.Path == "" && !c.Rule.Foreign && len(c.Known) == 0
}

// lookAt looks at each object of a part by itself. A file is clear in which the
// pattern finds nothing, in whatever way it is read.
func (c *Cleaner) lookAt(part []bulk.Found) []bulk.Found {
	for i, o := range part {
		part[i].Good = o.IsGood(c.s.repo.Objects)
		part[i].Clear = c.Rule.Hint != "" && !bytes.Contains(o.Data, []byte(c.Rule.Hint)) && verbatim(o.Data)
	}
	return part
}

// warmUp takes in an object. Of a file it notes whether the pattern leaves it as
// it is, as it does with most.
func (c *Cleaner) warmUp(o bulk.Found) {
	switch form := form(path.Base(o.Path)); {
	case !o.Good:
	case o.Typ != "blob":
		c.warmed[o.ID] = git.Object{ID: o.ID, Type: o.Typ, Data: bytes.Clone(o.Data)}
	case o.Path != "" && (o.Clear || c.spares(form, o.Data)):
		c.spared[o.ID+form] = struct{}{}
	}
}

// spares reports whether the pattern takes nothing out of a file.
func (c *Cleaner) spares(form string, data []byte) bool {
	text, err := c.cleanText(c.Rule.Match, form, string(data))
	return err == nil && text == string(data)
}

// one works on a commit.
func (c *Cleaner) one(ctx context.Context, id string) error {
	if _, err := c.commit(id); err != nil {
		return err
	}
	return cmp.Or(ctx.Err(), c.unread)
}
