package notes

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/git-sage/git-sage/gitstore/internal/backup"
	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/gittree"
	"github.com/git-sage/git-sage/gitstore/internal/journal"
	"github.com/git-sage/git-sage/gitstore/internal/loose"
	"github.com/git-sage/git-sage/gitstore/internal/ownership"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
)

// mostDepth bounds the folders over which git spreads notes: two digits of an id each.
const mostDepth = 4

// paths are where git may have put the note on a commit.
func paths(commit string) (out []string) {
	dir := ""
	for rest := commit; len(out) < mostDepth; rest = rest[2:] {
		out, dir = append(out, dir+rest), dir+rest[:2]+"/"
	}
	return out
}

// at reads the note on a commit from a tip of notes.
func (ns *Notes) at(tip, commit string) (note, error) {
	for _, path := range paths(commit) {
		o, err := ns.repo.Batch.Get(tip + ":" + path)
		if err == nil && o.Type == "blob" {
			return parse(o.Data, len(commit)), nil
		}
		if err != nil && !errors.Is(err, git.ErrMissing) {
			return note{}, fmt.Errorf("read the note on %s: %w", record.Short(commit), err)
		}
	}
	return newNote(), nil
}

// list are the files of all notes at a tip, by commit.
func (ns *Notes) list(tip string) (map[string]string, error) {
	out := map[string]string{}
	return out, ns.listFolder(tip+"^{tree}", "", 0, out)
}

func (ns *Notes) listFolder(tree, prefix string, depth int, out map[string]string) error {
	o, err := ns.repo.Batch.Get(tree)
	if err != nil {
		return fmt.Errorf("list notes: %w", err)
	}
	for _, e := range gittree.Parse(o.Data, ns.repo.IDSize()) {
		switch name := prefix + e.Name; {
		case e.Mode == gittree.ModeDir && len(e.Name) == 2 && record.IsHex(e.Name) && depth < mostDepth:
			if err := ns.listFolder(e.ID, name, depth+1, out); err != nil {
				return err
			}
		case e.Mode == gittree.ModeFile && ns.repo.IsID(name):
			out[name] = e.ID
		}
	}
	return nil
}

// all are the notes at a tip, by commit.
func (ns *Notes) all(tip string) (map[string]note, error) {
	files, err := ns.list(tip)
	if err != nil {
		return nil, err
	}
	commits, ids, out := slices.Sorted(maps.Keys(files)), []string{}, map[string]note{}
	for _, c := range commits {
		ids = append(ids, files[c])
	}
	texts := map[string]note{}
	err = ns.repo.EachObject(ids, func(id string, o git.Object, err error) {
		if err == nil && o.Type == "blob" { // what cannot be read says nothing
			texts[o.ID] = parse(o.Data, len(ns.repo.Objects.Zero()))
		}
	})
	for _, c := range commits {
		if n, ok := texts[files[c]]; ok {
			out[c] = n
		}
	}
	return out, err
}

// An edit makes trees of notes.
type edit struct {
	ns      *Notes
	objects []loose.Object
}

func (e *edit) add(typ string, data []byte) string {
	o := e.ns.repo.Objects.New(typ, data)
	e.objects = append(e.objects, o)
	return o.ID
}

// put writes notes into a tree, whose commits are named by what is behind prefix, and returns
// it; "" is an empty one. A note lies in a folder of the first two digits of its commit, and
// deeper where git spread them further.
func (e *edit) put(tree string, depth int, files map[string]string) (string, error) {
	have := map[string]gittree.Entry{}
	if tree != "" {
		o, err := e.ns.repo.Batch.Get(tree)
		if err != nil {
			return "", err
		}
		for _, x := range gittree.Parse(o.Data, e.ns.repo.IDSize()) {
			have[x.Name] = x
		}
	}
	deeper := map[string]map[string]string{}
	for name, id := range files {
		delete(have, name)
		if dir := name[:2]; depth == 0 || have[dir].Mode == gittree.ModeDir {
			if deeper[dir] == nil {
				deeper[dir] = map[string]string{}
			}
			deeper[dir][name[2:]] = id
		} else if id != "" {
			have[name] = gittree.Entry{Mode: gittree.ModeFile, Name: name, ID: id}
		}
	}
	for dir, files := range deeper {
		below := ""
		if have[dir].Mode == gittree.ModeDir {
			below = have[dir].ID
		}
		id, err := e.put(below, depth+1, files)
		if err != nil {
			return "", err
		}
		if delete(have, dir); id != "" {
			have[dir] = gittree.Entry{Mode: gittree.ModeDir, Name: dir, ID: id}
		}
	}
	if len(have) == 0 && depth > 0 {
		return "", nil
	}
	return e.add("tree", gittree.Encode(slices.SortedFunc(maps.Values(have), gittree.Entry.Compare)...)), nil
}

// change writes what plan makes of the notes at a tip, "" if there are none yet, in one
// commit. It returns how many notes are other than they were. The plan, which may take a
// second, is made before other writers have to wait, and made again where one of them was
// faster, or a purge.
func (ns *Notes) change(ctx context.Context, plan func(tip string) (map[string]note, error)) (n int, err error) {
	if err := ns.repo.Enabled(); err != nil {
		return 0, err
	}
	p := planned{ns: ns, plan: plan}
	if notes, err := p.at(ctx); err == nil && len(notes) == 0 { // what fails is tried again below
		return 0, nil
	}
	done := ns.backup.Turn(ctx)
	defer done()
	for range repo.MaxTries {
		n, err = backup.Healing(ctx, ns.backup, func() (int, error) { return ns.tryChange(ctx, &p) })
		if !errors.Is(err, journal.ErrMoved) {
			return n, err
		}
	}
	return 0, fmt.Errorf("write notes: %w", repo.ErrOutraced)
}

// A planned change is what a plan made of the notes, as long as these and the purges are what
// they were.
type planned struct {
	ns     *Notes
	plan   func(tip string) (map[string]note, error)
	made   bool
	tip    string
	purges int
	notes  map[string]note
}

func (p *planned) at(ctx context.Context) (_ map[string]note, err error) {
	tip, err := p.ns.repo.Tip(ctx, backup.NotesRef)
	if err != nil {
		return nil, err
	}
	if purges := len(p.ns.rewritten.Purges()); !p.made || tip != p.tip || purges != p.purges {
		p.tip, p.purges = tip, purges
		p.notes, err = p.plan(tip)
		p.made = err == nil
	}
	return p.notes, err
}

// added is the message of a commit of notes; all of git's begin with its first word.
const added = "Notes added by git-sage\n"

func (ns *Notes) tryChange(ctx context.Context, p *planned) (n int, err error) {
	notes, err := p.at(ctx)
	if err != nil {
		return 0, err
	}
	tip, e := p.tip, &edit{ns: ns}
	files := e.files(tip, notes)
	if len(files) == 0 {
		return 0, nil
	}
	root, err := e.root(tip, files)
	if err != nil {
		return 0, err
	}
	now := ns.repo.Options.Now()
	author, _ := ns.repo.PersonOf(ctx, "author")
	committer, _ := ns.repo.PersonOf(ctx, "committer")
	c := record.Commit{Tree: root, Author: author.Stamp(now), Committer: committer.Stamp(now), Message: added}
	if tip != "" {
		c.Parents = []string{tip}
	}
	return len(files), ns.move(ctx, e, tip, e.add("commit", c.Encode()), "notes: added by git-sage")
}

// files are the notes that are other than at a tip; "" is none any more.
func (e *edit) files(tip string, notes map[string]note) map[string]string {
	files := map[string]string{}
	for commit, n := range notes {
		var was []byte
		for _, path := range paths(commit) {
			if tip == "" {
				break
			}
			if o, err := e.ns.repo.Batch.Get(tip + ":" + path); err == nil && o.Type == "blob" {
				was = o.Data
			}
		}
		switch text := n.encode(); {
		case bytes.Equal(text, was):
		case n.isEmpty() && was == nil:
		case n.isEmpty():
			files[commit] = ""
		default:
			files[commit] = e.add("blob", text)
		}
	}
	return files
}

// root is the tree at a tip with these files.
func (e *edit) root(tip string, files map[string]string) (string, error) {
	tree := ""
	if tip != "" {
		o, err := e.ns.repo.Batch.Get(tip + "^{tree}")
		if err != nil {
			return "", fmt.Errorf("read notes: %w", err)
		}
		tree = o.ID
	}
	return e.put(tree, 0, files)
}

// move has the ref of the notes go from one commit to another, which e made.
func (ns *Notes) move(ctx context.Context, e *edit, old, now, why string) error {
	if err := ns.backup.Put(ctx, e.objects...); err != nil {
		return err
	}
	_, err := ns.ledger.MoveTo(ctx, why, e.objects, []journal.Move{{Ref: backup.NotesRef, Old: old, New: now}}, nil, ownership.Making{})
	return err
}
