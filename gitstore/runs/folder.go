package runs

import (
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
)

// keep is for how long a note is kept of which nobody here can tell whether its run is
// over: one of another machine or container.
const keep = 30 * 24 * time.Hour

// A Folder holds a note of its owner's alone for each run. The name of the file is the id of
// the process and the name of its run, so that the id of one that ended is not taken for
// another's. "" holds nothing.
type Folder string

// Note keeps a note of the run of a process, whole or not at all; it may be lost at any time.
// Where there is no such process, or the system does not tell of its run, nothing is kept.
func (f Folder) Note(pid int, b []byte) error {
	file := f.file(pid)
	if file == "" {
		return nil
	}
	if err := fsx.MkdirAll(string(f), 0o700); err != nil {
		return err
	}
	return fsx.WriteDerived(file, b, 0o600)
}

// Read is the note of a process that runs; nil if there is none that can be read.
func (f Folder) Read(pid int) []byte {
	file := f.file(pid)
	if file == "" {
		return nil
	}
	b, _ := fsx.ReadOwn(file) // unreadable: nothing is noted
	return b
}

// Live are the notes of all runs that are not surely over.
func (f Folder) Live() (notes [][]byte, err error) {
	list, err := fsx.ReadDir(string(f))
	for _, e := range list {
		if pid, name, ok := parse(e); !ok || Ended(pid, name) {
			continue
		}
		if b, err := fsx.ReadOwn(filepath.Join(string(f), e.Name())); err == nil {
			notes = append(notes, b)
		}
	}
	return notes, err
}

// Forget removes the note of a process that runs.
func (f Folder) Forget(pid int) {
	if file := f.file(pid); file != "" {
		_ = fsx.Remove(file) // else it goes with the run
	}
}

// Tidy removes the notes of runs that are over, and those of which nobody can tell after a
// month.
func (f Folder) Tidy() {
	list, _ := fsx.ReadDir(string(f)) // else there is none
	for _, e := range list {
		pid, name, ok := parse(e)
		st, err := e.Info()
		if ok && Ended(pid, name) || err == nil && time.Since(st.ModTime()) > keep {
			_ = fsx.Remove(filepath.Join(string(f), e.Name()))
		}
	}
}

func (f Folder) file(pid int) string {
	name := Name(pid)
	if f == "" || pid <= 1 || name == "" {
		return ""
	}
	return filepath.Join(string(f), strconv.Itoa(pid)+"-"+name)
}

func parse(e fs.DirEntry) (pid int, name string, ok bool) {
	id, name, _ := strings.Cut(e.Name(), "-")
	pid, err := strconv.Atoi(id)
	return pid, name, err == nil
}
