package gitstore

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
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
		k.add("bad-format", short(id), "not a checkpoint: its message has no Sage-Format paragraph", "")
		return nil // what lies behind it is somebody else's
	case k.s.standIn(id) != id:
		k.add("purged", short(id), "was purged, and is back", "git sage purge "+short(id))
	case r.Format > formatVersion:
		k.warn("newer-format", short(id), "written by a newer git-sage; it can be read, not changed", "upgrade git-sage")
		return r.Parents
	}
	k.content(r, root)
	return r.Parents
}

// content checks what a commit of ours holds.
func (k *checker) content(r Record, root string) {
	switch r.Kind {
	case KindCheckpoint, KindMerge:
		k.report.Checkpoints++
		k.checkpoint(r.ID, root)
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
		b, _ := fsx.ReadFile(filepath.Join(k.s.where.commonDir, "shallow"))
		k.ends = append([]byte("\n"), b...)
	}
	return bytes.Contains(k.ends, []byte(id))
}

func (k *checker) checkpoint(id, root string) {
	blob, ok := k.onlyFile(id, root, "checkpoint.md")
	if !ok {
		return
	}
	if k.texts[blob] { // read and found good
		return
	}
	o, ok := k.need(blob, id, "its text")
	if !ok {
		return
	}
	if _, err := sage.Parse(o.Data); err != nil {
		k.bad[id] = true
		k.add("bad-format", short(id), err.Error(), "git show "+short(id)+":checkpoint.md")
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
				k.warn("bad-format", short(id), fmt.Sprintf("holds %d files beside %s; they are never read", len(entries)-1, name), "")
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
	for _, id := range ids {
		if ok && (!isHex(id) || !bytes.Contains(o.Data, []byte(id))) {
			k.add("bad-format", short(r.ID), "a tombstone whose file does not name "+short(id)+" as its message does", "")
			return
		}
	}
}

// treeOf is the id of a commit's tree.
func treeOf(commit []byte) string {
	line, _, _ := strings.Cut(string(commit), "\n")
	return strings.TrimPrefix(line, "tree ")
}
