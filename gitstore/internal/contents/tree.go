package contents

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/backup"
	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/gittree"
	"github.com/git-sage/git-sage/gitstore/internal/journal"
	"github.com/git-sage/git-sage/gitstore/internal/ledger"
	"github.com/git-sage/git-sage/gitstore/internal/loose"
	"github.com/git-sage/git-sage/gitstore/internal/ownership"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
	"github.com/git-sage/git-sage/gitstore/remedy"
	"github.com/git-sage/git-sage/prose/cut"
)

// ReadFile returns a file of the knowledge tree. It returns ErrNotFound if
// there is none.
func (tr *Tree) ReadFile(ctx context.Context, path string) ([]byte, error) {
	if err := CheckPath(path); err != nil {
		return nil, err
	}
	at := tr.history.State()
	if err := tr.history.MayRead(at); err != nil {
		return nil, err
	}
	return tr.readFile(ctx, Half(at, path), path)
}

func (tr *Tree) readFile(ctx context.Context, at, path string) ([]byte, error) {
	if at == "" {
		return nil, fmt.Errorf("%w: file '%s'", repo.ErrNotFound, path)
	}
	o, err := tr.repo.Object(at + ":" + path)
	if errors.Is(err, git.ErrMissing) || err == nil && o.Type != "blob" {
		return nil, fmt.Errorf("%w: file '%s'", repo.ErrNotFound, path)
	}
	if err != nil {
		return nil, fmt.Errorf("read '%s': %w", path, err)
	}
	return o.Data, ctx.Err()
}

// FileAt reads a file in a state of the knowledge. git.ErrMissing says
// that there is none; one that is there and cannot be read is another error, lest it
// is written over.
func (tr *Tree) FileAt(at, file string) (git.Object, error) {
	if at = Half(at, file); at == "" {
		return git.Object{}, git.ErrMissing
	}
	o, err := tr.repo.Object(at + ":" + file)
	if err == nil && o.Type != "blob" {
		err = git.ErrMissing
	}
	if !errors.Is(err, git.ErrMissing) {
		return o, err
	}
	if tr.names(at, file) {
		return o, repo.ErrGone
	}
	return o, err
}

// HasFile reports whether a state of the knowledge has a file that can be read.
func (tr *Tree) HasFile(at, file string) bool {
	_, err := tr.FileAt(at, file)
	return err == nil
}

// names reports whether a tree names a file, or a folder above it that is missing.
func (tr *Tree) names(at, file string) bool {
	dir, name := path.Split(file)
	dir = strings.TrimSuffix(dir, "/")
	entries, err := tr.ItemFolder(at + ":" + dir)
	switch {
	case err == nil:
		return slices.ContainsFunc(entries, func(e gittree.Entry) bool { return e.Name == name })
	case dir == "":
		_, err = tr.repo.Object(at)
		return err == nil
	}
	return tr.names(at, dir)
}

// Files lists the files below a folder of the knowledge tree, by name. A
// missing folder has none.
func (tr *Tree) Files(ctx context.Context, dir string) ([]string, error) {
	if err := CheckPath(dir); err != nil {
		return nil, err
	}
	at := tr.history.Knowledge()
	if err := tr.history.MayRead(at); err != nil {
		return nil, err
	}
	var out []string
	err := tr.list(at+":"+dir, dir, 0, &out)
	if errors.Is(err, git.ErrMissing) {
		err = nil
	}
	return out, cmp.Or(err, ctx.Err())
}

// MaxDepth bounds the folders of a knowledge tree; ours are three deep.
const MaxDepth = 16

func (tr *Tree) list(name, dir string, depth int, out *[]string) error {
	o, err := tr.repo.Object(name)
	if err != nil || o.Type != "tree" || depth > MaxDepth {
		return err
	}
	for _, e := range gittree.Parse(o.Data, tr.repo.IDSize()) {
		path := dir + "/" + e.Name
		switch e.Mode {
		case gittree.ModeFile:
			*out = append(*out, path)
		case gittree.ModeDir:
			if err := tr.list(e.ID, path, depth+1, out); err != nil {
				return err
			}
		}
	}
	return nil
}

// CheckPath refuses what could leave the tree or mean something to git.
func CheckPath(path string) error {
	for _, part := range strings.Split(path, "/") {
		if part == "" || part == "." || part == ".." || strings.EqualFold(part, ".git") || len(part) > 255 || strings.ContainsFunc(part, func(r rune) bool { return r < 0x20 || r == 0x7f || r == '\\' || r == ':' }) {
			return fmt.Errorf("%w '%s': not a path of the knowledge tree", refname.ErrName, path)
		}
	}
	return nil
}

// WriteFiles changes files of the knowledge tree in one commit; nil content
// removes a file. Other writers' files are untouched, whoever is first.
func (tr *Tree) WriteFiles(ctx context.Context, subject string, files map[string][]byte) error {
	return tr.WriteAnd(ctx, subject, files, Also{})
}

// Also is what is done together with a change of the knowledge tree, all or none:
// further moves, and what is to follow before it is acknowledged.
type Also struct {
	Moves []journal.Move
	Then  func() error // may be nil
}

// WriteAnd is WriteFiles with more.
func (tr *Tree) WriteAnd(ctx context.Context, subject string, files map[string][]byte, and Also) error {
	if err := tr.repo.Enabled(); err != nil {
		return err
	}
	clean := map[string][]byte{}
	for path, b := range files {
		if err := CheckPath(path); err != nil {
			return err
		}
		if b == nil {
			clean[path] = nil
			continue
		}
		t, _, err := tr.repo.Options.Redact.Text(string(b))
		if err != nil {
			return fmt.Errorf("look for secrets: %w; nothing was saved", err)
		}
		clean[path] = append([]byte{}, t...)
	}
	_, err := tr.WritePlan(ctx, func(string) (TreeChange, error) { return TreeChange{Subject: subject, Files: clean}, nil }, and)
	return err
}

// A TreeChange is what is to become of the knowledge: files as WriteFiles takes them, but
// clean of secrets. Without files nothing is written.
type TreeChange struct {
	Subject  string
	Private  string   // the subject of what is private, if it is another
	Disagree []string // paths of files that wait for a person
	Files    map[string][]byte
	Sums     []string // of what the files say and this user stands for, see SumOf
	Versions []ownership.Version
}

// A treePlan says what is to become of the knowledge in a state ("" is none yet). It is asked
// again when another writer was faster.
type treePlan func(state string) (TreeChange, error)

// A written change is the commit that it made, of what is shared if both halves changed; "" if
// nothing had to change.
type written struct {
	Commit   string
	Warnings []remedy.Note
}

// WritePlan writes what a plan says in one commit, and what is private of it in another: both or
// none.
func (tr *Tree) WritePlan(ctx context.Context, p treePlan, and Also) (out written, err error) {
	if err := tr.repo.Enabled(); err != nil {
		return out, err
	}
	w := &ledger.Work{Kind: record.KindKnowledge, Now: tr.repo.Options.Now()}
	w.Fill(ctx, tr.ledger, true)
	done := tr.backup.Turn(ctx)
	defer done()
	_ = tr.BeforeWrite(ctx) // else who takes something in does, and before that all is as it is
	subject := ""
	for range repo.MaxTries {
		out, err = backup.Healing(ctx, tr.backup, func() (written, error) {
			said, out, err := tr.tryPlan(ctx, w, p, and)
			subject = said
			return out, err
		})
		if !errors.Is(err, journal.ErrMoved) {
			out.Warnings = append(w.Saved.Warnings, append(out.Warnings, remedy.Notes(tr.backup.TookBack())...)...)
			return out, err
		}
	}
	return out, fmt.Errorf("write '%s': %w", subject, repo.ErrOutraced)
}

func (tr *Tree) tryPlan(ctx context.Context, w *ledger.Work, p treePlan, and Also) (subject string, out written, err error) {
	state, err := tr.history.StateTip(ctx)
	tip, private := refname.Halves(state)
	if err == nil {
		err = tr.history.Guard(ctx, refname.KnowledgeRef, tip)
	}
	if err == nil {
		err = tr.history.MayWrite(tip)
	}
	if err != nil {
		return "", out, err
	}
	c, err := p(state)
	if err == nil && c.hasPrivate() {
		err = tr.history.Guard(ctx, refname.PrivateRef, private)
	}
	if err == nil {
		err = tr.checkBounds(state, c.Files)
	}
	if err != nil || len(c.Files) == 0 {
		return c.Subject, out, err
	}
	out, err = tr.writeChange(ctx, w, state, c, and)
	return c.Subject, out, err
}

func (c TreeChange) hasPrivate() bool {
	for file := range c.Files {
		if IsPrivate(file) {
			return true
		}
	}
	return false
}

// halves are the changes of either ref, in the order in which git is to move them: it does so one
// after the other, and whoever kills it in between leaves a file in both places, and not in none.
func (c TreeChange) halves() []TreeChange {
	shared, private := c, c
	shared.Files, private.Files = map[string][]byte{}, map[string][]byte{}
	private.Subject = cmp.Or(c.Private, c.Subject)
	gains := false // an item that was shared
	for file, b := range c.Files {
		if !IsPrivate(file) {
			shared.Files[file] = b
			continue
		}
		was, moves := c.Files[Public(file)]
		private.Files[file], gains = b, gains || b != nil && moves && was == nil
	}
	out := []TreeChange{shared, private}
	if gains {
		slices.Reverse(out)
	}
	return slices.DeleteFunc(out, func(c TreeChange) bool { return len(c.Files) == 0 })
}

// A half is one ref as it is to be.
type half struct {
	move    journal.Move
	commit  record.Commit
	objects []loose.Object // its files and folders
}

// half makes the files and folders of a change of one ref.
func (tr *Tree) half(w *ledger.Work, state string, to TreeChange) (h half, err error) {
	// A subject names ids and paths, also those that came in from elsewhere.
	if to.Subject, _, err = tr.repo.Options.Redact.Text(to.Subject); err != nil {
		return h, fmt.Errorf("look for secrets: %w; nothing was saved", err)
	}
	h.move.Ref = refname.KnowledgeRef
	if to.hasPrivate() {
		h.move.Ref = refname.PrivateRef
	}
	for file := range to.Files {
		h.move.Old = Half(state, file)
	}
	tip, b := h.move.Old, TreeBuilder{S: tr}
	root, err := b.Build(tip+":", tip != "", to.Files)
	if err != nil {
		return h, fmt.Errorf("write '%s': %w", to.Subject, err)
	}
	if root == "" { // the last file is gone
		root = b.add("tree", nil)
	}
	h.objects = b.Objects
	h.commit = record.Commit{Tree: root, Author: w.Author.Stamp(w.Now), Committer: w.Committer.Stamp(w.Now), Message: to.message()}
	if tip != "" {
		h.commit.Parents = []string{tip}
	}
	return h, nil
}

func (tr *Tree) writeChange(ctx context.Context, w *ledger.Work, state string, to TreeChange, and Also) (out written, err error) {
	var halves []half
	var objects []loose.Object
	for _, c := range to.halves() {
		h, err := tr.half(w, state, c)
		if err != nil {
			return out, err
		}
		if !w.Sign { // else git signs it, which takes a while
			o := tr.repo.Objects.New("commit", h.commit.Encode())
			h.move.New, h.objects = o.ID, append(h.objects, o)
		}
		halves, objects = append(halves, h), append(objects, h.objects...)
	}
	why := "sage: " + cut.Runes(to.Subject, 72)
	starts := repo.Early(func() *ledger.Mover { // beside the disk
		m, _ := tr.ledger.Mover(ctx, why)
		return m
	})
	rest, err := tr.backup.PutAll(ctx, objects...)
	for i := range halves {
		if h := &halves[i]; w.Sign && err == nil {
			var o loose.Object
			o, err = tr.ledger.Commit(ctx, w, h.commit)
			h.move.New, rest = o.ID, append(slices.Clone(rest), o)
		}
	}
	m := starts()
	if err == nil && m == nil {
		m, err = tr.ledger.Mover(ctx, why)
	}
	if err != nil {
		m.Cancel()
		return out, err
	}
	var moves []journal.Move
	made := ownership.Making{Sums: to.Sums, Versions: to.Versions}
	for _, h := range halves {
		moves, made.IDs = append(moves, h.move), append(made.IDs, h.move.New)
		if h.move.Ref == refname.KnowledgeRef || out.Commit == "" {
			out.Commit = h.move.New
		}
	}
	out.Warnings, err = m.MoveTo(ctx, rest, append(moves, and.Moves...), func() error {
		if err := tr.backup.LeftBehind(ctx, objects, rest); err != nil || and.Then == nil {
			return err
		}
		return and.Then()
	}, made)
	return out, err
}

// message is that of the commit. It names files that wait for a person, for status.
func (c TreeChange) message() string {
	return fmt.Sprintf("%s\n\n%sSage-Format: %d\nSage-Kind: %s\n", cut.Runes(c.Subject, 72), record.Waiting(c.Disagree), record.PlainFormat(), record.KindKnowledge)
}

// A TreeBuilder makes the trees of a changed path anew and takes all others as
// they are.
type TreeBuilder struct {
	S       *Tree
	Objects []loose.Object
}

func (b *TreeBuilder) Build(name string, exists bool, files map[string][]byte) (string, error) {
	entries := map[string]gittree.Entry{}
	if exists {
		o, err := b.S.repo.Object(name)
		if err != nil {
			return "", err
		}
		for _, e := range gittree.Parse(o.Data, b.S.repo.IDSize()) {
			entries[e.Name] = e
		}
	}
	below := map[string]map[string][]byte{}
	for path, data := range files {
		dir, rest, nested := strings.Cut(path, "/")
		switch {
		case nested && below[dir] == nil:
			below[dir] = map[string][]byte{rest: data}
		case nested:
			below[dir][rest] = data
		case data == nil:
			delete(entries, path)
		default:
			entries[path] = gittree.Entry{Mode: gittree.ModeFile, Name: path, ID: b.add("blob", data)}
		}
	}
	for dir, files := range below {
		old, ok := entries[dir]
		id, err := b.Build(old.ID, ok && old.Mode == gittree.ModeDir, files)
		if err != nil {
			return "", err
		}
		if entries[dir] = (gittree.Entry{Mode: gittree.ModeDir, Name: dir, ID: id}); id == "" {
			delete(entries, dir)
		}
	}
	return b.Tree(entries), nil
}

// Tree returns the id of a tree, or "" for an empty one below the root.
func (b *TreeBuilder) Tree(entries map[string]gittree.Entry) string {
	list := slices.SortedFunc(maps.Values(entries), gittree.Entry.Compare)
	if len(list) == 0 {
		return ""
	}
	return b.add("tree", gittree.Encode(list...))
}

// SoundTree reads a tree that git itself would have written: whole, in order, with no
// name twice.
func (tr *Tree) SoundTree(id string) ([]gittree.Entry, error) {
	o, err := tr.repo.Object(id)
	if err != nil {
		return nil, fmt.Errorf("cannot be read: %w", cmp.Or(tr.repo.NotFetched("it"), repo.Unsound(err)))
	}
	if err := Sound(o, tr.repo.IDSize()); err != nil {
		return nil, err
	}
	return gittree.Parse(o.Data, tr.repo.IDSize()), nil
}

// Sound returns an error unless an object is a tree that git itself would have written, whose
// ids have size bytes.
func Sound(o git.Object, size int) error {
	if o.Type != "tree" || !gittree.IsSound(o.Data, size) {
		return errors.New("has a form that git would not write")
	}
	return nil
}

func (b *TreeBuilder) add(typ string, data []byte) string {
	o := b.S.repo.Objects.New(typ, data)
	b.Objects = append(b.Objects, o)
	return o.ID
}
