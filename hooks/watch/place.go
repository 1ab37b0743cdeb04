package watch

import (
	"crypto/sha256"
	"encoding/hex"
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

// startingFile names the process that is starting the daemon, while it does.
func (p Place) startingFile() string { return filepath.Join(p.run(), "watcher.starting") }

// Log is where the daemon writes what it saw and did.
func (p Place) Log() string { return filepath.Join(p.Home, "watcher.log") }

// Tail are the last lines of the log, at most n.
func (p Place) Tail(n int) []string { return logfile.Tail(p.Log(), n) }

// maxSocket is the longest path that a socket may have everywhere, in bytes.
const maxSocket = 100

// socketFile is where the socket lies: in run, or, where its path is too long for one, in
// a folder of the user's among the temporary files.
func (p Place) socketFile() string {
	file := filepath.Join(p.run(), "watcher.sock")
	if len(file) <= maxSocket {
		return file
	}
	sum := sha256.Sum256([]byte(p.run()))
	return filepath.Join(os.TempDir(), fmt.Sprintf("git-sage-%d", os.Getuid()), hex.EncodeToString(sum[:8])+".sock")
}

// prepare makes the folders, which nobody else may look into.
func (p Place) prepare() error {
	if p.Home == "" {
		return errors.New("there is no home folder")
	}
	if err := plainfile.MakeFolder(p.Home, p.run()); err != nil {
		return err
	}
	for _, dir := range []string{p.run(), filepath.Dir(p.socketFile())} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return err
		}
		if st, err := os.Lstat(dir); err != nil || !st.IsDir() || !mine(st) {
			return fmt.Errorf("'%s' is not a folder of yours", dir)
		}
		if err := os.Chmod(dir, 0o700); err != nil {
			return err
		}
	}
	return nil
}

const maxState = 16 << 20 // bytes

// read reads a file in run as JSON, and reports whether it could. A link there, or in the
// place of run, says nothing.
func (p Place) read(file string, v any) bool {
	if plainfile.CheckFolder(p.Home, p.run()) != nil {
		return false
	}
	b, err := plainfile.Read(file, maxState)
	return err == nil && json.Unmarshal(b, v) == nil
}

func write(file string, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return plainfile.Write(file, append(b, '\n'))
}

// A Record is what a daemon says of itself, beside its lock.
type Record struct {
	PID     int       `json:"pid,omitempty"`
	Run     string    `json:"run,omitempty"` // start and boot, see runs.Name; "" where the system does not tell
	Version string    `json:"version,omitempty"`
	Program Program   `json:"program,omitzero"`
	Folder  string    `json:"folder,omitempty"` // that it watches
	Since   time.Time `json:"since,omitzero"`
}

// runs reports whether the process that left the record is pid, and still the same.
func (r Record) runs(pid int) bool {
	return r.PID > 1 && (pid == r.PID || pid < 0) && r.Run == runs.Name(r.PID)
}

func (p Place) readRecord() (r Record) {
	if !p.read(p.recordFile(), &r) {
		return Record{}
	}
	return r
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

// starting notes that this process starts the daemon, and returns what takes that away.
func (p Place) starting() (over func()) {
	if p.prepare() == nil {
		_ = write(p.startingFile(), Record{PID: os.Getpid(), Run: runs.Name(os.Getpid())}) // without it, status says meanwhile that none runs
	}
	return func() { _ = os.Remove(p.startingFile()) }
}

// isStarting reports whether a process that is alive is starting the daemon.
func (p Place) isStarting() bool {
	var r Record
	return p.read(p.startingFile(), &r) && r.PID > 1 && !runs.Ended(r.PID, r.Run)
}

// hold takes the lock of the one daemon until the file is closed, or says who has it.
func (p Place) hold() (f *os.File, pid int, err error) {
	if f, err = p.openLock(os.O_CREATE); err != nil {
		return nil, 0, err
	}
	for {
		mine, err := lock(f)
		if mine {
			return f, 0, nil
		}
		if err == nil {
			pid, err = holder(f)
		}
		if err != nil || pid != 0 {
			f.Close()
			return nil, pid, p.lockError(err)
		}
	}
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

// stale are the files that a daemon left which is not there any more.
func (p Place) stale() (files []string) {
	for _, f := range []string{p.recordFile(), p.socketFile()} {
		if _, err := os.Lstat(f); !errors.Is(err, fs.ErrNotExist) {
			files = append(files, f)
		}
	}
	return files
}

// tidy removes what a daemon left that was killed. It is for the process that has the lock.
func (p Place) tidy() (left bool) {
	for _, file := range p.stale() {
		if st, err := os.Lstat(file); err == nil && !st.IsDir() {
			left = os.Remove(file) == nil || left
		}
	}
	return left
}
