package watch

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/git-sage/git-sage/hooks/internal/logfile"
	"github.com/git-sage/git-sage/internal/plainfile"
)

// A Place is the user-wide folder in which a daemon keeps what is its own: run/watcher.*
// and watcher.log, for its owner alone.
type Place struct{ Home string }

// read reads a file in run. A link there, or in the place of run, says nothing.
func (p Place) read(file string) ([]byte, error) {
	if err := plainfile.CheckFolder(p.Home, p.run()); err != nil {
		return nil, err
	}
	return plainfile.Read(file, maxState)
}

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
		st, err := os.Lstat(dir)
		if err != nil {
			return err
		}
		if !st.IsDir() || !mine(st) {
			return fmt.Errorf("'%s' is not a folder of yours", dir)
		}
		if st.Mode().Perm()&0o077 != 0 {
			if err := os.Chmod(dir, 0o700); err != nil {
				return err
			}
		}
	}
	return nil
}
