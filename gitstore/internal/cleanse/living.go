package cleanse

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/gittree"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
)

// stays reports whether what lies below the path of the rule is left for later: a folder, whose
// files are looked at one by one, and a file that is there now. See [Rule.Past].
func (c *Cleaner) stays(e gittree.Entry) bool {
	return c.Rule.Past && (e.Mode == gittree.ModeDir || c.now[e.ID])
}

// living notes the files that are there now where the rule says, if these stay, and returns
// their paths.
func (c *Cleaner) living() (paths map[string]bool, err error) {
	if !c.Rule.Past {
		return nil, nil
	}
	if c.now == nil {
		c.now = map[string]bool{}
	}
	paths = map[string]bool{}
	for _, ref := range []string{refname.KnowledgeRef, refname.PrivateRef} {
		c.collect(ref+":"+c.Rule.Path, c.Rule.Path, map[string]bool{}, func(path, blob string) {
			if c.Rule.gone[blob] { // an earlier look took it for past
				err = fmt.Errorf("'%s' was changed meanwhile: run it again", path)
			}
			now, _ := c.Known.Follow(blob)
			c.now[blob], c.now[now], paths[path] = true, true, true
		})
	}
	return paths, cmp.Or(err, c.unread)
}

// Loses are the files that a commit of the knowledge has and what takes its place has not: blobs
// by path.
func (c *Cleaner) Loses(id string) (map[string]string, error) {
	o, err := c.Get(id)
	if err != nil {
		return nil, err
	}
	old := ParseRaw(id, o.Data)
	next, err := c.tree(old.Tree, "", c.site(old))
	if err != nil {
		return nil, err
	}
	lost := map[string]string{}
	return lost, loses(c, old.Tree, next, "", lost)
}

func loses(c *Cleaner, old, next, dir string, lost map[string]string) error {
	was, err := readFolder(c, old)
	now, err2 := readFolder(c, next)
	if err = cmp.Or(err, err2); errors.Is(err, git.ErrMissing) { // the tree without anything
		return nil
	}
	for name, e := range was {
		there, path := now[name].ID, dir+name
		switch {
		case err != nil:
			return err
		case e.ID == there:
		case e.Mode == gittree.ModeDir:
			err = loses(c, e.ID, there, path+"/", lost)
		case there == "":
			lost[path] = e.ID
		}
	}
	return err
}
