package gitstore

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/git-sage/git-sage/gitstore/sage"
)

// history checks every commit that refs of a kind lead to, tips first where not
// all is to be read. Each is checked once.
func (k *checker) history(kind string) {
	var todo []string
	for _, tip := range k.tips {
		if refKind(tip.name) == kind {
			todo = append(todo, tip.id)
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
	k.report.Partly = k.report.Partly || past
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
			k.report.Checkpoints++
		}
		k.cut(id)
		return nil
	}
	r := Record{ID: id}
	ours := r.parseCommit(o.Data)
	if k.shallow(id) {
		r.Parents = nil
	}
	root := treeOf(o.Data)
	switch {
	case kind == "other":
		k.wholeTree(root, id, "")
		return r.Parents
	case !ours:
		k.foreign(short(id), "not a checkpoint: its message has no Sage-Format paragraph; a push would carry it off, and all that it continues")
		return nil // what lies behind it is somebody else's
	case r.Format <= formatVersion && (kind == "tree") != (r.Kind == kindKnowledge) && isKind(r.Kind):
		k.foreign(short(id), "a '"+string(r.Kind)+"' does not belong there")
		return nil
	case k.s.standIn(id) != id:
		k.add("purged", short(id), "was purged, and is back", "git sage purge "+short(id))
	case r.Format > formatVersion:
		k.warn("newer-format", short(id), "written by a newer git-sage; it can be read, not changed", "upgrade git-sage")
		return r.Parents
	}
	k.content(r, root)
	return r.Parents
}

// foreign records that our refs reach what is no memory, so that a push would carry off
// what nobody meant to give away.
func (k *checker) foreign(subject, detail string) {
	k.add("foreign", subject, detail, foreignCure)
}

const foreignCure = "git sage purge --foreign"

// isKind reports whether commits of a kind are known to this version.
func isKind(kind Kind) bool {
	switch kind {
	case KindCheckpoint, KindMerge, KindTombstone, kindKnowledge:
		return true
	}
	return false
}

// content checks what a commit of ours holds.
func (k *checker) content(r Record, root string) {
	switch r.Kind {
	case KindCheckpoint, KindMerge:
		k.report.Checkpoints++
		k.checkpoint(r, root)
	case KindTombstone:
		k.tombstone(r, root)
	case "knowledge":
		k.wholeTree(root, r.ID, "")
	default:
		k.warn("unknown-kind", short(r.ID), "a '"+string(r.Kind)+"' of a newer version; it can be read, not changed", "upgrade git-sage")
	}
}

// cut says what can still be reached behind a commit that is gone: the log of
// the ref knows what came before it.
func (k *checker) cut(id string) {
	last := &k.report.Findings[len(k.report.Findings)-1]
	last.Detail += "; what came before it cannot be reached"
	if old := k.heard(id).before; old != "" && k.fits(headsPrefix, old) {
		last.Detail += ", but " + k.title(old) + " and what it continues can be read"
		last.Cure += "; 'git sage branch <name> " + short(old) + "' keeps that"
	}
}

// shallow reports whether history is cut on purpose below a commit.
func (k *checker) shallow(id string) bool {
	if k.ends == nil {
		k.ends = k.s.shallow()
	}
	return bytes.Contains(k.ends, []byte(id))
}

func (k *checker) checkpoint(r Record, root string) {
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
		if c, err = sage.Parse(o.Data); err != nil {
			k.bad[r.ID] = true
			k.add("bad-format", short(r.ID), err.Error(), "git show "+short(r.ID)+":checkpoint.md")
			return
		}
	}
	if k.own[r.ID] {
		return
	}
	if err := mismatch(&r, c); err != nil {
		k.foreign(short(r.ID), err.Error())
	}
}

// onlyFile returns the id of the one file that a commit of ours holds.
func (k *checker) onlyFile(id, root, name string) (string, bool) {
	o, ok := k.need(root, id, "its tree")
	if !ok {
		return "", false
	}
	entries := parseTree(o.Data, k.s.idSize())
	for _, e := range entries {
		if e.name == name && e.mode == modeFile {
			if len(entries) > 1 {
				k.foreign(short(id), fmt.Sprintf("holds %s beside %s that nothing reads, and a push would carry off", count(len(entries)-1, "file"), name))
			}
			return e.id, true
		}
	}
	k.bad[id] = true
	k.add("bad-format", short(id), "has no "+name, "")
	return "", false
}

// tombstone checks that the commit and its file say the same.
func (k *checker) tombstone(r Record, root string) {
	ids := append(r.Removes, r.Restores...)
	if len(ids) == 0 || len(ids) > maxRemoved {
		k.add("bad-format", short(r.ID), "a tombstone that removes nothing, or too much", "")
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
	if err := mismatchTombstone(&r, o.Data); err != nil {
		k.add("bad-format", short(r.ID), err.Error(), "")
	}
}

// treeOf is the id of a commit's tree.
func treeOf(commit []byte) string {
	line, _, _ := strings.Cut(string(commit), "\n")
	return strings.TrimPrefix(line, "tree ")
}
