package sessions

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/git-sage/git-sage/hooks/transcript/internal/record"
)

// An Earlier is the transcript of a session that the client kept.
type Earlier struct {
	File    string
	Session string
	Root    string // the work tree in which it began
	Size    int64  // bytes
	Changed time.Time
}

// A DamagedError names a transcript, or a folder of them, that cannot be read.
type DamagedError struct {
	File string
	Err  error
}

func (e *DamagedError) Error() string { return fmt.Sprintf("'%s': %v", e.File, e.Err) }
func (e *DamagedError) Unwrap() error { return e.Err }

// errNoTranscript says that a file has lines, and none of a transcript.
var errNoTranscript = errors.New("not a transcript: no line of it can be read")

// InRoots lists the transcripts, among those in the client's folder of projects, of
// sessions that began in one of a repository's work trees or below it: the oldest first.
// Those that cannot be read are told in damaged, a [DamagedError] each. The name of a
// folder does not tell whose it is, /a/b-c and /a/b/c share theirs, so that the working
// directory in each transcript decides.
func InRoots(projects string, roots []string) (list []Earlier, damaged []error, err error) {
	folders, err := foldersOf(projects, roots)
	for _, folder := range folders {
		there, err := transcriptsIn(folder)
		if err != nil {
			damaged = append(damaged, err)
		}
		for _, e := range there {
			dir, err := beganIn(e.File)
			if err != nil {
				damaged = append(damaged, &DamagedError{e.File, err})
			} else if e.Root = rootOf(dir, roots); e.Root != "" {
				list = append(list, e)
			}
		}
	}
	slices.SortFunc(list, byTime)
	return list, damaged, err
}

// All lists the transcripts of all projects, among those in the client's folder of projects:
// the oldest first. It opens none. Folders that cannot be read are told in damaged, a
// [DamagedError] each.
func All(projects string) (list []Earlier, damaged []error, err error) {
	entries, err := os.ReadDir(projects)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, nil, err
	}
	for _, e := range entries {
		if !e.IsDir() {
			continue
		}
		there, err := transcriptsIn(filepath.Join(projects, e.Name()))
		if err != nil {
			damaged = append(damaged, err)
		}
		list = append(list, there...)
	}
	slices.SortFunc(list, byTime)
	return list, damaged, nil
}

func byTime(a, b Earlier) int {
	return cmp.Or(a.Changed.Compare(b.Changed), strings.Compare(a.Session, b.Session))
}

// CountInRoots counts what [InRoots] lists, by one transcript of each folder, but for the
// sessions that are known.
func CountInRoots(projects string, roots []string, known func(session string) bool) (n int) {
	folders, _ := foldersOf(projects, roots) // unreadable: there are none
	for _, folder := range folders {
		list, _ := transcriptsIn(folder) // unreadable: as if there were none
		for _, e := range list {
			if dir, err := beganIn(e.File); err == nil && dir != "" {
				if rootOf(dir, roots) != "" {
					n += len(slices.DeleteFunc(list, func(e Earlier) bool { return known(e.Session) }))
				}
				break
			}
		}
	}
	return n
}

// maxSlug is the length from which the client cuts the name of a folder.
const maxSlug = 200

// slug is how the client names the folder for sessions that begin in dir: by its
// characters, as JavaScript counts them.
func slug(dir string) string {
	var b strings.Builder
	for _, c := range utf16.Encode([]rune(dir)) {
		if c < 128 && (c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9') {
			b.WriteByte(byte(c))
		} else {
			b.WriteByte('-')
		}
	}
	return b.String()
}

// foldersOf are the folders that may hold sessions of roots, or of folders below.
func foldersOf(projects string, roots []string) (out []string, err error) {
	entries, err := os.ReadDir(projects)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	var slugs []string
	for _, root := range roots {
		s := slug(root)
		slugs = append(slugs, s[:min(len(s), maxSlug)])
	}
	for _, e := range entries {
		mayBe := func(slug string) bool { return e.Name() == slug || strings.HasPrefix(e.Name(), slug+"-") }
		if e.IsDir() && slices.ContainsFunc(slugs, mayBe) {
			out = append(out, filepath.Join(projects, e.Name()))
		}
	}
	return out, nil
}

// transcriptsIn are the transcripts in a folder that hold something. Links are left out:
// they may lead anywhere. A folder that cannot be read is a [DamagedError].
func transcriptsIn(folder string) (out []Earlier, err error) {
	entries, err := os.ReadDir(folder)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, &DamagedError{folder, err}
	}
	for _, e := range entries {
		session, ok := strings.CutSuffix(e.Name(), ".jsonl")
		if !ok || !e.Type().IsRegular() || !isName(session) {
			continue
		}
		if st, err := e.Info(); err == nil && st.Size() > 0 {
			out = append(out, Earlier{File: filepath.Join(folder, e.Name()), Session: session, Size: st.Size(), Changed: st.ModTime()})
		}
	}
	return out, nil
}

// isName reports whether a session can be called so: the client takes UUIDs.
func isName(session string) bool {
	return utf8.ValidString(session) && !strings.ContainsFunc(session, unicode.IsControl)
}

// mostBefore is how many records may come before the first that says where it is.
const mostBefore = 1000

// beganIn is the working directory in which a session began; "" if nobody says so.
func beganIn(file string) (string, error) {
	r, err := record.Open(file, record.Position{})
	if err != nil {
		return "", err
	}
	defer r.Close()
	for range mostBefore {
		rec, err := r.Next()
		switch {
		case err == io.EOF && r.Skipped().Other == 0 && r.Skipped().Broken > 0:
			return "", errNoTranscript
		case err == io.EOF:
			return "", nil
		case err != nil:
			return "", err
		case rec.Dir != "":
			return rec.Dir, nil
		}
	}
	return "", nil
}

// maxDir is above what a folder's path has on any system.
const maxDir = 4096

// rootOf is the innermost of a repository's work trees that holds dir, "" if none does, or
// another repository lies between.
func rootOf(dir string, roots []string) (root string) {
	if len(dir) > maxDir {
		return ""
	}
	dir = unlinked(dir)
	for _, r := range roots {
		if rel, err := filepath.Rel(r, dir); err == nil && filepath.IsLocal(rel) && len(r) > len(root) {
			root = r
		}
	}
	for d := dir; root != "" && len(d) > len(root); d = filepath.Dir(d) {
		if _, err := os.Lstat(filepath.Join(d, ".git")); err == nil {
			return ""
		}
	}
	return root
}

// unlinked is dir without links. Of one that is gone it is that of the folder above which
// is still there.
func unlinked(dir string) string {
	dir = filepath.Clean(dir)
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		return real
	}
	if up := filepath.Dir(dir); up != dir {
		return filepath.Join(unlinked(up), filepath.Base(dir))
	}
	return dir
}
