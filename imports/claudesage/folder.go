package claudesage

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/imports"
	"github.com/git-sage/git-sage/imports/internal/plain"
)

// A Folder is one that the tool wrote: .sage of a project, or of the home folder.
type Folder struct {
	Dir   string // the folder .sage itself, or the folder of Claude Code's skills
	Own   bool   // it belongs to the user and no project
	Shown string // what the report calls it; "" is Dir

	*plain.Folder // nil unless it is read
}

// Find is the folder of the tool at a place: the folder .sage there or, if there is none, the
// place itself. ok is false if it holds nothing of the tool's.
func Find(dir string) (sage string, ok bool) {
	if at := filepath.Join(dir, ".sage"); Has(at) {
		return at, true
	}
	return dir, Has(dir)
}

// Has reports whether a folder holds anything that the tool wrote and that is worth bringing in.
// A folder .sage may as well be this program's own.
func Has(dir string) bool {
	for _, pattern := range []string{
		"checkpoints/*.md", "checkpoints/*.yaml", "knowledge/index.yaml", "knowledge/global/*.md", "failures/*.md",
		"codebase/core_files.yaml", "system/*.md", "shared_memory.md",
	} {
		if found, err := filepath.Glob(filepath.Join(quoteGlob(dir), pattern)); err == nil && len(found) > 0 {
			return true
		}
	}
	return false
}

// quoteGlob is a path as a pattern that means it alone.
func quoteGlob(dir string) string {
	if filepath.Separator == '\\' { // there is no escape there
		return dir
	}
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(dir)
}

func (f *Folder) open() (err error) {
	if f.Folder == nil {
		f.Folder, err = plain.OpenFolder(f.Dir, cmp.Or(f.Shown, f.Dir))
	}
	return err
}

func (f *Folder) close() {
	if f.Folder != nil {
		_ = f.Folder.Close()
		f.Folder = nil
	}
}

// An entry is a file of a folder that may be one of the tool's.
type entry struct {
	name    string // below the folder
	problem *imports.Problem
}

// list are the files of a folder below with one of these endings, by name. What editors and
// systems leave behind is passed over; a file that cannot be read says why.
func (f *Folder) list(dir string, endings ...string) (out []entry) {
	d, err := f.Open(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	var files []fs.DirEntry
	if err == nil {
		files, err = d.ReadDir(-1)
		_ = d.Close()
	}
	if err != nil {
		return []entry{{dir, f.skipped(dir, plain.Reason(err), "")}}
	}
	for _, file := range files {
		name := path.Join(dir, file.Name())
		if strings.HasPrefix(file.Name(), ".") || !slices.Contains(endings, path.Ext(name)) {
			continue
		}
		e := entry{name: name}
		switch st, err := f.Stat(name); {
		case err != nil:
			e.problem = f.skipped(name, plain.Reason(err), "")
		case st.IsDir():
			e.problem = f.note(name, "is a folder and no file")
		case !st.Mode().IsRegular():
			e.problem = f.skipped(name, "is no regular file", "")
		case st.Size() > plain.MaxFile:
			e.problem = f.skipped(name, plain.TooLarge(st.Size()), "")
		}
		out = append(out, e)
	}
	slices.SortFunc(out, func(a, b entry) int { return strings.Compare(a.name, b.name) })
	return out
}

// folders are the names of the folders in one below.
func (f *Folder) folders(dir string) (out []string) {
	d, err := f.Open(dir)
	if err != nil {
		return nil
	}
	defer d.Close()
	files, _ := d.ReadDir(-1)
	for _, file := range files {
		if file.IsDir() && !strings.HasPrefix(file.Name(), ".") {
			out = append(out, file.Name())
		}
	}
	slices.Sort(out)
	return out
}

func (f *Folder) problem(name string, g imports.Grade, what, do string) *imports.Problem {
	return &imports.Problem{Where: f.Where(name), Grade: g, What: what, Do: do}
}

func (f *Folder) skipped(name, what, do string) *imports.Problem {
	return f.problem(name, imports.Skipped, what, do)
}

// cutLine says that a line of a file holds no whole record.
func (f *Folder) cutLine(name string, n int) *imports.Problem {
	return f.problem(fmt.Sprintf("%s: line %d", name, n), imports.Partial, "is no whole line, and was left out", "")
}

func (f *Folder) note(name, what string) *imports.Problem {
	return f.problem(name, imports.Noted, what, "")
}
