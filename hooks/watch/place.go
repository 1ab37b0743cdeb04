package watch

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/git-sage/git-sage/gitstore/runs"
	"github.com/git-sage/git-sage/hooks/internal/logfile"
	"github.com/git-sage/git-sage/internal/plainfile"
)

// A Place is the user-wide folder in which a daemon keeps what is its own: run/watcher.*
// and watcher.log, for its owner alone.
type Place struct{ Home string }

func (p Place) run() string        { return filepath.Join(p.Home, "run") }
func (p Place) lockFile() string   { return filepath.Join(p.run(), "watcher.lock") }
func (p Place) recordFile() string { return filepath.Join(p.run(), "watcher.json") }
func (p Place) stateFile() string  { return filepath.Join(p.run(), "watcher.state") }

// Log is where the daemon writes what it saw and did.
func (p Place) Log() string { return filepath.Join(p.Home, "watcher.log") }

// Tail returns the last lines of the log, at most n.
func (p Place) Tail(n int) []string { return logfile.Tail(p.Log(), n) }

// clients are where clients and their servers leave a note, until they end.
func (p Place) clients() []string {
	return []string{filepath.Join(p.run(), "clients"), filepath.Join(p.run(), "servers")}
}

// prepare makes the folders, which nobody else may look into.
func (p Place) prepare() error {
	if p.Home == "" {
		return errors.New("there is no home folder")
	}
	for _, dir := range append(p.clients(), p.run()) {
		if err := plainfile.MakeFolder(p.Home, dir); err != nil {
			return err
		}
	}
	return os.Chmod(p.run(), 0o700)
}

// read reads a file in run as JSON, and reports whether it could. A link there, or in the
// place of run, says nothing, nor does one of more than 16 MB.
func (p Place) read(file string, v any) bool {
	if plainfile.CheckFolder(p.Home, p.run()) != nil {
		return false
	}
	b, err := plainfile.Read(file, 16<<20)
	return err == nil && json.Unmarshal(b, v) == nil
}

func write(file string, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return plainfile.Write(file, append(b, '\n'))
}

// A Status is what is known of the daemon. While it runs it keeps its own in a file beside
// its lock.
type Status struct {
	PID      int       `json:"pid,omitempty"`
	Run      string    `json:"run,omitempty"` // start and boot, see runs.Name; "" where the system does not tell
	Version  string    `json:"version,omitempty"`
	Program  Program   `json:"program,omitzero"`
	Folder   string    `json:"folder,omitempty"` // that it watches
	Since    time.Time `json:"since,omitzero"`
	Running  bool      `json:"running"`
	Mode     string    `json:"mode,omitempty"` // how it learns of changes: fsnotify, or polling and why; "" before it does
	Sessions int       `json:"sessions"`       // transcripts that were written to since it began, and have not ended
	Files    int       `json:"files"`          // transcripts in all
	Stores   int       `json:"stores"`         // repositories whose refs it follows
	Plugins  []string  `json:"plugins,omitempty"`
	Stale    []string  `json:"stale,omitempty"` // files of a daemon that was killed
}

// isOf reports whether a daemon wrote the status that is the process pid, and still the same.
func (st Status) isOf(pid int) bool {
	return st.PID > 1 && (pid == st.PID || pid < 0) && st.Run == runs.Name(st.PID)
}

// look returns the status of the daemon, or an error if a process holds the lock that is no
// watcher as far as files tell.
func (p Place) look() (st Status, err error) {
	known := p.read(p.recordFile(), &st)
	pid, err := p.holder()
	switch {
	case err != nil:
		return Status{}, err
	case pid == 0:
		if _, err := os.Lstat(p.recordFile()); err == nil {
			return Status{Stale: []string{p.recordFile()}}, nil
		}
		return Status{}, nil
	case known && st.isOf(pid):
		st.Running = true
		return st, nil
	}
	who := fmt.Sprintf("process %d", pid)
	if pid < 0 {
		who = "a process of another container or machine"
	}
	return Status{}, fmt.Errorf("%s holds '%s' %w", who, p.lockFile(), errStranger)
}

// errStranger says of who holds the lock that it did not write that it is a watcher.
var errStranger = errors.New("and is not known as a watcher: check it, and stop it yourself")

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

// hold takes the lock of the one daemon until the file is closed. f is nil if another
// process has it.
func (p Place) hold() (f *os.File, err error) {
	if f, err = p.openLock(os.O_CREATE); err != nil {
		return nil, err
	}
	mine, err := lock(f)
	if !mine {
		f.Close()
		return nil, p.lockError(err)
	}
	return f, nil
}

// holder is the process that holds the lock: 0 is none.
func (p Place) holder() (pid int, err error) {
	f, err := p.openLock(0)
	if errors.Is(err, fs.ErrNotExist) && !errors.Is(err, plainfile.ErrOther) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	defer f.Close()
	pid, err = holder(f)
	return pid, p.lockError(err)
}

func (p Place) openLock(flag int) (*os.File, error) {
	if err := plainfile.CheckFolder(p.Home, p.run()); err != nil {
		return nil, err
	}
	return plainfile.Open(p.lockFile(), os.O_RDWR|flag)
}

func (p Place) lockError(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("lock '%s': %w: set SAGE_HOME to a folder on a local disk", p.lockFile(), err)
}

// tidy removes what a daemon left that was killed. It is for the process that has the lock.
func (p Place) tidy() (left bool) { return os.Remove(p.recordFile()) == nil }
