package cleanse

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/gittree"
	"github.com/git-sage/git-sage/gitstore/internal/knowledge"
)

// rehouse moves items to the folders of their new names: the name of an item says in which
// folder it lies. now are the folders of all items as they were cleaned, old as they were
// before.
func (c *Cleaner) rehouse(old []gittree.Entry, now map[string]gittree.Entry) error {
	before, folders, changed := map[string]string{}, map[string]folder{}, map[string]bool{}
	for _, e := range old {
		before[e.Name] = e.ID
	}
	open := func(name string) (folder, error) {
		if f, ok := folders[name]; ok {
			return f, nil
		}
		f, err := readFolder(c, now[name].ID)
		folders[name] = f
		return f, err
	}
	for _, name := range slices.Sorted(maps.Keys(now)) {
		if now[name].Mode != gittree.ModeDir || before[name] == "" || before[name] == now[name].ID {
			continue
		}
		was, err := readFolder(c, before[name])
		if err != nil {
			return err
		}
		is, err := open(name)
		if err != nil {
			return err
		}
		for _, file := range slices.Sorted(maps.Keys(is)) {
			e := is[file]
			if _, kept := was[file]; kept || e.Mode != gittree.ModeFile || folderOf(strings.TrimSuffix(file, ".md")) == name {
				continue
			}
			delete(is, file)
			to, err := place(e, open)
			if err != nil {
				return err
			}
			changed[name], changed[to] = true, true
		}
	}
	for name := range changed {
		if delete(now, name); len(folders[name]) > 0 {
			tree := gittree.Encode(slices.SortedFunc(maps.Values(folders[name]), gittree.Entry.Compare)...)
			now[name] = gittree.Entry{Mode: gittree.ModeDir, Name: name, ID: c.add("tree", tree)}
		}
	}
	return nil
}

// A folder is what a folder of items holds, by name.
type folder map[string]gittree.Entry

// readTree reads the entries of a tree.
func readTree(c *Cleaner, tree string) ([]gittree.Entry, error) {
	o, err := c.Get(tree)
	if err != nil {
		return nil, err
	}
	return gittree.Parse(o.Data, c.s.repo.IDSize()), nil
}

// readFolder reads a tree; "" is none.
func readFolder(c *Cleaner, tree string) (folder, error) {
	f := folder{}
	if tree == "" {
		return f, nil
	}
	list, err := readTree(c, tree)
	if err != nil {
		return nil, err
	}
	for _, e := range list {
		f[e.Name] = e
	}
	return f, nil
}

// place puts an item into the folder of its name, which gets a number if it is taken.
func place(e gittree.Entry, open func(string) (folder, error)) (name string, err error) {
	id := strings.TrimSuffix(e.Name, ".md")
	for n, base := 2, id; ; n++ {
		name = folderOf(id)
		f, err := open(name)
		if err != nil {
			return "", err
		}
		if _, taken := f[id+".md"]; !taken {
			e.Name = id + ".md"
			f[e.Name] = e
			return name, nil
		}
		id = fmt.Sprintf("%s-%d", base, n)
	}
}

// folderOf is the folder in which the item of an id lies.
func folderOf(id string) string { return path.Base(path.Dir(knowledge.ItemPath(id))) }
