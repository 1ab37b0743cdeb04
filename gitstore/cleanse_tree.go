package gitstore

import (
	"maps"
	"slices"
	"strings"
)

// A site is where a tree stands: what is purged there depends on it.
type site struct {
	trace
	knowledge bool
}

// site is that of a commit's tree.
func (c *cleaner) site(x rawCommit) site {
	return site{c.traces[x.id], x.kind == kindKnowledge}
}

// mayHold reports whether an entry belongs where it is.
func (at site) mayHold(dir string, e treeEntry) bool {
	if at.knowledge {
		return mayHold(roleOf(dir), e)
	}
	return dir == "" && e.mode == modeFile && (e.name == "checkpoint.md" || e.name == "tombstone.yaml")
}

// tree returns the tree without what is purged, "" if nothing is left of a folder.
func (c *cleaner) tree(id, dir string, at site) (string, error) {
	key := strings.Join(append([]string{id, dir}, at.key()...), "\x00")
	if out, ok := c.trees[key]; ok {
		return out, nil
	}
	o, err := c.get(id)
	if err != nil {
		return "", err
	}
	old := parseTree(o.Data, c.s.idSize())
	next := map[string]treeEntry{}
	for _, e := range old {
		n, err := c.entry(e, dir, at)
		if err != nil {
			return "", err
		}
		if n.id != "" {
			n.name = c.rename(e.name, dir, at, next)
			next[n.name] = n
		}
	}
	out := id
	if list := slices.SortedFunc(maps.Values(next), treeEntry.compare); !slices.Equal(list, old) {
		if out = ""; len(list) > 0 || dir == "" {
			out = c.add("tree", encodeTree(list...))
		}
	}
	c.trees[key] = out
	return out, nil
}

// entry is what becomes of a file or folder; without an id it is gone. What the
// records of purges say is never changed: they hold ids only.
func (c *cleaner) entry(e treeEntry, dir string, at site) (treeEntry, error) {
	path := dir + e.name
	var err error
	switch {
	case c.rule.foreign && !at.mayHold(dir, e):
		e.id = ""
	case at.knowledge && path == purgedDir:
	case at.knowledge && (below(path, c.rule.path) || at.gone(path)):
		e.id = ""
	case e.mode == modeDir:
		e.id, err = c.tree(e.id, path+"/", at)
	case e.mode != modeLink:
		e.id, err = c.file(e.id, e.name, at)
	}
	return e, err
}

const modeLink = "160000" // a commit of another repository

func below(path, dir string) bool {
	return dir != "" && (path == dir || strings.HasPrefix(path, dir+"/"))
}

// rename cleans a name of the knowledge tree. What takes the place fits the
// grammar of names; a name that is taken gets a number.
func (c *cleaner) rename(name, dir string, at site, taken map[string]treeEntry) string {
	m := c.matcher(at)
	if m == nil || !at.knowledge || dir+name == purgedDir {
		return name
	}
	return c.renamed(m, name, func(n string) bool { _, ok := taken[n]; return ok })
}

// file returns the blob without what is purged, "" if it is gone.
func (c *cleaner) file(id, name string, at site) (string, error) {
	key := strings.Join(append([]string{id, form(name)}, at.words...), "\x00")
	if out, ok := c.files[key]; ok {
		return out, nil
	}
	out, err := c.cleanFile(id, name, at)
	if _, spared := c.spared[id+form(name)]; err == nil && !spared { // of that it is known already
		c.files[key] = out
	}
	return out, err
}

func (c *cleaner) cleanFile(id, name string, at site) (string, error) {
	if now, gone := c.known.follow(id); gone {
		return "", nil
	} else if now != id && c.holdsAny([]string{now}) {
		return c.file(now, name, at)
	}
	k, rival := c.rivals(id)
	if c.rule.gone[id] || rival && k.gone {
		c.did[id] = fate{gone: true}
		return "", nil
	}
	m := c.matcher(at)
	if m == nil && !rival {
		return id, nil
	}
	if _, ok := c.spared[id+form(name)]; ok && !rival && len(at.words) == 0 {
		return id, nil
	}
	old := k.ends
	if !rival {
		old = []string{id}
	}
	text, err := c.meetFiles(old, form(name))
	if err == nil && m != nil {
		text, err = c.cleanText(m, form(name), text)
	}
	if err != nil {
		return "", err
	}
	if o := c.s.objects.New("blob", []byte(text)); o.ID == id {
		return id, nil
	}
	now := c.add("blob", []byte(text))
	c.did[id] = fate{now: []string{now}}
	return now, nil
}

// filesAt collects the files that ever lay where the rule says: their content
// goes wherever it lies in the knowledge tree.
func (c *cleaner) filesAt(ids []string) error {
	if c.rule.path == "" {
		return nil
	}
	c.rule.gone = map[string]bool{}
	seen := map[string]bool{}
	for _, id := range ids {
		o, err := c.read(id)
		if err != nil {
			return err
		}
		if x := parseRaw(id, o.Data); x.kind == kindKnowledge {
			c.collect(id+":"+c.rule.path, seen)
		}
	}
	for id := range c.rule.gone {
		c.did[id] = fate{gone: true}
	}
	return nil
}

func (c *cleaner) collect(name string, seen map[string]bool) {
	o, err := c.noted(c.s.batch.Get(name))
	if err != nil || seen[o.ID] {
		return
	}
	seen[o.ID] = true
	if o.Type == "blob" {
		c.rule.gone[o.ID] = true
		return
	}
	for _, e := range parseTree(o.Data, c.s.idSize()) {
		c.collect(e.id, seen)
	}
}
