package install

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// A target is a file to be edited, as it was when it was read.
type target struct {
	path    string // behind its links
	named   string // as people know it
	data    []byte
	missing bool
	mode    fs.FileMode
}

var errBusy = errors.New("another program keeps writing it: try again")

// open reads a file. A link is followed only if follow is set.
func open(path string, follow bool) (*target, error) {
	t := &target{path: path, named: path, mode: 0o600}
	if !follow {
		t.mode = 0o644
		if err := noLinks(path); err != nil {
			return nil, err
		}
	} else if real, err := filepath.EvalSymlinks(path); err == nil {
		t.path = real
	} else if info, e := os.Lstat(path); e == nil && info.Mode()&fs.ModeSymlink != 0 {
		return nil, fmt.Errorf("%s: a symbolic link that leads nowhere", path)
	}
	info, err := os.Stat(t.path)
	if errors.Is(err, fs.ErrNotExist) {
		t.missing = true
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
	t.mode = info.Mode().Perm()
	t.data, err = os.ReadFile(t.path)
	return t, err
}

// noLinks refuses a linked file or folder in a project, up to the client's own folder: a
// stranger may have put it there, and it could lead anywhere. The work tree itself may
// be reached by a link.
func noLinks(path string) error {
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

// write replaces a file by what it does not have yet.
func (t *target) write(data []byte) error {
	if !t.missing && bytes.Equal(t.data, data) {
		return nil
	}
	return t.replace(data)
}

// replace writes the file, whole or not at all, unless somebody else has
// written it since it was read: errBusy.
func (t *target) replace(data []byte) error {
	dir := filepath.Dir(t.path)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, half+"*")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	err = errors.Join(err, f.Chmod(t.mode), f.Sync(), f.Close())
	if err == nil {
		err = t.unchanged()
	}
	if err == nil {
		err = os.Rename(f.Name(), t.path)
	}
	if err != nil {
		_ = os.Remove(f.Name())
		return err
	}
	return syncDir(dir)
}

// toMake are the folders that are missing for the file, innermost first.
func (t *target) toMake() (dirs []string) {
	for d := filepath.Dir(t.path); ; d = filepath.Dir(d) {
		if _, err := os.Lstat(d); err == nil || d == filepath.Dir(d) {
			return dirs
		}
		dirs = append(dirs, d)
	}
}

// delete removes a file that we made, and the folders that we made for it.
func (t *target) delete(dirs []string) error {
	if err := t.unchanged(); err != nil {
		return err
	}
	if err := os.Remove(t.path); err != nil {
		return err
	}
	for _, d := range dirs {
		if os.Remove(d) != nil { // somebody uses it by now
			break
		}
	}
	return syncDir(filepath.Dir(t.path))
}

func (t *target) unchanged() error {
	now, err := os.ReadFile(t.path)
	if t.missing && errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil && (t.missing || !bytes.Equal(now, t.data)) {
		err = fmt.Errorf("%s: %w", t.named, errBusy)
	}
	return err
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// syncDir makes the names in a folder durable, where the system can.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return nil
	}
	_ = d.Sync()
	return d.Close()
}

// half is how a file is named that is to become another, as os.CreateTemp ends it.
const half = ".git-sage-"
