package cleanse

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/git-sage/git-sage/gitstore/internal/gittree"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/rewritten"
	"github.com/git-sage/git-sage/gitstore/sage/codec"
	"github.com/git-sage/git-sage/internal/lists"
)

// A trace is what a commit's own history tells of what was purged. The records
// hold ids only, and a clone that did not see a purge went on with the old text:
// merged it into another checkpoint, edited the file. But such a history holds the
// old text itself, and the record says which new text that became; what differs is
// what was purged. (TestPurgeTeammate)
type trace struct {
	words []string // texts that were replaced
	paths []string // of the knowledge tree, whose file was taken out
}

func (t trace) key() []string { return slices.Concat(t.words, []string{""}, t.paths) }

// leastWord bounds the texts that are looked for in what others wrote since, in
// bytes: a shorter one stands in too much that has nothing to do with it.
const leastWord = 4

func (t trace) with(u trace) trace {
	return trace{lists.SortedUnion(t.words, u.words), lists.SortedUnion(t.paths, u.paths)}
}

// look computes the trace of a commit, from its parents' and its own files.
func (c *Cleaner) look(x rawCommit) error {
	if len(c.Known) == 0 || x.Tree == "" {
		return nil
	}
	var t trace
	for _, p := range x.Parents {
		t = t.with(c.traces[p])
	}
	old, err := c.oldFiles(x.Tree, "")
	if err != nil {
		return err
	}
	for _, f := range old {
		switch fate := c.Known[f.ID]; {
		case fate.Gone && x.kind == record.KindKnowledge:
			t = t.with(trace{paths: []string{fate.File + " " + f.Name}})
		case !fate.Gone:
			t = t.with(trace{words: c.differ(f.ID, fate.Now[0], f.Name)})
		}
	}
	t.paths = slices.DeleteFunc(slices.Clone(t.paths), func(p string) bool { return c.knows(x.Tree, p) })
	c.traces[x.id] = t
	return nil
}

// oldFiles are the files in a tree that a purge changed, by their paths.
func (c *Cleaner) oldFiles(tree, dir string) (out []gittree.Entry, err error) {
	key := tree + " " + dir
	if known, ok := c.old[key]; ok {
		return known, nil
	}
	list, err := readTree(c, tree)
	if err != nil {
		return nil, err
	}
	for _, e := range list {
		e.Name = dir + e.Name
		if _, changed := c.Known[e.ID]; changed && e.Mode != gittree.ModeDir {
			out = append(out, e)
		}
		if e.Mode == gittree.ModeDir {
			more, err := c.oldFiles(e.ID, e.Name+"/")
			if err != nil {
				return nil, err
			}
			out = append(out, more...)
		}
	}
	c.old[key] = out
	return out, nil
}

// knows reports whether a tree was made with the purge known that took a path
// out: then a file that lies there is a new one.
func (c *Cleaner) knows(tree, path string) bool {
	file, _, _ := strings.Cut(path, " ")
	_, err := c.s.repo.Batch.Get(tree + ":" + rewritten.PurgedDir + "/" + file)
	return err == nil
}

// gone reports whether a path was taken out, as far as a site knows.
func (t trace) gone(path string) bool {
	return slices.ContainsFunc(t.paths, func(p string) bool {
		_, dir, _ := strings.Cut(p, " ")
		return Below(path, dir)
	})
}

// differ returns what was replaced between two forms of a file.
func (c *Cleaner) differ(old, now, name string) []string {
	key := old + " " + now
	if words, ok := c.diffs[key]; ok {
		return words
	}
	a, errA := c.Get(old)
	b, errB := c.Get(now)
	var words []string
	if errA == nil && errB == nil {
		was, is := texts(name, a.Data), texts(name, b.Data)
		for i := range min(len(was), len(is)) {
			words = lists.SortedUnion(words, replaced(was[i], is[i]))
		}
	}
	c.diffs[key] = words
	return words
}

// texts are the values of a checkpoint, or the whole of another file.
func texts(name string, data []byte) (out []string) {
	switch form(path.Base(name)) {
	case "checkpoint.md":
		if cp, err := codec.Parse(data); err == nil {
			_ = cp.MapText(func(s string) (string, error) { out = append(out, s); return s, nil })
			return out
		}
	case ".yaml":
		return scalarsOf(string(data))
	case ".md":
		if head, body, ok := frontMatter(string(data)); ok {
			return append(scalarsOf(head), body)
		}
	}
	return []string{string(data)}
}

func scalarsOf(s string) (out []string) {
	var doc yaml.Node
	if yaml.Unmarshal([]byte(s), &doc) != nil {
		return []string{s}
	}
	var walk func(*yaml.Node)
	walk = func(n *yaml.Node) {
		if n.Kind == yaml.ScalarNode {
			out = append(out, n.Value)
		}
		for _, x := range n.Content {
			walk(x)
		}
	}
	walk(&doc)
	return out
}

// replaced returns what stood in old where PurgedText stands in now.
func replaced(old, now string) (out []string) {
	parts := strings.Split(now, record.PurgedText)
	if len(parts) == 1 || old == now {
		return nil
	}
	for i, p := range parts {
		parts[i] = regexp.QuoteMeta(p)
	}
	re, err := regexp.Compile("(?s)^" + strings.Join(parts, "(.+?)") + "$")
	if err != nil {
		return nil
	}
	found := re.FindStringSubmatch(old)
	for _, w := range found[min(1, len(found)):] {
		if len(w) >= leastWord && w != record.PurgedText {
			out = append(out, w)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
