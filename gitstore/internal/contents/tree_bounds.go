package contents

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/commits"
	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/gittree"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"go.yaml.in/yaml/v3"
)

// A Bound is what files may have that every session reads at its start, or every search
// and save: whoever writes the knowledge tree must not take that away from all who fetch
// it. What is beyond is not read, not written, not taken in, and named by fsck.
type Bound struct {
	File  int // bytes of a file
	all   int // bytes of all files of the folder together
	Files int // how many there are
}

// A note of a line has some 100 bytes, one of a person's some thousand, of which 600
// characters are shown; YAML takes 0.2 s for a MiB. A skill is an item, of which content
// and front matter have a MiB each at most, and may be longer as they are written; a
// template's file has as much as package template takes.
var (
	LineBound     = Bound{64 << 10, 2 << 20, maxNotes}
	systemBound   = Bound{256 << 10, 2 << 20, 1000}
	CoreBound     = Bound{128 << 10, 128 << 10, 1}
	skillBound    = Bound{4 << 20, 16 << 20, 1000}
	TemplateBound = Bound{256 << 10, 4 << 20, 1000}
)

const (
	maxNotes  = 10_000 // of lines, which every command reads
	MaxListed = 1000   // branches of a note, and core files
)

// ErrBeyond says that a file is not read because it is too large, or one too many.
var ErrBeyond = errors.New("over the limit")

// BoundOf is what bounds a file of the knowledge tree, if everybody reads it.
func BoundOf(file string) (Bound, bool) {
	dir, name := path.Split(Public(file))
	switch {
	case file == CoreListFile:
		return CoreBound, true
	case dir == LinesDir+"/" && strings.HasSuffix(name, ".yaml"):
		return LineBound, true
	case dir == SystemDir+"/" && strings.HasSuffix(name, ".md"):
		return systemBound, true
	case isShelfOfSkills(dir) && strings.HasSuffix(name, ".md"):
		return skillBound, true
	case dir == TemplatesDir+"/" && strings.HasSuffix(name, ".yaml"):
		return TemplateBound, true
	}
	return Bound{}, false
}

// isShelfOfSkills says whether a folder, with a slash behind, holds skills, or the texts
// of one.
func isShelfOfSkills(dir string) bool {
	top, rest, _ := strings.Cut(dir, "/")
	return top == SkillsDir && strings.Count(rest, "/") <= 1
}

// BoundIn is what bounds the files of a folder that are read, if everybody reads them.
func BoundIn(dir string) (b Bound, ok bool) {
	for _, ext := range []string{".md", ".yaml"} {
		if b, ok = BoundOf(dir + "/x" + ext); ok {
			break
		}
	}
	return b, ok
}

// A Tallies counts the files of each folder.
type Tallies map[string]*Tally

// Add counts a file with its folder, unless it is beyond; one that is not bounded is not.
func (t Tallies) Add(file string, size int) error {
	b, ok := BoundOf(file)
	if !ok {
		return nil
	}
	dir := path.Dir(file)
	if t[dir] == nil {
		t[dir] = &Tally{Bound: b}
	}
	return t[dir].Add(file, size)
}

// Check says what is wrong with a file of size bytes.
func (b Bound) Check(file string, size int) error {
	if size > b.File {
		return fmt.Errorf("'%s' has %d bytes, %w of %d", legible.OneLine(file), size, ErrBeyond, b.File)
	}
	return nil
}

// A Tally counts files of a folder against its bound.
type Tally struct {
	Bound
	N, bytes int
}

// Add counts one more, unless it is beyond the bound.
func (t *Tally) Add(file string, size int) error {
	if err := t.Check(file, size); err != nil {
		return err
	}
	switch dir := path.Dir(file); {
	case t.N == t.Files:
		return fmt.Errorf("'%s' is %w: '%s' has more than %d files", legible.OneLine(file), ErrBeyond, dir, t.Files)
	case t.bytes+size > t.all:
		return fmt.Errorf("'%s' is %w: the files of '%s' have more than %d bytes together", legible.OneLine(file), ErrBeyond, dir, t.all)
	}
	t.N, t.bytes = t.N+1, t.bytes+size
	return nil
}

// BoundedFiles are those of a folder that its bound holds for, in their order, no more
// than are read, and one that tells that there are more.
func (b Bound) BoundedFiles(dir string, entries []gittree.Entry) (files []gittree.Entry) {
	for _, e := range entries {
		file := dir + "/" + e.Name
		if _, ok := BoundOf(file); !ok || e.Mode != gittree.ModeFile {
			continue
		}
		if e.Name = file; len(files) <= b.Files {
			files = append(files, e)
		}
	}
	return files
}

// checkBounds refuses a change of the knowledge in a state that makes a file, or a folder, larger
// than is read. What is too large already may become smaller.
func (tr *Tree) checkBounds(state string, files map[string][]byte) error {
	var dirs []string
	for file, b := range files {
		limit, ok := BoundOf(file)
		if !ok || b == nil {
			continue
		}
		if err := limit.Check(file, len(b)); err != nil {
			return err
		}
		if dir := path.Dir(file); dir != "." {
			dirs = append(dirs, dir)
		}
	}
	slices.Sort(dirs)
	for _, dir := range slices.Compact(dirs) {
		if err := tr.checkFolder(state, dir, files); err != nil {
			return err
		}
	}
	return nil
}

func (tr *Tree) checkFolder(state, dir string, files map[string][]byte) error {
	limit, _ := BoundIn(dir)
	t, was := Tally{Bound: limit}, map[string]int{}
	if tip := Half(state, dir); tip != "" {
		entries, err := tr.ItemFolder(tip + ":" + dir)
		if err != nil && !errors.Is(err, git.ErrMissing) {
			return err
		}
		_ = tr.EachItem(limit.BoundedFiles(dir, entries), func(e gittree.Entry, o git.Object, err error) { // what cannot be read takes no time
			was[e.Name] = len(o.Data)
			if _, changes := files[e.Name]; err == nil && !changes {
				_ = t.Add(e.Name, len(o.Data)) // what is beyond is not read
			}
		})
	}
	for file, b := range files {
		size, there := was[file]
		if path.Dir(file) != dir || b == nil || there && len(b) <= size {
			continue
		}
		if err := t.Add(file, len(b)); err != nil {
			return err
		}
	}
	return nil
}

// ParseNote reads the note of a line. One with anchors is none of ours: few bytes of them
// take seconds.
func ParseNote(b []byte) (n commits.LineNote, err error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(b, &doc); err != nil {
		return n, err
	}
	if hasAlias(&doc) {
		return n, errors.New("it has a YAML alias")
	}
	if len(doc.Content) > 0 {
		err = doc.Decode(&n)
	}
	if most := max(len(n.Branches), len(n.Gone)); err == nil && most > MaxListed {
		err = fmt.Errorf("it lists %d branches, %w of %d", most, ErrBeyond, MaxListed)
	}
	if err != nil {
		return commits.LineNote{}, err
	}
	return n, nil
}

func hasAlias(n *yaml.Node) bool {
	return n.Kind == yaml.AliasNode || slices.ContainsFunc(n.Content, hasAlias)
}
