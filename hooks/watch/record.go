package watch

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/git-sage/git-sage/gitstore"
)

// A Record is what a daemon says of itself, beside its lock.
type Record struct {
	PID     int       `json:"pid,omitempty"`
	Run     string    `json:"run,omitempty"` // start and boot, see gitstore.ProcessRun; "" where the system does not tell
	Version string    `json:"version,omitempty"`
	Program Program   `json:"program,omitzero"`
	Folder  string    `json:"folder,omitempty"` // that it watches
	Since   time.Time `json:"since,omitzero"`
}

// A Program is the file that a process was started from, so that one that an upgrade
// replaced is known.
type Program struct {
	Path string    `json:"path"`
	Size int64     `json:"size"`
	Time time.Time `json:"time"` // of its last change
}

// ThisProgram is the file at a path as it is now; the zero value if there is none.
func ThisProgram(path string) Program {
	st, err := os.Stat(path)
	if err != nil {
		return Program{}
	}
	return Program{path, st.Size(), st.ModTime().UTC()}
}

func (p Program) is(o Program) bool {
	return p.Path == o.Path && p.Size == o.Size && p.Time.Equal(o.Time)
}

// runs reports whether the process that left the record is pid, and still the same.
func (r Record) runs(pid int) bool {
	return r.PID > 1 && (pid == r.PID || pid < 0) && r.Run == gitstore.ProcessRun(r.PID)
}

func (p Place) readRecord() (r Record) {
	b, err := readOwn(p.recordFile())
	if err != nil || json.Unmarshal(b, &r) != nil {
		return Record{} // it says nothing
	}
	return r
}

// A held is the lock of the one daemon.
type held struct {
	f *os.File
	p Place
}

// hold takes the lock, or says who has it.
func (p Place) hold() (h *held, pid int, err error) {
	f, err := p.openLock()
	if err != nil {
		return nil, 0, err
	}
	for {
		mine, err := lock(f)
		if mine {
			return &held{f, p}, 0, nil
		}
		if err == nil {
			pid, err = holder(f)
		}
		if err != nil || pid != 0 {
			f.Close()
			return nil, pid, lockError(p, err)
		}
	}
}

func (p Place) openLock() (*os.File, error) {
	if err := p.checkLock(); err != nil {
		return nil, err
	}
	return os.OpenFile(p.lockFile(), os.O_RDWR|os.O_CREATE, 0o600)
}

// checkLock says what stands in the place of the lock, if that is no file.
func (p Place) checkLock() error {
	st, err := os.Lstat(p.lockFile())
	if err != nil || st.Mode().IsRegular() {
		return nil
	}
	what, rm := "no file", "rm"
	switch m := st.Mode(); {
	case m&fs.ModeSymlink != 0:
		what = "a symbolic link"
	case m&fs.ModeNamedPipe != 0:
		what = "a named pipe"
	case m.IsDir():
		what, rm = "a folder", "rm -r"
	}
	return fmt.Errorf("'%s' is %s, where the watcher keeps its lock: %s '%s'", p.lockFile(), what, rm, p.lockFile())
}

func lockError(p Place, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("lock '%s': %w: set SAGE_HOME to a folder on a local disk", p.lockFile(), err)
}

// holder is who holds the lock: 0 is nobody.
func (p Place) holder() (pid int, err error) {
	if err := p.checkLock(); err != nil {
		return 0, err
	}
	f, err := os.OpenFile(p.lockFile(), os.O_RDWR, 0)
	if errors.Is(err, os.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	defer f.Close()
	pid, err = holder(f)
	return pid, lockError(p, err)
}

// tidy removes what a daemon left that was killed.
func (h *held) tidy() (left bool) {
	for _, file := range []string{h.p.recordFile(), h.p.socketFile()} {
		if st, err := os.Lstat(file); err == nil && !st.IsDir() {
			left = os.Remove(file) == nil || left
		}
	}
	return left
}

func (h *held) release() { _ = h.f.Close() }
