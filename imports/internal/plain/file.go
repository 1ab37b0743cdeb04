package plain

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/imports"
)

// MaxFile is how large a file may be that is read whole, in bytes: no tool writes a note of a
// hundredth of that.
const MaxFile = 10 << 20

// TooLarge says that a file exceeds [MaxFile].
func TooLarge(size int64) string {
	return fmt.Sprintf("has %d bytes, more than the limit of %d", size, int64(MaxFile))
}

// Reason is why a file cannot be read, without its path.
func Reason(err error) string {
	var at *fs.PathError
	if errors.As(err, &at) {
		err = at.Err
	}
	if s := err.Error(); strings.Contains(s, "escapes") {
		return "is a link that leads out of the folder"
	}
	return "cannot be read: " + err.Error()
}

// There reports whether there is a file that can be read, or why it cannot. where is what the
// report calls it.
func There(root *os.Root, name, where string) (bool, *imports.Problem) {
	skipped := func(what string) (bool, *imports.Problem) {
		return false, &imports.Problem{Where: where, Grade: imports.Skipped, What: what}
	}
	st, err := root.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if l, lerr := root.Lstat(name); lerr == nil && l.Mode()&fs.ModeSymlink != 0 {
			return skipped("is a link to nothing")
		}
		return false, nil
	case err != nil:
		return skipped(Reason(err))
	case !st.Mode().IsRegular():
		return skipped("is no regular file")
	case st.Size() > MaxFile:
		return skipped(TooLarge(st.Size()))
	case st.Size() == 0:
		return skipped("is empty")
	}
	return true, nil
}

// Text reads a file as text in UTF-8 with line ends of Unix. What had to be guessed or left
// out for that is among the problems; a text of "" could not be read, or is not there.
func Text(root *os.Root, name, where string) (text string, problems []imports.Problem) {
	there, problem := There(root, name, where)
	if problem != nil {
		return "", []imports.Problem{*problem}
	}
	if !there {
		return "", nil
	}
	var b []byte
	file, err := root.Open(name)
	if err == nil {
		b, err = io.ReadAll(io.LimitReader(file, MaxFile+1))
		_ = file.Close()
	}
	if err != nil {
		return "", []imports.Problem{{Where: where, Grade: imports.Skipped, What: Reason(err)}}
	}
	text, said := Decode(b)
	for _, s := range said {
		g := imports.Partial
		if s.Whole {
			g = imports.Noted
		}
		if text == "" {
			g = imports.Skipped
		}
		problems = append(problems, imports.Problem{Where: where, Grade: g, What: s.Text})
	}
	return text, problems
}

// A Folder is one whose files are read. No link leads out of it.
type Folder struct {
	*os.Root
	shown string
}

// OpenFolder opens a folder, which the report calls shown.
func OpenFolder(dir, shown string) (*Folder, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return &Folder{root, filepath.ToSlash(shown)}, nil
}

// Where is what the report calls a file.
func (f *Folder) Where(name string) string { return path.Join(f.shown, name) }

// Source is what an item says of a file that it comes from: others read it, and know nothing of
// the folders of this machine.
func (f *Folder) Source(name string) string { return path.Join(Source(f.shown), name) }

// Source is likewise of a path that the report shows: its last part, if it lies in no project.
func Source(shown string) string {
	if path.IsAbs(shown) || strings.HasPrefix(shown, "~") || strings.HasPrefix(shown, "..") || strings.Contains(shown, ":") {
		return path.Base(shown)
	}
	return shown
}

// Text reads a file of the folder, see [Text].
func (f *Folder) Text(name string) (string, []imports.Problem) {
	return Text(f.Root, name, f.Where(name))
}

// There reports whether a file of the folder can be read, see [There].
func (f *Folder) There(name string) (bool, *imports.Problem) {
	return There(f.Root, name, f.Where(name))
}

// maxFiles is how many files of a folder are read: a person keeps no hundredth of that.
const maxFiles = 200_000

// Files are the names of the files with an ending, of all for "*", in all folders below and in order. Folders
// and files whose names begin with a dot are the tools' own. A folder that is a link is not
// followed, since it may lead in a circle; it is told.
func (f *Folder) Files(ending string) (names []string, problems []imports.Problem) {
	err := fs.WalkDir(f.FS(), ".", func(name string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			problems = append(problems, imports.Problem{Where: f.Where(name), Grade: imports.Skipped, What: Reason(err)})
			if e != nil && e.IsDir() {
				return fs.SkipDir
			}
		case name != "." && strings.HasPrefix(e.Name(), "."):
			if e.IsDir() {
				return fs.SkipDir
			}
		case e.Type()&fs.ModeSymlink != 0 && path.Ext(name) == "":
			problems = append(problems, imports.Problem{Where: f.Where(name), Grade: imports.Noted, What: "is a link and was not followed"})
		case !e.IsDir() && (ending == "*" || strings.EqualFold(path.Ext(name), ending)):
			if len(names) == maxFiles {
				return fmt.Errorf("'%s' has more than %d files", f.shown, maxFiles)
			}
			names = append(names, name)
		}
		return nil
	})
	if err != nil {
		problems = append(problems, imports.Problem{Where: f.shown, Grade: imports.Skipped, What: err.Error()})
	}
	slices.Sort(names)
	return names, problems
}
