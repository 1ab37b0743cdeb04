package verify

import (
	"bytes"
	"fmt"
	"strconv"

	"github.com/git-sage/git-sage/gitstore/internal/admission"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
	"github.com/git-sage/git-sage/gitstore/sage/codec"
)

// history checks every commit that refs of a kind lead to, tips first where not
// all is to be read. Each is checked once.
func (k *checker) history(kind string) {
	var todo []string
	for _, tip := range k.tips {
		if repo.RefKind(tip.Name) == kind {
			todo = append(todo, tip.ID)
		}
	}
	visit := func(id string) { todo = append(todo, k.visit(kind, id)...) }
	if k.most > 0 {
		k.newest(kind, &todo, visit)
		return
	}
	k.warm(todo, visit)
	for len(todo) > 0 {
		id := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		visit(id)
	}
}

// newest checks the newest commits of a kind, as many as are to be read.
func (k *checker) newest(kind string, todo *[]string, visit func(id string)) {
	commits := 0
	some := func(id string) {
		if !k.seen[id] && k.more(&commits) {
			visit(id)
		}
	}
	if kind == "local" { // of the others few commits hold very much
		k.warm(*todo, some, "--max-count="+strconv.Itoa(k.most+1))
	}
	for len(*todo) > 0 && commits <= k.most {
		id := (*todo)[0]
		*todo = (*todo)[1:]
		some(id)
	}
}

// more reports whether one more of what was counted is to be read, and counts it.
func (k *checker) more(counted *int) bool {
	*counted++
	past := k.most > 0 && *counted > k.most
	k.Report.Partly = k.Report.Partly || past
	return !past
}

// visit checks a commit that was not seen yet, and returns what it continues.
func (k *checker) visit(kind, id string) (parents []string) {
	if k.seen[id] || k.ctx.Err() != nil {
		return nil
	}
	k.seen[id] = true
	return k.commit(kind, id)
}

func (k *checker) commit(kind, id string) (parents []string) {
	told := k.bad[id]
	o, ok := k.need(id, id, "the commit")
	if !ok {
		if kind == "local" && !told {
			k.Report.Checkpoints++
		}
		k.cut(id)
		return nil
	}
	r := record.Record{ID: id}
	ours := r.ParseCommit(o.Data)
	if k.shallow(id) {
		r.Parents = nil
	}
	root := repo.TreeOf(o.Data)
	switch {
	case kind == "other":
		k.wholeTree(root, id, "")
		return r.Parents
	case !ours:
		k.foreign(record.Short(id), "not a checkpoint (no Sage-Format trailer); a push would publish it and its ancestors")
		return nil // what lies behind it is somebody else's
	case r.Format <= record.FormatVersion && (kind == "tree") != (r.Kind == record.KindKnowledge) && record.IsKind(r.Kind):
		k.foreign(record.Short(id), "a '"+string(r.Kind)+"' does not belong here")
		return nil
	case k.s.rewritten.StandIn(id) != id:
		k.add("purged", record.Short(id), "was purged, but is present again", "git sage purge "+record.Short(id))
	case r.Format > record.FormatVersion:
		k.warn("newer-format", record.Short(id), "written by a newer git-sage; read-only here", "upgrade git-sage")
		return r.Parents
	}
	k.content(r, root)
	return r.Parents
}

// foreign records that our refs reach what is no memory, so that a push would carry off
// what nobody meant to give away.
func (k *checker) foreign(subject, detail string) {
	k.add("foreign", subject, detail, admission.ForeignCure)
}

// content checks what a commit of ours holds.
func (k *checker) content(r record.Record, root string) {
	switch r.Kind {
	case record.KindCheckpoint, record.KindMerge:
		k.Report.Checkpoints++
		k.checkpoint(r, root)
	case record.KindTombstone:
		k.tombstone(r, root)
	case "knowledge":
		k.wholeTree(root, r.ID, "")
	default:
		k.warn("unknown-kind", record.Short(r.ID), "a '"+string(r.Kind)+"' written by a newer git-sage; read-only here", "upgrade git-sage")
	}
}

// cut says what can still be reached behind a commit that is gone: the log of
// the ref knows what came before it.
func (k *checker) cut(id string) {
	last := &k.Report.Findings[len(k.Report.Findings)-1]
	last.Detail += "; its ancestors cannot be reached"
	if old := k.heard(id).before; old != "" && k.fits(repo.HeadsPrefix, old) {
		last.Detail += ", but " + k.title(old) + " and its ancestors can be read"
		last.Cure += "; 'git sage branch <name> " + record.Short(old) + "' keeps them"
	}
}

// shallow reports whether history is cut on purpose below a commit.
func (k *checker) shallow(id string) bool {
	if k.ends == nil {
		k.ends = k.s.repo.Shallow()
	}
	return bytes.Contains(k.ends, []byte(id))
}

func (k *checker) checkpoint(r record.Record, root string) {
	blob, ok := k.onlyFile(r.ID, root, "checkpoint.md")
	if !ok {
		return
	}
	c := k.texts[blob] // read and found good
	if c == nil {
		o, ok := k.need(blob, r.ID, "its text")
		if !ok {
			return
		}
		var err error
		if c, err = codec.Parse(o.Data); err != nil {
			k.bad[r.ID] = true
			k.add("bad-format", record.Short(r.ID), err.Error(), "git show "+record.Short(r.ID)+":checkpoint.md")
			return
		}
	}
	if k.own[r.ID] {
		return
	}
	if err := admission.Mismatch(&r, c); err != nil {
		k.foreign(record.Short(r.ID), err.Error())
	}
}

// onlyFile returns the id of the one file that a commit of ours holds.
func (k *checker) onlyFile(id, root, name string) (string, bool) {
	o, ok := k.need(root, id, "its tree")
	if !ok {
		return "", false
	}
	entries := repo.ParseTree(o.Data, k.s.repo.IDSize())
	for _, e := range entries {
		if e.Name == name && e.Mode == repo.ModeFile {
			if len(entries) > 1 {
				k.foreign(record.Short(id), fmt.Sprintf("holds %s besides %s, which a push would publish", repo.Count(len(entries)-1, "file"), name))
			}
			return e.ID, true
		}
	}
	k.bad[id] = true
	k.add("bad-format", record.Short(id), "has no "+name, "")
	return "", false
}

// tombstone checks that the commit and its file say the same.
func (k *checker) tombstone(r record.Record, root string) {
	ids := append(r.Removes, r.Restores...)
	if len(ids) == 0 || len(ids) > admission.MaxRemoved {
		k.add("bad-format", record.Short(r.ID), "a tombstone that lists no checkpoints, or too many", "")
		return
	}
	blob, ok := k.onlyFile(r.ID, root, "tombstone.yaml")
	if !ok {
		return
	}
	o, ok := k.need(blob, r.ID, "its list")
	if !ok {
		return
	}
	if err := admission.MismatchTombstone(&r, o.Data); err != nil {
		k.add("bad-format", record.Short(r.ID), err.Error(), "")
	}
}
