package exchange

import (
	"bytes"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/contents"
	"github.com/git-sage/git-sage/gitstore/internal/converge"
	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/gittree"
	"github.com/git-sage/git-sage/gitstore/internal/purge"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
	"github.com/git-sage/git-sage/gitstore/remedy"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
)

// maxPaths bounds a knowledge tree that is taken in: its files and folders, as often as
// they are reached. Ours are far below.
const maxPaths = 1_000_000

// A treeFit measures what a knowledge tree brings before it is taken in: one that our
// own check would complain of, or that takes hours to walk, is no loss. What is the
// same here as there is not looked at. That nothing lies where it does not belong the
// verifier has seen.
type treeFit struct {
	s     *Exchange
	known map[[3]string]int          // paths below, by their folder and ours, and where it lies if that is bounded
	blobs []string                   // files that are not here as they are there
	names map[string]string          // of these, one
	bound map[string]map[string]bool // those that everybody reads: where they lie
	sums  contents.Tallies           // of these
}

// fitTrees checks the trees of the tips of knowledge, and of all that a merge of
// them merges, against our own.
func (f *fetching) fitTrees(tips ...string) error {
	heads, err := converge.Heads(f.h, tips...)
	if err != nil {
		return err
	}
	own := ""
	if tip := f.local[refname.KnowledgeRef]; tip != "" {
		if own, err = f.rootOf(tip); err != nil {
			return nil // which is for others to say
		}
	}
	t := &treeFit{s: f.s, known: map[[3]string]int{}, names: map[string]string{}, bound: map[string]map[string]bool{}, sums: contents.Tallies{}}
	for _, id := range append(heads, tips...) {
		root, err := f.rootOf(id)
		if err == nil {
			_, err = t.folder(root, own, "")
		}
		if err != nil {
			return fmt.Errorf("knowledge of %s: %w", record.Short(id), err)
		}
	}
	return t.sizes(f)
}

func (f *fetching) rootOf(id string) (string, error) {
	o, err := f.s.repo.Object(id)
	return gittree.Of(o.Data), err
}

// folder measures a folder and all that is below, and says how many paths that are.
func (t *treeFit) folder(id, own, dir string) (paths int, err error) {
	key := [3]string{id, own, ""}
	if _, bounded := contents.BoundIn(strings.TrimSuffix(dir, "/")); bounded || dir == "" {
		key[2] = "/" + dir
	}
	if id == own {
		return 0, nil
	}
	paths, seen := t.known[key]
	if !seen {
		if paths, err = t.below(id, own, dir); err != nil {
			return paths, err
		}
		t.known[key] = paths
	}
	if paths > maxPaths {
		return paths, fmt.Errorf("'%s' holds more than %d paths", legible.OneLine(dir), maxPaths)
	}
	return paths, nil
}

func (t *treeFit) below(id, own, dir string) (paths int, err error) {
	entries, err := t.s.contents.SoundTree(id)
	if err != nil {
		return 0, fmt.Errorf("the folder '/%s' %w", legible.OneLine(dir), err)
	}
	if most := mostIn(dir); most > 0 && len(entries) > most {
		return 0, fmt.Errorf("'%s' holds %d files, more than the limit of %d", legible.OneLine(strings.TrimSuffix(dir, "/")), len(entries), most)
	}
	mine := map[string]gittree.Entry{}
	if own != "" {
		o, _ := t.s.repo.Object(own) // what cannot be read is as if it were not there
		for _, e := range gittree.Parse(o.Data, t.s.repo.IDSize()) {
			mine[e.Name] = e
		}
	}
	paths = len(entries)
	for _, e := range entries {
		switch {
		case mine[e.Name] == e:
		case e.Mode == gittree.ModeFile:
			t.file(e.ID, dir+e.Name)
		default:
			ours := mine[e.Name]
			if ours.Mode != gittree.ModeDir {
				ours.ID = ""
			}
			under, err := t.folder(e.ID, ours.ID, dir+e.Name+"/")
			if err != nil {
				return paths, err
			}
			paths += under
		}
	}
	return paths, nil
}

// mostIn is how many entries a folder may have whose files everybody reads, 0 if any. A
// skill may have a folder beside it.
func mostIn(dir string) int {
	b, ok := contents.BoundIn(strings.TrimSuffix(dir, "/"))
	switch {
	case !ok:
		return 0
	case dir == contents.SkillsDir+"/":
		return 2 * b.Files
	}
	return b.Files
}

// file notes a file, to look at its size.
func (t *treeFit) file(id, name string) {
	t.blobs = append(t.blobs, id)
	if t.names[id] == "" {
		t.names[id] = name
	}
	if _, ok := contents.BoundOf(name); !ok {
		return
	}
	if t.bound[id] == nil {
		t.bound[id] = map[string]bool{}
	}
	t.bound[id][name] = true
}

// sizes refuses files that are larger than anything here reads.
func (t *treeFit) sizes(f *fetching) error {
	slices.Sort(t.blobs)
	t.blobs = slices.Compact(t.blobs)
	if len(t.blobs) == 0 {
		return nil
	}
	var said bytes.Buffer
	err := f.s.repo.Git.Pipe(f.ctx, strings.NewReader(strings.Join(t.blobs, "\n")+"\n"), &said, "cat-file", "--batch-check=%(objectname) %(objecttype) %(objectsize)", "--buffer")
	if err != nil {
		return fmt.Errorf("read fetched objects: %w", err)
	}
	for l := range strings.Lines(said.String()) {
		var id, typ string
		var size int64
		if n, _ := fmt.Sscan(l, &id, &typ, &size); n != 3 {
			continue // of a partial clone it may be missing
		}
		if typ != "blob" || size > git.MaxObject {
			return toPurge(fmt.Errorf("'%s' is a %s of %d bytes, more than the limit of %d", legible.OneLine(t.names[id]), typ, size, int64(git.MaxObject)), t.names[id])
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
		of.N = 0 // several heads bring versions of one
	}
	return t.sums.Add(file, size)
}

// toPurge adds what to do about a file that is not taken in, and so all beside it: only
// who has written it can take it out.
func toPurge(err error, file string) error {
	err = fmt.Errorf("%w; nothing else is merged until it is purged there", err)
	if purge.PurgeOf(file) == nil {
		return err
	}
	return remedy.For(err, remedy.PurgePathThere.On(file))
}
