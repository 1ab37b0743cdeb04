package cleanse

import (
	"maps"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/admission"
	"github.com/git-sage/git-sage/gitstore/internal/contents"
	"github.com/git-sage/git-sage/gitstore/internal/gittree"
	"github.com/git-sage/git-sage/gitstore/internal/notes"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/rewritten"
)

// A site is where a tree stands: what is purged there depends on it.
type site struct {
	trace
	knowledge, notes bool
}

// site is that of a commit's tree.
func (c *Cleaner) site(x rawCommit) site {
	return site{c.traces[x.id], x.kind == record.KindKnowledge, c.Notes[x.id]}
}

// key tells sites apart at which the same becomes something else.
func (at site) key() []string {
	if at.notes {
		return append(at.trace.key(), "notes")
	}
	return at.trace.key()
}

// mayHold reports whether an entry belongs where it is.
func (at site) mayHold(dir string, e gittree.Entry) bool {
	switch {
	case at.knowledge:
		if dir == "" && e.Name == contents.PrivateDir && e.Mode == gittree.ModeDir {
			return true
		}
		return admission.MayHold(admission.RoleOf(contents.Public(dir)), e)
	case at.notes:
		return (e.Mode == gittree.ModeFile || e.Mode == gittree.ModeDir) && record.IsHex(e.Name)
	}
	return dir == "" && e.Mode == gittree.ModeFile && (e.Name == "checkpoint.md" || e.Name == "tombstone.yaml")
}

// tree returns the tree without what is purged, "" if nothing is left of a folder.
func (c *Cleaner) tree(id, dir string, at site) (string, error) {
	key := strings.Join(append([]string{id, dir}, at.key()...), "\x00")
	if out, ok := c.trees[key]; ok {
		return out, nil
	}
	old, err := readTree(c, id)
	if err != nil {
		return "", err
	}
	next := map[string]gittree.Entry{}
	for _, e := range old {
		n, err := c.entry(e, dir, at)
		if err != nil {
			return "", err
		}
		if n.ID != "" {
			n.Name = c.rename(e.Name, dir, at, next)
			next[n.Name] = n
		}
	}
	if at.knowledge && contents.Public(dir) == contents.ItemsDir+"/" && c.matcher(at) != nil {
		if err := c.rehouse(old, next); err != nil {
			return "", err
		}
	}
	out := id
	if list := slices.SortedFunc(maps.Values(next), gittree.Entry.Compare); !slices.Equal(list, old) {
		if out = ""; len(list) > 0 || dir == "" {
			out = c.add("tree", gittree.Encode(list...))
		}
	}
	c.trees[key] = out
	return out, nil
}

// entry is what becomes of a file or folder; without an id it is gone. What the
// records of purges say is never changed: they hold ids only.
func (c *Cleaner) entry(e gittree.Entry, dir string, at site) (gittree.Entry, error) {
	path := dir + e.Name
	var err error
	switch {
	case c.Rule.Foreign && !at.mayHold(dir, e):
		e.ID = ""
	case at.knowledge && contents.Public(path) == rewritten.PurgedDir:
	case at.knowledge && (Below(path, c.Rule.Path) && !c.stays(e) || at.gone(path)):
		e.ID = ""
	case e.Mode == gittree.ModeDir:
		e.ID, err = c.tree(e.ID, path+"/", at)
	case e.Mode != modeLink:
		e.ID, err = c.file(e.ID, e.Name, at)
	}
	return e, err
}

const modeLink = "160000" // a commit of another repository

func Below(path, dir string) bool {
	return dir != "" && (path == dir || strings.HasPrefix(path, dir+"/"))
}

// rename cleans a name of the knowledge tree. What takes the place fits the
// grammar of names; a name that is taken gets a number.
func (c *Cleaner) rename(name, dir string, at site, taken map[string]gittree.Entry) string {
	m := c.matcher(at)
	if m == nil || !at.knowledge || contents.Public(dir+name) == rewritten.PurgedDir {
		return name
	}
	return c.renamed(m, name, func(n string) bool { _, ok := taken[n]; return ok })
}

// file returns the blob without what is purged, "" if it is gone.
func (c *Cleaner) file(id, name string, at site) (string, error) {
	if at.notes {
		return c.note(id, at)
	}
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

// note returns a note without what is purged, and without the lines of checkpoints that are;
// "" if it names nothing any more.
func (c *Cleaner) note(id string, at site) (string, error) {
	o, err := c.Get(id)
	if err != nil || o.Type != "blob" {
		return id, err
	}
	text := notes.Without(string(o.Data), func(checkpoint string) bool {
		now, gone := c.Known.Follow(checkpoint)
		return gone || c.Rule.Drop[checkpoint] || c.Rule.Drop[now]
	})
	if m := c.matcher(at); m != nil {
		text = c.Replace(m, text)
	}
	switch {
	case text == string(o.Data):
		return id, nil
	case text == "":
		c.Did[id] = rewritten.Replacement{Gone: true}
		return "", nil
	}
	now := c.add("blob", []byte(text))
	c.Did[id] = rewritten.Replacement{Now: []string{now}}
	return now, nil
}

func (c *Cleaner) cleanFile(id, name string, at site) (string, error) {
	if now, gone := c.Known.Follow(id); gone {
		return "", nil
	} else if now != id && c.holdsAny([]string{now}) {
		return c.file(now, name, at)
	}
	k, rival := c.rivals(id)
	if c.Rule.gone[id] || rival && k.Gone {
		c.Did[id] = rewritten.Replacement{Gone: true}
		return "", nil
	}
	m := c.matcher(at)
	if m == nil && !rival {
		return id, nil
	}
	if _, ok := c.spared[id+form(name)]; ok && !rival && len(at.words) == 0 {
		return id, nil
	}
	old := k.Final
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
	if o := c.s.repo.Objects.New("blob", []byte(text)); o.ID == id {
		return id, nil
	}
	now := c.add("blob", []byte(text))
	c.Did[id] = rewritten.Replacement{Now: []string{now}}
	return now, nil
}

// filesAt collects the files that ever lay where the rule says: their content
// goes wherever it lies in the knowledge tree.
func (c *Cleaner) filesAt(ids []string) error {
	if c.Rule.Path == "" {
		return nil
	}
	now, err := c.living()
	if err != nil {
		return err
	}
	c.Rule.gone, c.Lay = map[string]bool{}, map[string]bool{}
	seen := map[string]bool{}
	for _, id := range ids {
		o, err := c.read(id)
		if err != nil {
			return err
		}
		if x := ParseRaw(id, o.Data); x.kind == record.KindKnowledge {
			c.collect(id+":"+c.Rule.Path, c.Rule.Path, seen, func(path, blob string) {
				if c.Rule.Past && c.Rule.Left(path) == blob {
					c.now[blob], now[path] = true, true
				}
				if !c.now[blob] {
					c.Rule.gone[blob] = true
				}
				c.Lay[path] = !now[path]
			})
		}
	}
	for id := range c.Rule.gone {
		c.Did[id] = rewritten.Replacement{Gone: true}
	}
	return nil
}

// collect calls f with each file at or below a path, each once.
func (c *Cleaner) collect(name, path string, seen map[string]bool, f func(path, blob string)) {
	o, err := c.noted(c.s.repo.Batch.Get(name))
	if err != nil || seen[o.ID+path] {
		return
	}
	seen[o.ID+path] = true
	if o.Type == "blob" {
		f(path, o.ID)
		return
	}
	for _, e := range gittree.Parse(o.Data, c.s.repo.IDSize()) {
		c.collect(e.ID, path+"/"+e.Name, seen, f)
	}
}
