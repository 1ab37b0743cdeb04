package gitstore

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/meet"
	"github.com/git-sage/git-sage/gitstore/sage"
)

// What bounds a knowledge tree that is taken in. Ours are far below.
const maxPaths = 1_000_000 // files and folders, as often as they are reached

// A shape is what lies below a folder.
type shape struct{ paths, height int }

// A treeFit checks what a knowledge tree brings before it is taken in: one that our
// own check would complain of, or that takes hours to walk, is no loss. What is the
// same here as there is not looked at.
type treeFit struct {
	s     *Store
	known map[[3]string]shape        // by their folder and ours, and where it lies if that is bounded
	blobs []string                   // files that are not here as they are there
	names map[string]string          // of these, one
	bound map[string]map[string]bool // those that everybody reads: where they lie
	sums  tallies                    // of these
}

// fitTrees checks the trees of the tips of knowledge, and of all that a merge of
// them merges, against our own.
func (f *fetching) fitTrees(tips ...string) error {
	heads, err := meet.Heads(f.h, tips...)
	if err != nil {
		return err
	}
	own := ""
	if tip := f.local[knowledgeRef]; tip != "" {
		if own, err = f.rootOf(tip); err != nil {
			return nil // which is for others to say
		}
	}
	t := &treeFit{s: f.s, known: map[[3]string]shape{}, names: map[string]string{}, bound: map[string]map[string]bool{}, sums: tallies{}}
	for _, id := range append(heads, tips...) {
		root, err := f.rootOf(id)
		if err == nil {
			_, err = t.folder(root, own, "", 0)
		}
		if err != nil {
			return fmt.Errorf("knowledge of %s: %w", short(id), err)
		}
	}
	return t.sizes(f)
}

func (f *fetching) rootOf(id string) (string, error) {
	o, err := f.s.object(id)
	return treeOf(o.Data), err
}

// folder checks a folder and all that is below, and says how much that is.
func (t *treeFit) folder(id, own, dir string, depth int) (sum shape, err error) {
	key := [3]string{id, own, ""}
	if _, bounded := boundIn(strings.TrimSuffix(dir, "/")); bounded || dir == "" {
		key[2] = "/" + dir
	}
	if id == own {
		return shape{}, nil
	}
	sum, seen := t.known[key]
	if !seen {
		if depth > maxDepth {
			return sum, fmt.Errorf("folders lie more than %d deep", maxDepth)
		}
		if sum, err = t.below(id, own, dir, depth); err != nil {
			return sum, err
		}
		t.known[key] = sum
	}
	switch {
	case depth+sum.height > maxDepth:
		return sum, fmt.Errorf("folders lie more than %d deep", maxDepth)
	case sum.paths > maxPaths:
		return sum, fmt.Errorf("'%s' holds more than %d paths", sage.OneLine(dir), maxPaths)
	}
	return sum, nil
}

func (t *treeFit) below(id, own, dir string, depth int) (sum shape, err error) {
	entries, err := t.entries(id)
	if err != nil {
		return sum, fmt.Errorf("the folder '/%s' %w", sage.OneLine(dir), err)
	}
	if most := mostIn(dir); most > 0 && len(entries) > most {
		return sum, fmt.Errorf("'%s' holds %d files; %d at most are taken in", sage.OneLine(strings.TrimSuffix(dir, "/")), len(entries), most)
	}
	mine := map[string]treeEntry{}
	if own != "" {
		o, _ := t.s.object(own) // what cannot be read is as if it were not there
		for _, e := range parseTree(o.Data, t.s.idSize()) {
			mine[e.name] = e
		}
	}
	sum = shape{len(entries), 0}
	for _, e := range entries {
		switch {
		case mine[e.name] == e:
		case strings.Contains(e.name, "/") || checkPath(e.name) != nil || e.mode != modeFile && e.mode != modeDir:
			return sum, fmt.Errorf("'%s' has a name or mode (%s) that is not allowed there", sage.OneLine(dir+e.name), sage.OneLine(e.mode))
		case e.mode == modeFile:
			t.file(e.id, dir+e.name)
		default:
			ours := mine[e.name]
			if ours.mode != modeDir {
				ours.id = ""
			}
			under, err := t.folder(e.id, ours.id, dir+e.name+"/", depth+1)
			if err != nil {
				return sum, err
			}
			sum.paths, sum.height = sum.paths+under.paths, max(sum.height, under.height+1)
		}
	}
	return sum, nil
}

// mostIn is how many entries a folder may have whose files everybody reads, 0 if any. A
// skill may have a folder beside it.
func mostIn(dir string) int {
	b, ok := boundIn(strings.TrimSuffix(dir, "/"))
	switch {
	case !ok:
		return 0
	case dir == skillsDir+"/":
		return 2 * b.files
	}
	return b.files
}

// file notes a file, to look at its size.
func (t *treeFit) file(id, name string) {
	t.blobs = append(t.blobs, id)
	if t.names[id] == "" {
		t.names[id] = name
	}
	if _, ok := boundOf(name); !ok {
		return
	}
	if t.bound[id] == nil {
		t.bound[id] = map[string]bool{}
	}
	t.bound[id][name] = true
}

// entries reads a folder that git itself would have written: whole, in order, with no
// name twice.
func (t *treeFit) entries(id string) ([]treeEntry, error) {
	o, err := t.s.object(id)
	if err != nil {
		return nil, fmt.Errorf("cannot be read: %w; run 'git sage fsck'", err)
	}
	out := parseTree(o.Data, t.s.idSize())
	name := func(e treeEntry) string {
		if e.mode == modeDir {
			return e.name + "/"
		}
		return e.name
	}
	sorted := slices.IsSortedFunc(out, func(a, b treeEntry) int { return strings.Compare(name(a), name(b)) })
	names := map[string]bool{}
	for _, e := range out {
		names[e.name] = true
	}
	if o.Type != "tree" || !sorted || len(names) != len(out) || !bytes.Equal(encodeTree(out...), o.Data) {
		return nil, errors.New("is none that git would write")
	}
	return out, nil
}

// sizes refuses files that are larger than anything here reads.
func (t *treeFit) sizes(f *fetching) error {
	slices.Sort(t.blobs)
	t.blobs = slices.Compact(t.blobs)
	if len(t.blobs) == 0 {
		return nil
	}
	var said bytes.Buffer
	err := f.s.git.Pipe(f.ctx, strings.NewReader(strings.Join(t.blobs, "\n")+"\n"), &said, "cat-file", "--batch-check=%(objectname) %(objecttype) %(objectsize)", "--buffer")
	if err != nil {
		return fmt.Errorf("look at what was fetched: %w", err)
	}
	for l := range strings.Lines(said.String()) {
		var id, typ string
		var size int64
		if n, _ := fmt.Sscan(l, &id, &typ, &size); n != 3 {
			continue // of a partial clone it may be missing
		}
		if typ != "blob" || size > git.MaxObject {
			return toPurge(fmt.Errorf("'%s' is a %s of %d bytes, %d at most are taken in", sage.OneLine(t.names[id]), typ, size, int64(git.MaxObject)), t.names[id])
		}
		for _, file := range slices.Sorted(maps.Keys(t.bound[id])) {
			if err := t.tally(file, int(size)); err != nil {
				return toPurge(err, file)
			}
		}
	}
	return nil
}

// tally counts what is new of the files that every session reads.
func (t *treeFit) tally(file string, size int) error {
	if of := t.sums[path.Dir(file)]; of != nil {
		of.n = 0 // several heads bring versions of one
	}
	return t.sums.add(file, size)
}

// toPurge adds what to do about a file that is not taken in, and so all beside it: only
// who has written it can take it out.
func toPurge(err error, file string) error {
	cure := purgeOf(file)
	if cure == "" {
		return fmt.Errorf("%w; nothing beside it is taken in until it is purged there", err)
	}
	return fmt.Errorf("%w; nothing beside it is taken in until '%s' there, and a push", err, cure)
}

// fitText checks that a tip holds what its kind is to hold, and that it can be read.
// A text that is missing, as in a partial clone, is not looked at.
func (f *fetching) fitText(id string) error {
	r, err := f.s.commitRecord(id)
	if err != nil {
		return err
	}
	if r.Kind == KindTombstone {
		if n := len(r.Removes) + len(r.Restores); n == 0 || n > maxRemoved {
			return fmt.Errorf("%s is a tombstone that removes nothing, or too much", short(id))
		}
		return nil
	}
	root, err := f.rootOf(id)
	if err != nil {
		return err
	}
	tree, err := f.s.object(root)
	if err != nil {
		return fmt.Errorf("the folder of %s cannot be read: %w", short(id), err)
	}
	entries := parseTree(tree.Data, f.s.idSize())
	at := slices.IndexFunc(entries, func(e treeEntry) bool { return e.name == "checkpoint.md" && e.mode == modeFile })
	if at < 0 {
		return fmt.Errorf("%s has no checkpoint.md", short(id))
	}
	o, err := f.s.object(entries[at].id)
	if err == nil {
		_, err = sage.Parse(o.Data)
	}
	if err != nil && !errors.Is(err, git.ErrMissing) && (!errors.Is(err, io.EOF) || f.s.promisor() == "") { // git ends there where it would have to ask
		return fmt.Errorf("the text of %s cannot be read: %w", short(id), err)
	}
	return nil
}
