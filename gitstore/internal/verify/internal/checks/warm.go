package checks

import (
	"bytes"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/bulk"
	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/codec"
)

// A rootOf is the tree of a commit.
type rootOf struct{ tree, owner string }

// warm reads what the tips reach in bulk, in the order of history, and calls visit
// for each commit when what it holds is at hand. What is not whole is left out; then
// it is looked at alone, which says what is wrong. args are further ones of git
// rev-list.
func (h *historyWalk) warm(tips []string, visit func(id string), args ...string) {
	if len(tips) == 0 {
		return
	}
	h.Warmed, h.texts = map[string]git.Object{}, map[string]*sage.Checkpoint{}
	h.folder, h.later = map[string]bool{}, []rootOf{}
	whole, good, at := false, true, ""
	all := bulk.Reached(h.Ctx, h.Repo.Git, strings.Join(tips, "\n")+"\n", &whole, append(args, "--objects", "--in-commit-order", "--missing=print")...)
	for part := range bulk.Ahead(all, h.lookAt) {
		for _, o := range part {
			if o.Typ == "commit" {
				h.visited(at, visit)
				at = o.ID
			}
			good = h.warmUp(o) && good
		}
	}
	h.visited(at, visit)
	later := h.later
	if h.Warmed, h.texts, h.later = nil, nil, nil; !whole || !good {
		h.folder = nil
	}
	for _, r := range later {
		h.wholeTree(r.tree, r.owner, "")
	}
	h.folder = nil
}

// visited visits a commit whose objects were read, if there is one, and lets go of
// them.
func (h *historyWalk) visited(id string, visit func(id string)) {
	if id != "" {
		visit(id)
		clear(h.Warmed)
		clear(h.texts)
	}
}

// lookAt looks at each object of a part by itself. One is good that is what its id
// says; a checkpoint's text must also be one that can be read.
func (h *historyWalk) lookAt(part []bulk.Found) []bulk.Found {
	for i, o := range part {
		if part[i].Good = o.IsGood(h.Repo.Objects) && !h.Trails(o.ID); part[i].Good && o.Path == "checkpoint.md" && o.Typ == "blob" {
			part[i].Checkpoint, _ = codec.Parse(o.Data)
		}
	}
	return part
}

// warmUp takes in an object, and reports whether it is what it should be.
func (h *historyWalk) warmUp(o bulk.Found) bool {
	switch {
	case !o.Good:
	case o.Checkpoint != nil:
		h.texts[o.ID] = o.Checkpoint
	case o.Typ == "tree":
		h.folder[o.ID] = true
		fallthrough
	case o.Typ == "commit":
		h.Warmed[o.ID] = git.Object{ID: o.ID, Type: o.Typ, Data: bytes.Clone(o.Data)}
	}
	return o.Good
}
