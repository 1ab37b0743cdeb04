package checks

import (
	"bytes"
	"fmt"
	"strconv"

	"github.com/git-sage/git-sage/gitstore/internal/admission"
	"github.com/git-sage/git-sage/gitstore/internal/gittree"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
	"github.com/git-sage/git-sage/gitstore/internal/rewritten"
	"github.com/git-sage/git-sage/gitstore/internal/verify/internal/pass"
	"github.com/git-sage/git-sage/gitstore/remedy"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/codec"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
)

// History checks every commit that the tips lead to, and what it holds. Each is checked
// once.
type History struct{ Rewritten *rewritten.Map }

func (c History) Run(p *pass.Pass) {
	h := &historyWalk{Pass: p, rewritten: c.Rewritten, seen: map[string]bool{}}
	for _, kind := range []string{"local", "tree", "other"} {
		h.follow(kind)
	}
}

// A historyWalk goes from the tips to the first commits.
type historyWalk struct {
	*pass.Pass
	rewritten *rewritten.Map
	seen      map[string]bool             // objects that were looked at
	texts     map[string]*sage.Checkpoint // checkpoint.md that were just read and found good
	folder    map[string]bool             // trees that were, all below them listed with the rest
	later     []rootOf                    // trees that are to be looked into when everything was read
	files     int                         // of knowledge that were read
	ends      []byte                      // where a shallow clone ends; nil before it is asked
}

// follow checks the commits that refs of a kind lead to, tips first where not all is to be
// read.
func (h *historyWalk) follow(kind string) {
	var todo []string
	for _, tip := range h.Tips {
		if refname.Kind(tip.Name) == kind {
			todo = append(todo, tip.ID)
		}
	}
	visit := func(id string) { todo = append(todo, h.visit(kind, id)...) }
	if h.Most > 0 {
		h.newest(kind, &todo, visit)
		return
	}
	h.warm(todo, visit)
	for len(todo) > 0 {
		id := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		visit(id)
	}
}

// newest checks the newest commits of a kind, as many as are to be read.
func (h *historyWalk) newest(kind string, todo *[]string, visit func(id string)) {
	commits := 0
	some := func(id string) {
		if !h.seen[id] && h.More(&commits) {
			visit(id)
		}
	}
	if kind == "local" { // of the others few commits hold very much
		h.warm(*todo, some, "--max-count="+strconv.Itoa(h.Most+1))
	}
	for len(*todo) > 0 && commits <= h.Most {
		id := (*todo)[0]
		*todo = (*todo)[1:]
		some(id)
	}
}

// visit checks a commit that was not seen yet, and returns what it continues.
func (h *historyWalk) visit(kind, id string) (parents []string) {
	if h.seen[id] || h.Ctx.Err() != nil {
		return nil
	}
	h.seen[id] = true
	return h.commit(kind, id)
}

func (h *historyWalk) commit(kind, id string) (parents []string) {
	told := h.Bad[id]
	o, ok := h.Need(id, id, "the commit")
	if !ok {
		if kind == "local" && !told {
			h.Report.Checkpoints++
		}
		h.cut(id)
		return nil
	}
	r := record.Record{ID: id}
	ours := r.ParseCommit(o.Data)
	if h.shallow(id) {
		r.Parents = nil
	}
	root := gittree.Of(o.Data)
	switch {
	case kind == "other":
		h.wholeTree(root, id, "")
		return r.Parents
	case !ours:
		h.Foreign(record.Short(id), "not a checkpoint (no Sage-Format trailer); a push would publish it and its ancestors")
		return nil // what lies behind it is somebody else's
	case r.Format <= record.FormatVersion && (kind == "tree") != (r.Kind == record.KindKnowledge) && record.IsKind(r.Kind):
		h.Foreign(record.Short(id), "a '"+string(r.Kind)+"' does not belong here")
		return nil
	case h.rewritten.StandIn(id) != id:
		h.Add("purged", record.Short(id), "was purged, but is present again", remedy.PurgeAgain.On(record.Short(id)))
	case r.Format > record.FormatVersion:
		h.Warn("newer-format", record.Short(id), "written by a newer git-sage; read-only here", remedy.Typed("upgrade git-sage"))
		return r.Parents
	}
	h.content(r, root)
	return r.Parents
}

// content checks what a commit of ours holds.
func (h *historyWalk) content(r record.Record, root string) {
	switch r.Kind {
	case record.KindCheckpoint, record.KindMerge:
		h.Report.Checkpoints++
		h.checkpoint(r, root)
	case record.KindTombstone:
		h.tombstone(r, root)
	case "knowledge":
		h.wholeTree(root, r.ID, "")
	default:
		h.Warn("unknown-kind", record.Short(r.ID), "a '"+string(r.Kind)+"' written by a newer git-sage; read-only here", remedy.Typed("upgrade git-sage"))
	}
}

// cut says what can still be reached behind a commit that is gone: the log of
// the ref knows what came before it.
func (h *historyWalk) cut(id string) {
	last := h.Last()
	last.Detail += "; its ancestors cannot be reached"
	if old := h.Logged(id).Before; old != "" && h.Fits(refname.HeadsPrefix, old) {
		last.Detail += ", but " + h.Title(old) + " and its ancestors can be read"
		last.Cure = append(last.Cure, remedy.StartLine.On(record.Short(old)).To("keeps them"))
	}
}

// shallow reports whether history is cut on purpose below a commit.
func (h *historyWalk) shallow(id string) bool {
	if h.ends == nil {
		h.ends = h.Repo.Shallow()
	}
	return bytes.Contains(h.ends, []byte(id))
}

func (h *historyWalk) checkpoint(r record.Record, root string) {
	blob, ok := h.onlyFile(r.ID, root, "checkpoint.md")
	if !ok {
		return
	}
	c := h.texts[blob] // read and found good
	if c == nil {
		o, ok := h.Need(blob, r.ID, "its text")
		if !ok {
			return
		}
		var err error
		if c, err = codec.Parse(o.Data); err != nil {
			h.Bad[r.ID] = true
			h.Add("bad-format", record.Short(r.ID), err.Error(), remedy.Typed("git show "+record.Short(r.ID)+":checkpoint.md"))
			return
		}
	}
	if h.Own[r.ID] {
		return
	}
	if err := admission.Mismatch(&r, c); err != nil {
		h.Foreign(record.Short(r.ID), err.Error())
	}
}

// onlyFile returns the id of the one file that a commit of ours holds.
func (h *historyWalk) onlyFile(id, root, name string) (string, bool) {
	o, ok := h.Need(root, id, "its tree")
	if !ok {
		return "", false
	}
	entries := gittree.Parse(o.Data, h.Repo.IDSize())
	for _, e := range entries {
		if e.Name == name && e.Mode == gittree.ModeFile {
			if len(entries) > 1 {
				h.Foreign(record.Short(id), fmt.Sprintf("holds %s besides %s, which a push would publish", legible.Count(len(entries)-1, "file"), name))
			}
			return e.ID, true
		}
	}
	h.Bad[id] = true
	h.Add("bad-format", record.Short(id), "has no "+name)
	return "", false
}

// tombstone checks that the commit and its file say the same.
func (h *historyWalk) tombstone(r record.Record, root string) {
	ids := append(r.Removes, r.Restores...)
	if len(ids) == 0 || len(ids) > admission.MaxRemoved {
		h.Add("bad-format", record.Short(r.ID), "a tombstone that lists no checkpoints, or too many")
		return
	}
	blob, ok := h.onlyFile(r.ID, root, "tombstone.yaml")
	if !ok {
		return
	}
	o, ok := h.Need(blob, r.ID, "its list")
	if !ok {
		return
	}
	if err := admission.MismatchTombstone(&r, o.Data); err != nil {
		h.Add("bad-format", record.Short(r.ID), err.Error())
	}
}
