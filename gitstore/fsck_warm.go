package gitstore

import (
	"bytes"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/sage"
)

// A rootOf is the tree of a commit.
type rootOf struct{ tree, owner string }

// warm reads what the tips reach in bulk, in the order of history, and calls visit
// for each commit when what it holds is at hand. What is not whole is left out; then
// it is looked at alone, which says what is wrong. args are further ones of git
// rev-list.
func (k *checker) warm(tips []string, visit func(id string), args ...string) {
	if len(tips) == 0 {
		return
	}
	k.warmed, k.texts = map[string]git.Object{}, map[string]*sage.Checkpoint{}
	k.folder, k.later = map[string]bool{}, []rootOf{}
	whole, good, at := false, true, ""
	all := k.s.bulks(k.ctx, strings.Join(tips, "\n")+"\n", &whole, append(args, "--objects", "--in-commit-order", "--missing=print")...)
	for part := range ahead(all, k.lookAt) {
		for _, o := range part {
			if o.typ == "commit" {
				k.visited(at, visit)
				at = o.id
			}
			good = k.warmUp(o) && good
		}
	}
	k.visited(at, visit)
	later := k.later
	if k.warmed, k.texts, k.later = nil, nil, nil; !whole || !good {
		k.folder = nil
	}
	for _, r := range later {
		k.wholeTree(r.tree, r.owner, "")
	}
	k.folder = nil
}

// visited visits a commit whose objects were read, if there is one, and lets go of
// them.
func (k *checker) visited(id string, visit func(id string)) {
	if id != "" {
		visit(id)
		clear(k.warmed)
		clear(k.texts)
	}
}

// lookAt looks at each object of a part by itself. One is good that is what its id
// says; a checkpoint's text must also be one that can be read.
func (k *checker) lookAt(part []found) []found {
	for i, o := range part {
		if part[i].good = k.s.isGood(o); part[i].good && o.path == "checkpoint.md" && o.typ == "blob" {
			part[i].checkpoint, _ = sage.Parse(o.data)
		}
	}
	return part
}

// warmUp takes in an object, and reports whether it is what it should be.
func (k *checker) warmUp(o found) bool {
	switch {
	case !o.good:
	case o.checkpoint != nil:
		k.texts[o.id] = o.checkpoint
	case o.typ == "tree":
		k.folder[o.id] = true
		fallthrough
	case o.typ == "commit":
		k.warmed[o.id] = git.Object{ID: o.id, Type: o.typ, Data: bytes.Clone(o.data)}
	}
	return o.good
}
