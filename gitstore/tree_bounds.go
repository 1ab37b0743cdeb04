package gitstore

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/sage"
)

// A bound is what files may have that every session reads at its start, or every search
// and save: whoever writes the knowledge tree must not take that away from all who fetch
// it. What is beyond is not read, not written, not taken in, and named by fsck.
type bound struct {
	file  int // bytes of a file
	all   int // bytes of all files of the folder together
	files int // how many there are
}

// A note of a line has some 100 bytes, one of a person's some thousand, of which 600
// characters are shown; YAML takes 0.2 s for a MiB. A skill is an item, of which content
// and front matter have a MiB each at most, and may be longer as they are written; a
// template's file has as much as package template takes.
var (
	lineBound     = bound{64 << 10, 2 << 20, maxNotes}
	systemBound   = bound{256 << 10, 2 << 20, 1000}
	coreBound     = bound{128 << 10, 128 << 10, 1}
	skillBound    = bound{4 << 20, 16 << 20, 1000}
	templateBound = bound{256 << 10, 4 << 20, 1000}
)

const (
	maxNotes  = 10_000 // of lines, which every command reads
	maxListed = 1000   // branches of a note, and core files
)

// errBeyond says that a file is not read because it is too large, or one too many.
var errBeyond = errors.New("is beyond what is read")

// boundOf is what bounds a file of the knowledge tree, if everybody reads it.
func boundOf(file string) (bound, bool) {
	dir, name := path.Split(file)
	switch {
	case file == coreFile:
		return coreBound, true
	case dir == linesDir+"/" && strings.HasSuffix(name, ".yaml"):
		return lineBound, true
	case dir == systemDir+"/" && strings.HasSuffix(name, ".md"):
		return systemBound, true
	case isShelfOfSkills(dir) && strings.HasSuffix(name, ".md"):
		return skillBound, true
	case dir == templatesDir+"/" && strings.HasSuffix(name, ".yaml"):
		return templateBound, true
	}
	return bound{}, false
}

// isShelfOfSkills says whether a folder, with a slash behind, holds skills, or the texts
// of one.
func isShelfOfSkills(dir string) bool {
	top, rest, _ := strings.Cut(dir, "/")
	return top == skillsDir && strings.Count(rest, "/") <= 1
}

// boundIn is what bounds the files of a folder that are read, if everybody reads them.
func boundIn(dir string) (b bound, ok bool) {
	for _, ext := range []string{".md", ".yaml"} {
		if b, ok = boundOf(dir + "/x" + ext); ok {
			break
		}
	}
	return b, ok
}

// A tallies counts the files of each folder.
type tallies map[string]*tally

// add counts a file with its folder, unless it is beyond; one that is not bounded is not.
func (t tallies) add(file string, size int) error {
	b, ok := boundOf(file)
	if !ok {
		return nil
	}
	dir := path.Dir(file)
	if t[dir] == nil {
		t[dir] = &tally{bound: b}
	}
	return t[dir].add(file, size)
}

// check says what is wrong with a file of size bytes.
func (b bound) check(file string, size int) error {
	if size > b.file {
		return fmt.Errorf("'%s' has %d bytes: it %w, %d at most", sage.OneLine(file), size, errBeyond, b.file)
	}
	return nil
}

// A tally counts files of a folder against its bound.
type tally struct {
	bound
	n, bytes int
}

// add counts one more, unless it is beyond the bound.
func (t *tally) add(file string, size int) error {
	if err := t.check(file, size); err != nil {
		return err
	}
	switch dir := path.Dir(file); {
	case t.n == t.files:
		return fmt.Errorf("'%s' %w: '%s' has more than %d files", sage.OneLine(file), errBeyond, dir, t.files)
	case t.bytes+size > t.all:
		return fmt.Errorf("'%s' %w: the files of '%s' have more than %d bytes together", sage.OneLine(file), errBeyond, dir, t.all)
	}
	t.n, t.bytes = t.n+1, t.bytes+size
	return nil
}

// boundedFiles are those of a folder that its bound holds for, in their order, no more
// than are read, and one that tells that there are more.
func (b bound) boundedFiles(dir string, entries []treeEntry) (files []treeEntry) {
	for _, e := range entries {
		file := dir + "/" + e.name
		if _, ok := boundOf(file); !ok || e.mode != modeFile {
			continue
		}
		if e.name = file; len(files) <= b.files {
			files = append(files, e)
		}
	}
	return files
}

// checkBounds refuses a change of the tree at tip that makes a file, or a folder, larger
// than is read. What is too large already may become smaller.
func (s *Store) checkBounds(tip string, files map[string][]byte) error {
	var dirs []string
	for file, b := range files {
		limit, ok := boundOf(file)
		if !ok || b == nil {
			continue
		}
		if err := limit.check(file, len(b)); err != nil {
			return err
		}
		if dir := path.Dir(file); dir != "." {
			dirs = append(dirs, dir)
		}
	}
	slices.Sort(dirs)
	for _, dir := range slices.Compact(dirs) {
		if err := s.checkFolder(tip, dir, files); err != nil {
			return err
		}
	}
	return nil
}

func (s *Store) checkFolder(tip, dir string, files map[string][]byte) error {
	limit, _ := boundIn(dir)
	t, was := tally{bound: limit}, map[string]int{}
	if tip != "" {
		entries, err := s.folder(tip + ":" + dir)
		if err != nil && !errors.Is(err, git.ErrMissing) {
			return err
		}
		_ = s.eachItem(limit.boundedFiles(dir, entries), func(e treeEntry, o git.Object, err error) { // what cannot be read takes no time
			was[e.name] = len(o.Data)
			if _, changes := files[e.name]; err == nil && !changes {
				_ = t.add(e.name, len(o.Data)) // what is beyond is not read
			}
		})
	}
	for file, b := range files {
		size, there := was[file]
		if path.Dir(file) != dir || b == nil || there && len(b) <= size {
			continue
		}
		if err := t.add(file, len(b)); err != nil {
			return err
		}
	}
	return nil
}

// parseNote reads the note of a line. One with anchors is none of ours: few bytes of them
// take seconds.
func parseNote(b []byte) (n LineNote, err error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(b, &doc); err != nil {
		return n, err
	}
	if hasAlias(&doc) {
		return n, errors.New("it has an alias of YAML")
	}
	if len(doc.Content) > 0 {
		err = doc.Decode(&n)
	}
	if most := max(len(n.Branches), len(n.Gone)); err == nil && most > maxListed {
		err = fmt.Errorf("it lists %d branches: %w, %d at most", most, errBeyond, maxListed)
	}
	if err != nil {
		return LineNote{}, err
	}
	return n, nil
}

func hasAlias(n *yaml.Node) bool {
	return n.Kind == yaml.AliasNode || slices.ContainsFunc(n.Content, hasAlias)
}
