// Package disk reads files that belong to others, and replaces them whole or not at all:
// not if they were written meanwhile, and in a project never through a link.
package disk

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"github.com/git-sage/git-sage/internal/plainfile"
)

// A File is a file to be edited, as it was when it was read.
type File struct {
	Path    string // behind its links
	Named   string // as people know it
	Data    []byte
	Missing bool
	Mode    fs.FileMode
}

// maxFile is the size of a file, in bytes, above which none is read.
const maxFile = 64 << 20

// ErrBusy says that a file was written by somebody else since it was read.
var ErrBusy = errors.New("another program keeps writing it: try again")

// Open reads a file. A link is followed only if follow is set.
func Open(path string, follow bool) (*File, error) {
	t := &File{Path: path, Named: path, Mode: 0o600}
	if !follow {
		t.Mode = 0o644
		if err := CheckLinks(path); err != nil {
			return nil, err
		}
	} else if real, err := filepath.EvalSymlinks(path); err == nil {
		t.Path = real
	} else if info, e := os.Lstat(path); e == nil && info.Mode()&fs.ModeSymlink != 0 {
		return nil, fmt.Errorf("%s: a symbolic link that leads nowhere", path)
	}
	info, err := os.Stat(t.Path)
	if errors.Is(err, fs.ErrNotExist) {
		t.Missing = true
		return t, nil
	}
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s: not a plain file", path)
	case info.Size() > maxFile:
		return nil, fmt.Errorf("%s: larger than 64 MB", path)
	}
	t.Mode = info.Mode().Perm()
	t.Data, err = os.ReadFile(t.Path)
	return t, err
}

// CheckLinks refuses a linked file or folder in a project, up to the client's own folder: a
// stranger may have put it there, and it could lead anywhere. The work tree itself may
// be reached by a link.
func CheckLinks(path string) error {
	all, own := []string{path}, -1
	for _, name := range []string{".claude", ".codex", ".cursor", ".gemini", ".vscode"} {
		own = max(own, strings.LastIndex(path, sep+name+sep))
	}
	for p := filepath.Dir(path); own >= 0 && len(p) > own+1; p = filepath.Dir(p) {
		all = append(all, p)
	}
	for _, p := range all {
		if info, err := os.Lstat(p); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			to, _ := os.Readlink(p)
			return fmt.Errorf("%s: a symbolic link to '%s', which is not written through in a project", p, to)
		}
	}
	return nil
}

const sep = string(filepath.Separator)

// Write replaces a file by what it does not have yet.
func (t *File) Write(data []byte) error {
	if !t.Missing && bytes.Equal(t.Data, data) {
		return nil
	}
	return t.Replace(data)
}

// Replace writes the file, whole or not at all, unless somebody else has
// written it since it was read: [ErrBusy].
func (t *File) Replace(data []byte) error {
	if err := os.MkdirAll(filepath.Dir(t.Path), 0o755); err != nil {
		return err
	}
	return plainfile.Replace(t.Path, data, plainfile.Replacement{Temp: half + "*", Mode: t.Mode, Durable: true, Check: t.unchanged})
}

// MissingFolders are the folders that are missing for the file, innermost first.
func (t *File) MissingFolders() (dirs []string) {
	for d := filepath.Dir(t.Path); ; d = filepath.Dir(d) {
		if _, err := os.Lstat(d); err == nil || d == filepath.Dir(d) {
			return dirs
		}
		dirs = append(dirs, d)
	}
}

// Delete removes a file that we made, and the folders that we made for it.
func (t *File) Delete(dirs []string) error {
	if err := t.unchanged(); err != nil {
		return err
	}
	if err := os.Remove(t.Path); err != nil {
		return err
	}
	for _, d := range dirs {
		if os.Remove(d) != nil { // somebody uses it by now
			break
		}
	}
	return plainfile.SyncDir(filepath.Dir(t.Path))
}

func (t *File) unchanged() error {
	now, err := os.ReadFile(t.Path)
	if t.Missing && errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil && (t.Missing || !bytes.Equal(now, t.Data)) {
		err = fmt.Errorf("%s: %w", t.Named, ErrBusy)
	}
	return err
}

// Exists says whether something has that path, be it a link that leads nowhere.
func Exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// IsHalf says whether a name is that of a file on its way to become another.
func IsHalf(name string) bool { return halfName().MatchString(name) }

// half is how a file is named that is to become another, as os.CreateTemp ends it.
const half = ".git-sage-"

var halfName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\.git-sage-[0-9]+$`) })
