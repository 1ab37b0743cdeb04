package cleanse

import (
	"strings"

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
	if was.kind != is.kind || !was.Ours || !is.Ours || is.kind == record.KindKnowledge || !IsLess(was.head, is.head) && !strings.Contains(was.head, "gpgsig") {
		return false
	}
	if was.Tree == is.Tree {
		return IsLess(was.Message, is.Message)
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
