package gitstore

import (
	"bytes"
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/loose"
	"github.com/git-sage/git-sage/prose/cut"
)

// The knowledge tree is one ref whose tree holds files: knowledge items, pinned
// notes, templates, notes of lines. Every change of it is a commit.

const (
	modeFile = "100644"
	modeDir  = "40000"
)

// ReadFile returns a file of the knowledge tree. It returns ErrNotFound if
// there is none.
func (s *Store) ReadFile(ctx context.Context, path string) ([]byte, error) {
	if err := checkPath(path); err != nil {
		return nil, err
	}
	if err := s.mayRead(s.knowledge()); err != nil {
		return nil, err
	}
	return s.readFile(ctx, path)
}

func (s *Store) readFile(ctx context.Context, path string) ([]byte, error) {
	o, err := s.object(s.knowledge() + ":" + path)
	if errors.Is(err, git.ErrMissing) || err == nil && o.Type != "blob" {
		return nil, fmt.Errorf("%w: file '%s'", ErrNotFound, path)
	}
	if err != nil {
		return nil, fmt.Errorf("read '%s': %w", path, err)
	}
	return o.Data, ctx.Err()
}

// Files lists the files below a folder of the knowledge tree, by name. A
// missing folder has none.
func (s *Store) Files(ctx context.Context, dir string) ([]string, error) {
	if err := checkPath(dir); err != nil {
		return nil, err
	}
	at := s.knowledge()
	if err := s.mayRead(at); err != nil {
		return nil, err
	}
	var out []string
	err := s.list(at+":"+dir, dir, 0, &out)
	if errors.Is(err, git.ErrMissing) {
		err = nil
	}
	return out, cmp.Or(err, ctx.Err())
}

// maxDepth bounds the folders of a knowledge tree; ours are three deep.
const maxDepth = 16

func (s *Store) list(name, dir string, depth int, out *[]string) error {
	o, err := s.object(name)
	if err != nil || o.Type != "tree" || depth > maxDepth {
		return err
	}
	for _, e := range parseTree(o.Data, s.idSize()) {
		path := dir + "/" + e.name
		switch e.mode {
		case modeFile:
			*out = append(*out, path)
		case modeDir:
			if err := s.list(e.id, path, depth+1, out); err != nil {
				return err
			}
		}
	}
	return nil
}

func parseTree(b []byte, size int) (out []treeEntry) {
	for len(b) > 0 {
		head, rest, ok := bytes.Cut(b, []byte{0})
		mode, name, ok2 := strings.Cut(string(head), " ")
		if !ok || !ok2 || len(rest) < size {
			return out
		}
		out = append(out, treeEntry{mode, name, hex.EncodeToString(rest[:size])})
		b = rest[size:]
	}
	return out
}

// checkPath refuses what could leave the tree or mean something to git.
func checkPath(path string) error {
	for _, part := range strings.Split(path, "/") {
		if part == "" || part == "." || part == ".." || strings.EqualFold(part, ".git") || len(part) > 255 || strings.ContainsFunc(part, func(r rune) bool { return r < 0x20 || r == 0x7f || r == '\\' || r == ':' }) {
			return fmt.Errorf("%w '%s': not a path of the knowledge tree", ErrName, path)
		}
	}
	return nil
}

// WriteFiles changes files of the knowledge tree in one commit; nil content
// removes a file. Other writers' files are untouched, whoever is first.
func (s *Store) WriteFiles(ctx context.Context, subject string, files map[string][]byte) error {
	return s.writeAnd(ctx, subject, files, also{})
}

// also is what is done together with a change of the knowledge tree, all or none:
// further moves, and what is to follow before it is acknowledged.
type also struct {
	moves []move
	then  func() error // may be nil
}

// writeAnd is WriteFiles with more.
func (s *Store) writeAnd(ctx context.Context, subject string, files map[string][]byte, and also) error {
	if err := s.Enabled(); err != nil {
		return err
	}
	clean := map[string][]byte{}
	for path, b := range files {
		if err := checkPath(path); err != nil {
			return err
		}
		if b == nil {
			clean[path] = nil
			continue
		}
		t, _, err := s.o.Redact.Text(string(b))
		if err != nil {
			return fmt.Errorf("look for secrets: %w: nothing was saved", err)
		}
		clean[path] = append([]byte{}, t...)
	}
	_, err := s.writePlan(ctx, func(string) (treeChange, error) { return treeChange{subject: subject, files: clean}, nil }, and)
	return err
}

// A treeChange is what is to become of the knowledge tree: files as WriteFiles takes
// them, but clean of secrets. Without files nothing is written.
type treeChange struct {
	subject  string
	disagree []string // paths of files that wait for a person
	files    map[string][]byte
	sums     []string // of what the files say and this user stands for, see sumOf
	versions []version
}

// A treePlan says what is to become of the knowledge tree at a tip ("" is none yet).
// It is asked again when another writer was faster.
type treePlan func(tip string) (treeChange, error)

// A written change is the commit that it made, "" if nothing had to change.
type written struct {
	commit   string
	warnings []string
}

// writePlan writes what a plan says in one commit.
func (s *Store) writePlan(ctx context.Context, p treePlan, and also) (out written, err error) {
	if err := s.Enabled(); err != nil {
		return out, err
	}
	w := &work{kind: kindKnowledge, now: s.o.Now()}
	w.fill(ctx, s, true)
	done, _ := s.turn(ctx)
	defer done()
	_ = s.beforeWrite(ctx) // else who takes something in does, and before that all is as it is
	subject := ""
	for range maxTries {
		out, err = healing(ctx, s, func() (written, error) {
			said, out, err := s.tryPlan(ctx, w, p, and)
			subject = said
			return out, err
		})
		if !errors.Is(err, errMoved) {
			out.warnings = append(w.saved.Warnings, append(out.warnings, s.tookBack()...)...)
			return out, err
		}
	}
	return out, fmt.Errorf("write '%s': other writers were faster %d times", subject, maxTries)
}

func (s *Store) tryPlan(ctx context.Context, w *work, p treePlan, and also) (subject string, out written, err error) {
	tip, err := s.KnowledgeTip(ctx)
	if err == nil {
		err = s.guard(ctx, KnowledgeRef, tip)
	}
	if err == nil {
		err = s.mayWrite(tip)
	}
	if err != nil {
		return "", out, err
	}
	c, err := p(tip)
	if err == nil {
		err = s.checkBounds(tip, c.files)
	}
	if err != nil || len(c.files) == 0 {
		return c.subject, out, err
	}
	out, err = s.writeChange(ctx, w, tip, c, and)
	return c.subject, out, err
}

func (s *Store) writeChange(ctx context.Context, w *work, tip string, to treeChange, and also) (out written, err error) {
	// A subject names ids and paths, also those that came in from elsewhere.
	if to.subject, _, err = s.o.Redact.Text(to.subject); err != nil {
		return out, fmt.Errorf("look for secrets: %w: nothing was saved", err)
	}
	b := treeBuilder{s: s}
	root, err := b.build(tip+":", tip != "", to.files)
	if err != nil {
		return out, fmt.Errorf("write '%s': %w", to.subject, err)
	}
	if root == "" { // the last file is gone
		root = b.add("tree", nil)
	}
	c := commit{tree: root, author: w.author.stamp(w.now), committer: w.committer.stamp(w.now),
		message: to.message()}
	if tip != "" {
		c.parents = []string{tip}
	}
	o := s.objects.New("commit", c.encode())
	objects := append(b.objects, o)
	why := "sage: " + cut.Runes(to.subject, 72)
	starts := early(func() *mover { // beside the disk
		m, _ := s.mover(ctx, why)
		return m
	})
	err = s.put(ctx, objects...)
	m := starts()
	if err == nil && m == nil {
		m, err = s.mover(ctx, why)
	}
	if err != nil {
		m.cancel()
		return out, err
	}
	moves := append([]move{{KnowledgeRef, tip, o.ID}}, and.moves...)
	said, err := m.moveTo(ctx, objects, moves, and.then, making{ids: []string{o.ID}, sums: to.sums, versions: to.versions})
	return written{o.ID, said}, err
}

// message is that of the commit. It names files that wait for a person, for status.
func (c treeChange) message() string {
	return fmt.Sprintf("%s\n\n%sSage-Format: %d\nSage-Kind: %s\n", cut.Runes(c.subject, 72), waiting(c.disagree), plainFormat(), kindKnowledge)
}

// A treeBuilder makes the trees of a changed path anew and takes all others as
// they are.
type treeBuilder struct {
	s       *Store
	objects []loose.Object
}

func (b *treeBuilder) build(name string, exists bool, files map[string][]byte) (string, error) {
	entries := map[string]treeEntry{}
	if exists {
		o, err := b.s.object(name)
		if err != nil {
			return "", err
		}
		for _, e := range parseTree(o.Data, b.s.idSize()) {
			entries[e.name] = e
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
			entries[path] = treeEntry{modeFile, path, b.add("blob", data)}
		}
	}
	for dir, files := range below {
		old, ok := entries[dir]
		id, err := b.build(old.id, ok && old.mode == modeDir, files)
		if err != nil {
			return "", err
		}
		if entries[dir] = (treeEntry{modeDir, dir, id}); id == "" {
			delete(entries, dir)
		}
	}
	return b.tree(entries), nil
}

// tree returns the id of a tree, or "" for an empty one below the root.
func (b *treeBuilder) tree(entries map[string]treeEntry) string {
	list := slices.SortedFunc(maps.Values(entries), treeEntry.compare)
	if len(list) == 0 {
		return ""
	}
	return b.add("tree", encodeTree(list...))
}

// soundTree reads a tree that git itself would have written: whole, in order, with no
// name twice.
func (s *Store) soundTree(id string) ([]treeEntry, error) {
	o, err := s.object(id)
	if err != nil {
		return nil, fmt.Errorf("cannot be read: %w", cmp.Or(s.notFetched("it"), fmt.Errorf("%w; run 'git sage fsck'", err)))
	}
	out := parseTree(o.Data, s.idSize())
	if o.Type != "tree" || !isSound(out) || !bytes.Equal(encodeTree(out...), o.Data) {
		return nil, errors.New("is none that git would write")
	}
	return out, nil
}

// isSound reports whether entries are in git's order, with no name twice. A file and a
// folder of one name need not stand beside each other.
func isSound(entries []treeEntry) bool {
	for i := 1; i < len(entries); i++ {
		if entries[i-1].compare(entries[i]) >= 0 {
			return false
		}
	}
	if !slices.ContainsFunc(entries, func(e treeEntry) bool { return e.mode == modeDir }) {
		return true
	}
	for _, e := range entries {
		if e.mode != modeDir {
			e.mode = modeDir
			if _, twice := slices.BinarySearchFunc(entries, e, treeEntry.compare); twice {
				return false
			}
		}
	}
	return true
}

// compare orders entries as git does: a folder stands as if its name ended with a slash.
func (e treeEntry) compare(o treeEntry) int {
	n := min(len(e.name), len(o.name))
	if c := strings.Compare(e.name[:n], o.name[:n]); c != 0 {
		return c
	}
	return cmp.Compare(e.at(n), o.at(n))
}

// at is the byte at n of the name that orders an entry, 0 behind its end.
func (e treeEntry) at(n int) byte {
	switch {
	case n < len(e.name):
		return e.name[n]
	case n == len(e.name) && e.mode == modeDir:
		return '/'
	}
	return 0
}

func (b *treeBuilder) add(typ string, data []byte) string {
	o := b.s.objects.New(typ, data)
	b.objects = append(b.objects, o)
	return o.ID
}
