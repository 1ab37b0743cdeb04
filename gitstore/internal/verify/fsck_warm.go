package verify

import (
	"bytes"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/codec"
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
	all := k.s.repo.Bulks(k.ctx, strings.Join(tips, "\n")+"\n", &whole, append(args, "--objects", "--in-commit-order", "--missing=print")...)
	for part := range repo.Ahead(all, k.lookAt) {
		for _, o := range part {
			if o.Typ == "commit" {
				k.visited(at, visit)
				at = o.ID
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
func (k *checker) lookAt(part []repo.Found) []repo.Found {
	for i, o := range part {
		if part[i].Good = k.s.repo.IsGood(o); part[i].Good && o.Path == "checkpoint.md" && o.Typ == "blob" {
			part[i].Checkpoint, _ = codec.Parse(o.Data)
		}
	}
	return part
}

// warmUp takes in an object, and reports whether it is what it should be.
func (k *checker) warmUp(o repo.Found) bool {
	switch {
	case !o.Good:
	case o.Checkpoint != nil:
		k.texts[o.ID] = o.Checkpoint
	case o.Typ == "tree":
		k.folder[o.ID] = true
		fallthrough
	case o.Typ == "commit":
		k.warmed[o.ID] = git.Object{ID: o.ID, Type: o.Typ, Data: bytes.Clone(o.Data)}
	}
	return o.Good
}
