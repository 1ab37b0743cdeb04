package gitstore

import (
	"errors"
	"path"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/sage"
)

// knowledge checks the names and notes of the knowledge tree as it is now. That
// everything in its history can be read, chain has seen.
func (k *checker) knowledge() {
	id := k.idOf(KnowledgeRef)
	if id == "" {
		return
	}
	o, err := k.anywhere(id)
	if err != nil {
		return // reported with its ref
	}
	if err := k.s.mayWrite(id); err != nil {
		k.warn("newer-format", "knowledge", err.Error(), "upgrade git-sage")
	}
	var items []treeEntry
	k.entries(treeOf(o.Data), "", 0, &items)
	k.items(items)
	if k.most == 0 {
		k.onlyKnowledge(id)
	}
}

// onlyKnowledge makes sure that no state of the knowledge, back to the first, holds
// anything at a place where nothing of ours lies.
func (k *checker) onlyKnowledge(tip string) {
	v, err := k.s.verifier(k.ctx, true)
	if err == nil {
		err = v.verdict(tip)
	}
	var place *placeError
	named := slices.ContainsFunc(k.report.Findings, func(f Finding) bool { return f.Kind == "bad-path" })
	if errors.As(err, &place) && !named {
		k.foreign("knowledge", sage.OneLine(err.Error())+"; a push would carry it off")
	}
}

// An inFolder is a folder, and in which folder of the root it lies: what that is for.
type inFolder struct {
	tree, top string
}

// entries looks at each folder once, or again where it lies deeper: a few that hold
// each other many times make more paths than anybody can walk.
func (k *checker) entries(tree, dir string, depth int, items *[]treeEntry) {
	at := inFolder{tree, ""}
	switch top, _, _ := strings.Cut(dir, "/"); top {
	case linesDir, itemsDir, systemDir, skillsDir, templatesDir:
		at.top = top
	}
	if k.deepest[at] > depth {
		return // looked at where less may lie below it
	}
	k.deepest[at] = depth + 1
	o, err := k.anywhere(tree)
	if err != nil || o.Type != "tree" {
		return // reported by wholeTree
	}
	for _, e := range parseTree(o.Data, k.s.idSize()) {
		if !k.more(&k.names) {
			return
		}
		path := dir + e.name
		if checkPath(path) != nil || strings.Contains(e.name, "/") || depth > maxDepth || e.mode != modeFile && e.mode != modeDir {
			k.add("bad-path", "knowledge:"+sage.OneLine(path), "mode "+e.mode+" or name is not allowed in the knowledge tree", foreignCure)
			continue
		}
		if e.mode == modeDir {
			k.entries(e.id, path+"/", depth+1, items)
		} else if k.beyond(path, e.id) { // and is not read
		} else if line, ok := strings.CutPrefix(path, "lines/"); ok {
			k.lineNote(path, strings.TrimSuffix(line, ".yaml"), e.id)
		} else if isItemPath(path) {
			*items = append(*items, treeEntry{e.mode, path, e.id})
		} else if path == coreFile {
			k.coreFiles(e.id)
		}
	}
}

// beyond names a file that is larger than what every session reads, or one too many.
func (k *checker) beyond(file, blob string) bool {
	if _, ok := boundOf(file); !ok {
		return false
	}
	o, err := k.anywhere(blob)
	if err != nil {
		return false // reported by wholeTree
	}
	if err = k.tallies.add(file, len(o.Data)); err != nil {
		k.warn("too-large", "knowledge:"+sage.OneLine(file), sage.OneLine(err.Error()), purgeOf(file))
	}
	return err != nil
}

// purgeOf is the command that takes a file out of the knowledge tree; "" for one that a
// shell may take for something else.
func purgeOf(file string) string {
	for _, part := range strings.Split(strings.TrimSuffix(file, path.Ext(file)), "/") {
		if CheckName(part) != nil {
			return ""
		}
	}
	return "git sage purge --path " + file
}

// lineNote checks a note that says which branches a line belongs to.
func (k *checker) lineNote(path, line, blob string) {
	o, err := k.anywhere(blob)
	if err != nil {
		return
	}
	if _, err := parseNote(o.Data); err != nil {
		k.warn("bad-note", "knowledge:"+path, "is not read: "+sage.OneLine(err.Error()), "git sage branch -d "+line)
	}
}

// wholeTree makes sure that everything below a tree can be read. Each object is
// read once, however many commits hold it, and not here if git listed it with all
// below it, and all of that was read.
func (k *checker) wholeTree(tree, owner, dir string) {
	if k.later != nil {
		k.later = append(k.later, rootOf{tree, owner})
		return
	}
	if k.folder[tree] || k.seen[tree] || k.ctx.Err() != nil || strings.Count(dir, "/") > maxDepth {
		return
	}
	k.seen[tree] = true
	o, ok := k.need(tree, owner, "its folder '/"+dir+"'")
	if !ok {
		return
	}
	for _, e := range parseTree(o.Data, k.s.idSize()) {
		if k.seen[e.id] {
			continue
		}
		if !k.more(&k.files) {
			return
		}
		switch path := dir + sage.OneLine(e.name); {
		case e.mode == modeDir:
			k.wholeTree(e.id, owner, path+"/")
		case e.mode == modeFile:
			k.seen[e.id] = true
			k.need(e.id, owner, "its file '"+path+"'")
		}
	}
}
