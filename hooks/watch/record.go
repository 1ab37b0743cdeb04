package watch

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/git-sage/git-sage/gitstore/runs"
	"github.com/git-sage/git-sage/internal/plainfile"
)

// A Record is what a daemon says of itself, beside its lock.
type Record struct {
	PID     int       `json:"pid,omitempty"`
	Run     string    `json:"run,omitempty"` // start and boot, see runs.Name; "" where the system does not tell
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
	return r.PID > 1 && (pid == r.PID || pid < 0) && r.Run == runs.Name(r.PID)
}

func (p Place) readRecord() (r Record) {
	b, err := p.read(p.recordFile())
	if err != nil || json.Unmarshal(b, &r) != nil {
		return Record{} // it says nothing
	}
	return r
}

// starting notes that this process starts the daemon, and returns what takes that away.
func (p Place) starting() (over func()) {
	b, err := json.Marshal(Record{PID: os.Getpid(), Run: runs.Name(os.Getpid())})
	if err == nil && p.prepare() == nil {
		_ = plainfile.Write(p.startingFile(), append(b, '\n')) // without it, who asks meanwhile hears that none runs
	}
	return func() { _ = os.Remove(p.startingFile()) }
}

// isStarting reports whether a process that is alive is starting the daemon.
func (p Place) isStarting() bool {
	var r Record
	b, err := p.read(p.startingFile())
	return err == nil && json.Unmarshal(b, &r) == nil && r.PID > 1 && !runs.Ended(r.PID, r.Run)
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
	if err := plainfile.CheckFolder(p.Home, p.run()); err != nil {
		return nil, err
	}
	return plainfile.Open(p.lockFile(), os.O_RDWR|os.O_CREATE)
}

func lockError(p Place, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("lock '%s': %w: set SAGE_HOME to a folder on a local disk", p.lockFile(), err)
}

// holder is who holds the lock: 0 is nobody.
func (p Place) holder() (pid int, err error) {
	err = plainfile.CheckFolder(p.Home, p.run())
	var f *os.File
	if err == nil {
		f, err = plainfile.Open(p.lockFile(), os.O_RDWR)
	}
	if errors.Is(err, fs.ErrNotExist) && !errors.Is(err, plainfile.ErrOther) {
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
