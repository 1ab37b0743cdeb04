package checks

import (
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/contents"
	"github.com/git-sage/git-sage/gitstore/internal/gittree"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
)

// wholeTree makes sure that everything below a tree can be read. Each object is
// read once, however many commits hold it, and not here if git listed it with all
// below it, and all of that was read.
func (h *historyWalk) wholeTree(tree, owner, dir string) {
	if h.later != nil {
		h.later = append(h.later, rootOf{tree, owner})
		return
	}
	if h.folder[tree] || h.seen[tree] || h.Ctx.Err() != nil || strings.Count(dir, "/") > contents.MaxDepth {
		return
	}
	h.seen[tree] = true
	o, ok := h.Need(tree, owner, "its folder '/"+dir+"'")
	if !ok {
		return
	}
	for _, e := range gittree.Parse(o.Data, h.Repo.IDSize()) {
		if h.seen[e.ID] {
			continue
		}
		if !h.More(&h.files) {
			return
		}
		switch path := dir + legible.OneLine(e.Name); {
		case e.Mode == gittree.ModeDir:
			h.wholeTree(e.ID, owner, path+"/")
		case e.Mode == gittree.ModeFile:
			h.seen[e.ID] = true
			h.Need(e.ID, owner, "its file '"+path+"'")
		}
	}
}
