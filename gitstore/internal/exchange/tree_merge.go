package exchange

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/contents"
	"github.com/git-sage/git-sage/gitstore/internal/converge"
	"github.com/git-sage/git-sage/gitstore/internal/gittree"
	"github.com/git-sage/git-sage/gitstore/internal/loose"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
	"github.com/git-sage/git-sage/gitstore/internal/threeway"
	"github.com/git-sage/git-sage/gitstore/sage/codec"
)

// A treeMerge merges knowledge trees. Folders that are the same on all sides, or that
// one side alone changed, are taken as they are and not looked into.
type treeMerge struct {
	h        *joinGraph
	build    contents.TreeBuilder
	made     map[string]loose.Object // by id, not yet written
	disagree []string                // paths of files that wait for a person
}

func newTreeMerge(h *joinGraph) *treeMerge {
	return &treeMerge{h: h, build: contents.TreeBuilder{S: h.s.contents}, made: map[string]loose.Object{}}
}

// joined is the tree of heads, merged over the tree that they come from.
func (t *treeMerge) joined(heads []string) (root string, err error) {
	base := ""
	if len(heads) > 1 {
		bases, err := t.h.Bases(heads)
		if err != nil {
			return "", err
		}
		if base, err = t.base(bases); err != nil {
			return "", err
		}
	}
	var sides []side
	for _, id := range heads {
		tree, err := t.treeOf(id)
		if err != nil {
			return "", err
		}
		sides = append(sides, side{gittree.Entry{Mode: gittree.ModeDir, Name: "", ID: tree}, id})
	}
	t.disagree = nil
	if root, err = t.merge("", gittree.Entry{Mode: gittree.ModeDir, Name: "", ID: base}, sides); err == nil && root == "" {
		root = t.add("tree", nil)
	}
	return root, err
}

func (t *treeMerge) base(bases []string) (string, error) {
	switch len(bases) {
	case 0:
		return "", nil
	case 1:
		return t.treeOf(bases[0])
	}
	heads, err := converge.Heads(t.h, bases...)
	if err != nil {
		return "", err
	}
	return t.joined(heads)
}

func (t *treeMerge) treeOf(commit string) (string, error) {
	o, err := t.h.s.repo.Object(commit)
	if err != nil {
		return "", err
	}
	first, _, _ := strings.Cut(string(o.Data), "\n")
	id, ok := strings.CutPrefix(first, "tree ")
	if !ok {
		return "", fmt.Errorf("%s has no tree", record.Short(commit))
	}
	return id, nil
}

// A side is what a head has under a name; a mode of "" is nothing.
type side struct {
	gittree.Entry
	head string
}

// merge merges folders that differ, and returns the id of the tree, "" if it is
// empty.
func (t *treeMerge) merge(dir string, base gittree.Entry, sides []side) (string, error) {
	was, err := t.entries(base)
	if err != nil {
		return "", err
	}
	have, names := make([]map[string]gittree.Entry, len(sides)), map[string]bool{}
	for i, s := range sides {
		if have[i], err = t.entries(s.Entry); err != nil {
			return "", err
		}
		for name := range have[i] {
			names[name] = true
		}
	}
	out := map[string]gittree.Entry{}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		below := make([]side, len(sides))
		for i, s := range sides {
			below[i] = side{have[i][name], s.head}
		}
		if err := t.entry(dir+name, name, was[name], below, out); err != nil {
			return "", err
		}
	}
	return t.tree(out), nil
}

// entry merges what stands under one name and puts it into out.
func (t *treeMerge) entry(path, name string, base gittree.Entry, sides []side, out map[string]gittree.Entry) error {
	keep := path == "purged" || strings.HasPrefix(path, "purged/") // which nobody takes back
	values := map[gittree.Entry]bool{}
	for i := range sides {
		if keep && sides[i].Mode == "" {
			sides[i].Entry = base
		}
		values[sides[i].Entry] = true
	}
	delete(values, base)
	switch len(values) {
	case 0:
		addEntry(out, name, base)
		return nil
	case 1:
		for v := range values {
			addEntry(out, name, v)
		}
		return nil
	}
	return t.differ(path, name, base, sides, out)
}

func addEntry(out map[string]gittree.Entry, name string, e gittree.Entry) {
	if e.Mode != "" {
		e.Name = name
		out[name] = e
	}
}

// differ merges what several sides changed. Where a folder and a file stand under
// one name the file is kept beside.
func (t *treeMerge) differ(path, name string, base gittree.Entry, sides []side, out map[string]gittree.Entry) error {
	if err := contents.CheckPath(path); err != nil {
		return err
	}
	folders := slices.ContainsFunc(sides, func(s side) bool { return s.Mode == gittree.ModeDir })
	var files []side
	for i, s := range sides {
		switch {
		case s.Mode != "" && s.Mode != gittree.ModeDir && s.Mode != gittree.ModeFile:
			return fmt.Errorf("'%s' has mode %s", path, s.Mode)
		case s.Mode == gittree.ModeFile && folders:
			files = append(files, s)
			sides[i].Entry = gittree.Entry{}
		}
	}
	if !folders {
		return t.files(path, name, base, sides, out)
	}
	if base.Mode != gittree.ModeDir {
		base = gittree.Entry{}
	}
	id, err := t.merge(path+"/", base, sides)
	if id != "" {
		out[name] = gittree.Entry{Mode: gittree.ModeDir, Name: name, ID: id}
	}
	for _, f := range files {
		t.beside(path, name, f.ID, out)
	}
	return err
}

func (t *treeMerge) files(path, name string, base gittree.Entry, sides []side, out map[string]gittree.Entry) error {
	was, err := t.content(base)
	if err != nil {
		return err
	}
	versions := make([]threeway.Version, len(sides))
	for i, s := range sides {
		if versions[i].Content, err = t.content(s.Entry); err != nil {
			return err
		}
		versions[i].Tip = s.head
	}
	r := threeway.Merge(path, was, versions)
	if r.Disagree {
		t.disagree = append(t.disagree, path)
	}
	if r.Content != nil {
		out[name] = gittree.Entry{Mode: gittree.ModeFile, Name: name, ID: t.add("blob", published(path, r.Content))}
	}
	for _, b := range r.Beside {
		t.beside(path, name, t.add("blob", b), out)
	}
	return nil
}

// published is what a merge made of a file, without the word of an item that it is private: it lies
// where all have it, and no push would take a version that says so and that no remote has.
func published(path string, b []byte) []byte {
	if it, err := codec.ParseItem(b); contents.IsItemPath(path) && err == nil && it.IsPrivate() {
		it.SetPrivate(false)
		return codec.MarshalItem(it)
	}
	return b
}

// beside puts a file under a name of its own: that of the file it did not fit with,
// and what it holds.
func (t *treeMerge) beside(path, name, id string, out map[string]gittree.Entry) {
	stem, ext := name, ""
	if dot := strings.LastIndexByte(name, '.'); dot > 0 {
		stem, ext = name[:dot], name[dot:]
	}
	stem = stem[:min(len(stem), refname.MaxName-20)]
	other := stem + "-" + record.Short(id) + ext
	out[other] = gittree.Entry{Mode: gittree.ModeFile, Name: other, ID: id}
	t.disagree = append(t.disagree, strings.TrimSuffix(path, name)+other)
}

// maxFile bounds a file that is merged, in bytes.
const maxFile = 16 << 20

// content reads a file; of nothing it is nil.
func (t *treeMerge) content(e gittree.Entry) ([]byte, error) {
	if e.Mode != gittree.ModeFile {
		return nil, nil
	}
	o, err := t.object(e.ID)
	if err != nil || o.Type != "blob" || len(o.Data) > maxFile {
		return nil, unmergeable("file", e, err)
	}
	return append([]byte{}, o.Data...), nil
}

func (t *treeMerge) entries(e gittree.Entry) (map[string]gittree.Entry, error) {
	out := map[string]gittree.Entry{}
	if e.Mode != gittree.ModeDir || e.ID == "" {
		return out, nil
	}
	o, err := t.object(e.ID)
	if err != nil || o.Type != "tree" {
		return nil, unmergeable("folder", e, err)
	}
	for _, e := range gittree.Parse(o.Data, t.h.s.repo.IDSize()) {
		out[e.Name] = e
	}
	return out, nil
}

// unmergeable says that there is no file or folder to merge at e, and why.
func unmergeable(kind string, e gittree.Entry, err error) error {
	name := cmp.Or(e.Name, "/")
	if err != nil {
		return repo.Unsoundf("the %s '%s' cannot be read: %w", kind, name, err)
	}
	return fmt.Errorf("'%s' is not a %s that can be merged", name, kind)
}

func (t *treeMerge) object(id string) (loose.Object, error) {
	if o, ok := t.made[id]; ok {
		return o, nil
	}
	o, err := t.h.s.repo.Object(id)
	return loose.Object{ID: o.ID, Type: o.Type, Data: o.Data}, err
}

func (t *treeMerge) add(typ string, data []byte) string {
	o := t.h.s.repo.Objects.New(typ, data)
	t.made[o.ID] = o
	return o.ID
}

func (t *treeMerge) tree(entries map[string]gittree.Entry) string {
	id := t.build.Tree(entries)
	for _, o := range t.build.Objects {
		t.made[o.ID] = o
	}
	t.build.Objects = nil
	return id
}

// under are the objects that were made for a tree, without those of trees that
// were only merged on the way.
func (t *treeMerge) under(id string) (out []loose.Object) {
	o, ok := t.made[id]
	if !ok {
		return nil
	}
	delete(t.made, id)
	if o.Type == "tree" {
		for _, e := range gittree.Parse(o.Data, t.h.s.repo.IDSize()) {
			out = append(out, t.under(e.ID)...)
		}
	}
	return append(out, o)
}
