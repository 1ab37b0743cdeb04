package cleanse

import (
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/contents"
	"github.com/git-sage/git-sage/gitstore/internal/gittree"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/codec"
)

// SaysNoMore reports whether a commit says nothing that the one whose place it takes does
// not say.
func (c *Cleaner) SaysNoMore(old, now string) bool {
	a, err := c.Get(old)
	b, err2 := c.Get(now)
	if err != nil || err2 != nil || a.Type != "commit" || b.Type != "commit" {
		return false
	}
	was, is := ParseRaw(old, a.Data), ParseRaw(now, b.Data)
	if was.kind != is.kind || !was.Ours || !is.Ours || !IsLess(was.head, is.head) && !strings.Contains(was.head, "gpgsig") {
		return false
	}
	if is.kind == record.KindTombstone {
		return namesNoMore(was, is)
	}
	if was.Tree == is.Tree {
		return IsLess(was.Message, is.Message)
	}
	if is.kind == record.KindKnowledge {
		return IsLess(was.Message, is.Message) && c.treeSaysNoMore(was.Tree, is.Tree, "")
	}
	text, err := c.checkpointOf(was.Tree)
	now2, err2 := c.checkpointOf(is.Tree)
	if err != nil || err2 != nil || !AreLess("checkpoint.md", text, now2) {
		return false
	}
	cp, err := codec.Parse(now2)
	if err != nil {
		return false
	}
	told := record.Message(cp, is.kind, sage.Describe(cp, cp.MessageCount))
	rest, ok := strings.CutPrefix(is.Message, told)
	return ok && IsLess(was.Message, rest) || IsLess(was.Message, is.Message)
}

// namesNoMore reports whether a tombstone has the ids of another, or fewer, and no more words.
func namesNoMore(was, is rawCommit) bool {
	beside := func(had, has []string) bool {
		return slices.ContainsFunc(has, func(id string) bool { return !slices.Contains(had, id) })
	}
	if beside(was.writerRecord.Removes, is.writerRecord.Removes) || beside(was.writerRecord.Restores, is.writerRecord.Restores) {
		return false
	}
	_, old, _ := strings.Cut(was.Message, "\n")
	_, now, _ := strings.Cut(is.Message, "\n")
	verb, id, _ := strings.Cut(is.subject(), " ")
	told := is.subject() == was.subject() || strings.HasPrefix(was.subject(), verb+" ") && len(was.writerRecord.IDs()) > 0 && id == record.Short(was.writerRecord.IDs()[0])
	return told && !beside(strings.Split(old, "\n"), strings.Split(now, "\n"))
}

// treeSaysNoMore reports whether each file of a tree of the knowledge says what the one at its
// place in another says, or less; those that are gone are none.
func (c *Cleaner) treeSaysNoMore(old, now, dir string) bool {
	a, err := c.Get(old)
	b, err2 := c.Get(now)
	if err != nil || err2 != nil || a.Type != "tree" || b.Type != "tree" || strings.Count(dir, "/") > contents.MaxDepth {
		return false
	}
	was := map[string]gittree.Entry{}
	for _, e := range gittree.Parse(a.Data, c.s.repo.IDSize()) {
		was[e.Name] = e
	}
	for _, e := range gittree.Parse(b.Data, c.s.repo.IDSize()) {
		x, ok := was[e.Name]
		switch {
		case !ok || x.Mode != e.Mode:
			return false
		case x.ID == e.ID:
		case e.Mode == gittree.ModeDir:
			if !c.treeSaysNoMore(x.ID, e.ID, dir+e.Name+"/") {
				return false
			}
		default:
			a, err := c.Get(x.ID)
			b, err2 := c.Get(e.ID)
			if err != nil || err2 != nil || a.Type != "blob" || b.Type != "blob" || !AreLess(dir+e.Name, a.Data, b.Data) {
				return false
			}
		}
	}
	return true
}

// AreLess is IsLess of all that two forms of a file say.
func AreLess(name string, old, now []byte) bool {
	was, is := texts(name, old), texts(name, now)
	if len(was) != len(is) {
		return false
	}
	for i := range is {
		if !IsLess(was[i], is[i]) {
			return false
		}
	}
	return true
}

// IsLess reports whether a text is another without parts of it, in whose place PurgedText
// stands.
func IsLess(old, now string) bool {
	parts := strings.Split(now, record.PurgedText)
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
