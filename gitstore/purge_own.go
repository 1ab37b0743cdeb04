package gitstore

import (
	"context"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/sage"
)

// keepOwn has this user stand for what the purge made of what was theirs, if it says
// nothing that the old did not say: what a record names in the place of something may be
// anybody's.
func (p *purge) keepOwn(ctx context.Context, moves []move) error {
	s, isOwn := p.s, p.s.owner()
	var own []string
	for old, now := range p.clean.commits {
		if len(now) == 1 && now[0] != old && isOwn(old) && !isOwn(now[0]) && p.clean.saysNoMore(old, now[0]) {
			own = append(own, now[0])
		}
	}
	slices.Sort(own)
	for _, m := range moves {
		if m.ref == KnowledgeRef && m.old != "" && m.new != "" {
			own = append(own, p.ownItems(m.old, m.new)...)
		}
	}
	s.claim(making{versions: p.ownVersions()})
	if err := ctx.Err(); err != nil || len(own) == 0 {
		return err
	}
	return s.vouch(own...)
}

// saysNoMore reports whether a commit says nothing that the one whose place it takes does
// not say.
func (c *cleaner) saysNoMore(old, now string) bool {
	a, err := c.get(old)
	b, err2 := c.get(now)
	if err != nil || err2 != nil || a.Type != "commit" || b.Type != "commit" {
		return false
	}
	was, is := parseRaw(old, a.Data), parseRaw(now, b.Data)
	if was.kind != is.kind || !was.ours || !is.ours || is.kind == kindKnowledge || !isLess(was.head, is.head) && !strings.Contains(was.head, "gpgsig") {
		return false
	}
	if was.tree == is.tree {
		return isLess(was.message, is.message)
	}
	text, err := c.checkpointOf(was.tree)
	now2, err2 := c.checkpointOf(is.tree)
	if err != nil || err2 != nil || !areLess("checkpoint.md", text, now2) {
		return false
	}
	cp, err := sage.Parse(now2)
	if err != nil {
		return false
	}
	told := message(cp, is.kind, sage.Describe(cp, cp.MessageCount))
	rest, ok := strings.CutPrefix(is.message, told)
	return ok && isLess(was.message, rest) || isLess(was.message, is.message)
}

// ownItems are the sums of the items at a new tip that were this user's at the old one.
func (p *purge) ownItems(old, now string) (sums []string) {
	before := map[string]string{}
	for _, f := range p.itemsAt(old) {
		before[f.name] = f.id
	}
	for _, f := range p.itemsAt(now) {
		id, ok := before[f.name]
		if !ok || id == f.id {
			continue
		}
		a, err := p.clean.get(id)
		b, err2 := p.clean.get(f.id)
		if err != nil || err2 != nil || !areLess(f.name, a.Data, b.Data) {
			continue
		}
		was, is := readItem(f.name, git.Object{ID: id, Data: a.Data}), readItem(f.name, git.Object{ID: f.id, Data: b.Data})
		if p.s.IsOwnItem(was) && is.Err == nil {
			sums = append(sums, sumsOf(is.Key, is.Item, p.s.Vouched(AlwaysSum(was)))...)
		}
	}
	return sums
}

// ownVersions are what takes the place of versions that this user left; what is listed of
// them is written anew when history is, see forgetVersions.
func (p *purge) ownVersions() (list []version) {
	p.s.versions().each(func(v version) {
		became := p.clean.did[v.blob]
		if became.gone || len(became.now) != 1 {
			return
		}
		a, err := p.clean.get(v.blob)
		b, err2 := p.clean.get(became.now[0])
		if err == nil && err2 == nil && areLess(itemPath(v.key), a.Data, b.Data) {
			list = append(list, version{became.now[0], v.key})
		}
	})
	return list
}

// itemsAt are the files of items, notes and skills at a tip of the knowledge.
func (p *purge) itemsAt(tip string) (files []treeEntry) {
	root, err := p.clean.get(tip)
	if err != nil {
		return nil
	}
	for _, e := range p.folder(parseRaw(tip, root.Data).tree) {
		if e.mode == modeDir && (e.name == itemsDir || e.name == systemDir || e.name == skillsDir) {
			files = append(files, p.filesIn(e.name, e.id, 0)...)
		}
	}
	return files
}

func (p *purge) folder(tree string) []treeEntry {
	o, err := p.clean.get(tree)
	if err != nil {
		return nil
	}
	return parseTree(o.Data, p.s.idSize())
}

func (p *purge) filesIn(dir, tree string, depth int) (files []treeEntry) {
	for _, e := range p.folder(tree) {
		e.name = dir + "/" + e.name
		switch {
		case e.mode == modeDir && depth < maxDepth:
			files = append(files, p.filesIn(e.name, e.id, depth+1)...)
		case isItemPath(e.name):
			files = append(files, e)
		}
	}
	return files
}

// areLess is isLess of all that two forms of a file say.
func areLess(name string, old, now []byte) bool {
	was, is := texts(name, old), texts(name, now)
	if len(was) != len(is) {
		return false
	}
	for i := range is {
		if !isLess(was[i], is[i]) {
			return false
		}
	}
	return true
}

// isLess reports whether a text is another without parts of it, in whose place purgedText
// stands.
func isLess(old, now string) bool {
	parts := strings.Split(now, purgedText)
	rest, ok := strings.CutPrefix(old, parts[0])
	if len(parts) == 1 || !ok {
		return ok && rest == ""
	}
	last := parts[len(parts)-1]
	for _, part := range parts[1 : len(parts)-1] {
		_, after, found := strings.Cut(rest, part)
		if !found {
			return false
		}
		rest = after
	}
	return strings.HasSuffix(rest, last)
}

// forgetVouched returns what is left of a line of sage/vouched behind a purge: of sums
// those of what is here now, since a sum of what was taken out would let it be guessed.
func (s *Store) forgetVouched(ctx context.Context) (func(ledgerLine) ledgerLine, error) {
	now := map[string]bool{}
	items, err := s.everyItem(ctx)
	if err != nil {
		return nil, err
	}
	for _, e := range items {
		if e.Err == nil {
			now[sumOf(e.Key, e.Item, false)], now[sumOf(e.Key, e.Item, true)], now[version{e.Blob, e.Key}.claim()] = true, true, true
		}
	}
	core, err := s.CoreFiles(ctx)
	for _, c := range core {
		now[sumOfCore(c.Path, c.Summary)] = true
	}
	return func(l ledgerLine) ledgerLine {
		if len(l.id) == sumSize && !now[l.id] {
			if _, err := s.commitRecord(l.id); err != nil {
				return ledgerLine{}
			}
		}
		if id, gone := s.purged(l.id); id != l.id || gone {
			return ledgerLine{}
		}
		return l
	}, err
}
