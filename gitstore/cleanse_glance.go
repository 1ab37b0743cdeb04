package gitstore

import (
	"bytes"
	"cmp"
	"context"
	"path"

	"github.com/git-sage/git-sage/gitstore/internal/git"
)

// glance goes through history in bulk, and works on each commit when what it holds
// is at hand: alone each object takes 80 µs. It reports whether that was all of
// history; what it leaves out is for whoever asks for it.
func (c *cleaner) glance(ctx context.Context, revs string) (whole bool, err error) {
	c.warmed = map[string]git.Object{}
	defer func() { c.warmed = nil }()
	at := ""
	args := append(c.needed(), "--topo-order", "--reverse", "--missing=allow-any", "--ignore-missing")
	for part := range ahead(c.s.bulks(ctx, revs, &whole, args...), c.lookAt) {
		for _, o := range part {
			if o.typ == "commit" {
				if err := c.workedOn(ctx, at); err != nil {
					return false, err
				}
				at = o.id
			}
			c.warmUp(o)
		}
	}
	return whole, c.workedOn(ctx, at)
}

// workedOn works on a commit whose objects were read, if there is one, and lets go
// of them.
func (c *cleaner) workedOn(ctx context.Context, id string) error {
	if id == "" {
		return nil
	}
	err := c.one(ctx, id)
	clear(c.warmed)
	return err
}

// needed says in words of git rev-list what of history is to be read.
func (c *cleaner) needed() []string {
	switch {
	case c.rule.match != nil:
		return []string{"--objects", "--in-commit-order"}
	case c.treesStay():
		return nil
	}
	return []string{"--objects", "--in-commit-order", "--filter=blob:none"}
}

// treesStay reports whether nothing can change but which commits there are.
func (c *cleaner) treesStay() bool {
	return c.rule.match == nil && c.rule.path == "" && !c.rule.foreign && len(c.known) == 0
}

// lookAt looks at each object of a part by itself. A file is clear in which the
// pattern finds nothing, in whatever way it is read.
func (c *cleaner) lookAt(part []found) []found {
	for i, o := range part {
		part[i].good = c.s.isGood(o)
		part[i].clear = c.rule.hint != nil && !c.rule.hint.Match(o.data) && verbatim(o.data)
	}
	return part
}

// warmUp takes in an object. Of a file it notes whether the pattern leaves it as
// it is, as it does with most.
func (c *cleaner) warmUp(o found) {
	switch form := form(path.Base(o.path)); {
	case !o.good:
	case o.typ != "blob":
		c.warmed[o.id] = git.Object{ID: o.id, Type: o.typ, Data: bytes.Clone(o.data)}
	case o.path != "" && (o.clear || c.spares(form, o.data)):
		c.spared[o.id+form] = struct{}{}
	}
}

// spares reports whether the pattern takes nothing out of a file.
func (c *cleaner) spares(form string, data []byte) bool {
	text, err := c.cleanText(c.rule.match, form, string(data))
	return err == nil && text == string(data)
}

// one works on a commit.
func (c *cleaner) one(ctx context.Context, id string) error {
	if _, err := c.commit(id); err != nil {
		return err
	}
	return cmp.Or(ctx.Err(), c.unread)
}
