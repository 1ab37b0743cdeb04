package config

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/git-sage/git-sage/internal/plainfile"
)

// Set writes one value. Whatever else is in the file stays, comments and
// unknown keys too. The error is one line: an unknown key with the nearest one,
// a value out of range, a key that no project may set, or why the file cannot
// be written. A file that is not valid YAML is never touched.
func (f File) Set(name, value string) error {
	k, err := Lookup(name)
	if err != nil {
		return err
	}
	if f.Project && k.UserOnly {
		return fmt.Errorf("%s %w", k.Name, errUserOnly)
	}
	v, err := k.Parse(value)
	if err != nil {
		return err
	}
	old, err := f.toEdit()
	if err != nil {
		return err
	}
	data, err := setKey(old, k.Name, v)
	if err != nil {
		return fmt.Errorf("%s: %w", f.Path, err)
	}
	return f.write(old, data)
}

// Reset removes keys, all known ones if none is named, and returns those that
// were set. Unknown keys and comments stay; a file with nothing left in it is
// removed.
func (f File) Reset(names ...string) (removed []string, err error) {
	names, err = canonical(names)
	if err != nil {
		return nil, err
	}
	old, err := f.toEdit()
	if err != nil {
		return nil, err
	}
	data := old
	for _, name := range names {
		next, ok, err := removeKey(data, name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Path, err)
		}
		if ok && name != "_version" {
			removed = append(removed, name)
		}
		data = next
	}
	if bytes.Equal(data, old) {
		return removed, nil
	}
	if len(bytes.TrimSpace(bytes.TrimPrefix(data, bom))) == 0 {
		return removed, os.Remove(f.Path)
	}
	return removed, f.write(old, data)
}

func canonical(names []string) (list []string, err error) {
	if len(names) == 0 {
		for _, k := range keys {
			list = append(list, k.Name)
		}
		return append(list, "_version"), nil
	}
	for _, name := range names {
		k, err := Lookup(name)
		if err != nil {
			return nil, err
		}
		list = append(list, k.Name)
	}
	return list, nil
}

// toEdit reads the file; a missing one is empty.
func (f File) toEdit() ([]byte, error) {
	err := f.checkLinks(true)
	var data []byte
	if err == nil {
		data, err = f.read()
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil {
		_, err = parseFile(data)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w; nothing was written", f.Path, err)
	}
	return data, nil
}

// write replaces the file, whole or not at all, and durably. The user's folder
// and file are the user's alone; a project's file keeps the mode it has.
func (f File) write(old, data []byte) error {
	if bytes.Equal(old, data) {
		return nil
	}
	dir, mode := filepath.Dir(f.Path), fs.FileMode(0o600)
	dirMode := fs.FileMode(0o700)
	if f.Project {
		mode, dirMode = 0o644, 0o755
		if info, err := os.Lstat(f.Path); err == nil {
			mode = info.Mode().Perm()
		}
	}
	if err := os.MkdirAll(dir, dirMode); err != nil {
		return err
	}
	return plainfile.Replace(f.Path, data, plainfile.Replacement{Temp: ".tuning-*", Mode: mode, Durable: true})
}
