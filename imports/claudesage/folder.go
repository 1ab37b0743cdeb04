package claudesage

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/imports"
)

// maxFile is how large a file may be that is read, in bytes: the tool wrote none of a hundredth
// of that.
const maxFile = 10 << 20

// A Folder is one that the tool wrote: .sage of a project, or of the home folder.
type Folder struct {
	Dir   string // the folder .sage itself, or the folder of Claude Code's skills
	Own   bool   // it belongs to the user and no project
	Shown string // what the report calls it; "" is Dir

	root *os.Root
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

// where is what the report calls a file.
func (f *Folder) where(name string) string {
	shown := f.Shown
	if shown == "" {
		shown = filepath.ToSlash(f.Dir)
	}
	return shown + "/" + name
}

func (f *Folder) open() (err error) {
	if f.root == nil {
		f.root, err = os.OpenRoot(f.Dir)
	}
	return err
}

func (f *Folder) close() {
	if f.root != nil {
		_ = f.root.Close()
		f.root = nil
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
	d, err := f.root.Open(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	var files []fs.DirEntry
	if err == nil {
		files, err = d.ReadDir(-1)
		_ = d.Close()
	}
	if err != nil {
		return []entry{{dir, f.skipped(dir, reason(err), "")}}
	}
	for _, file := range files {
		name := path.Join(dir, file.Name())
		if strings.HasPrefix(file.Name(), ".") || !slices.Contains(endings, path.Ext(name)) {
			continue
		}
		e := entry{name: name}
		switch st, err := f.root.Stat(name); {
		case err != nil:
			e.problem = f.skipped(name, reason(err), "")
		case st.IsDir():
			e.problem = f.note(name, "is a folder and no file")
		case !st.Mode().IsRegular():
			e.problem = f.skipped(name, "is no regular file", "")
		case st.Size() > maxFile:
			e.problem = f.skipped(name, tooLarge(st.Size()), "")
		}
		out = append(out, e)
	}
	slices.SortFunc(out, func(a, b entry) int { return strings.Compare(a.name, b.name) })
	return out
}

func tooLarge(size int64) string {
	return fmt.Sprintf("has %d bytes, more than the limit of %d", size, maxFile)
}

// reason is why a file cannot be read, without its path.
func reason(err error) string {
	var at *fs.PathError
	if errors.As(err, &at) {
		err = at.Err
	}
	if s := err.Error(); strings.Contains(s, "escapes") {
		return "is a link that leads out of the folder"
	}
	return "cannot be read: " + err.Error()
}

// folders are the names of the folders in one below.
func (f *Folder) folders(dir string) (out []string) {
	d, err := f.root.Open(dir)
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

// there reports whether there is a file that can be read, or why it cannot.
func (f *Folder) there(name string) (bool, *imports.Problem) {
	st, err := f.root.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if l, lerr := f.root.Lstat(name); lerr == nil && l.Mode()&fs.ModeSymlink != 0 {
			return false, f.skipped(name, "is a link to nothing", "")
		}
		return false, nil
	case err != nil:
		return false, f.skipped(name, reason(err), "")
	case !st.Mode().IsRegular():
		return false, f.skipped(name, "is no regular file", "")
	case st.Size() > maxFile:
		return false, f.skipped(name, tooLarge(st.Size()), "")
	case st.Size() == 0:
		return false, f.skipped(name, "is empty", "")
	}
	return true, nil
}

// bytes reads a file whole, or says why it is not read; nil without a problem is no file.
func (f *Folder) bytes(name string) ([]byte, *imports.Problem) {
	if there, problem := f.there(name); !there {
		return nil, problem
	}
	file, err := f.root.Open(name)
	if err != nil {
		return nil, f.skipped(name, reason(err), "")
	}
	defer file.Close()
	b, err := io.ReadAll(io.LimitReader(file, maxFile+1))
	if err != nil {
		return nil, f.skipped(name, reason(err), "")
	}
	return b, nil
}

// text reads a file as text in UTF-8 with line ends of Unix. What had to be guessed or left
// out for that is among the problems; a text of "" could not be read.
func (f *Folder) text(name string) (text string, problems []imports.Problem) {
	b, problem := f.bytes(name)
	if problem != nil {
		return "", []imports.Problem{*problem}
	}
	text, said := decode(b)
	for _, s := range said {
		g := imports.Partial
		if s.whole {
			g = imports.Noted
		}
		if text == "" {
			g = imports.Skipped
		}
		problems = append(problems, imports.Problem{Where: f.where(name), Grade: g, What: s.text})
	}
	return text, problems
}

// said is what is to be said of how a text was decoded.
type said struct {
	text  string
	whole bool // nothing of it is lost
}

// decode makes text of a file that may have been saved by an editor of Windows, or cut by a
// power failure.
func decode(b []byte) (text string, list []said) {
	switch {
	case bytes.HasPrefix(b, []byte{0xff, 0xfe}):
		b, list = fromUTF16(b[2:], binary.LittleEndian), append(list, said{"was UTF-16", true})
	case bytes.HasPrefix(b, []byte{0xfe, 0xff}):
		b, list = fromUTF16(b[2:], binary.BigEndian), append(list, said{"was UTF-16", true})
	}
	if n := bytes.Count(b, []byte{0}); n > 0 {
		b = bytes.ReplaceAll(b, []byte{0}, nil)
		list = append(list, said{fmt.Sprintf("%s left out: a power failure may have cut the file", legible.Count(n, "NUL byte")), false})
	}
	if !utf8.Valid(b) {
		s, ok := fromWindows1252(b)
		if !ok {
			return "", append(list, said{"is neither UTF-8 nor Windows-1252", false})
		}
		b, list = []byte(s), append(list, said{"is not UTF-8 and was read as Windows-1252; look whether its letters are right", true})
	}
	return strings.ReplaceAll(strings.TrimPrefix(string(b), "\ufeff"), "\r\n", "\n"), list
}

func fromUTF16(b []byte, order binary.ByteOrder) []byte {
	units := make([]uint16, len(b)/2)
	for i := range units {
		units[i] = order.Uint16(b[2*i:])
	}
	return []byte(string(utf16.Decode(units)))
}

// windows1252 are the characters of the bytes from 80 to 9f; 0 is none.
var windows1252 = [32]rune{
	'€', 0, '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', 0, 'Ž', 0,
	0, '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', 0, 'ž', 'Ÿ',
}

func fromWindows1252(b []byte) (string, bool) {
	var s strings.Builder
	for _, c := range b {
		r := rune(c)
		if 0x80 <= c && c < 0xa0 {
			if r = windows1252[c-0x80]; r == 0 {
				return "", false
			}
		}
		s.WriteRune(r)
	}
	return s.String(), true
}

func (f *Folder) problem(name string, g imports.Grade, what, do string) *imports.Problem {
	return &imports.Problem{Where: f.where(name), Grade: g, What: what, Do: do}
}

func (f *Folder) skipped(name, what, do string) *imports.Problem {
	return f.problem(name, imports.Skipped, what, do)
}

func (f *Folder) note(name, what string) *imports.Problem {
	return f.problem(name, imports.Noted, what, "")
}
