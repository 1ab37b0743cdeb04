package hooks

import (
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/git-sage/git-sage/internal/plainfile"
)

// callsFolder is where it stands, in the folder sage of the git directory, when which
// event was last answered: a file for each, empty, whose time that is. Touching one
// takes some 10 µs.
const callsFolder = "called"

// noteCall notes that an event was answered. There is nobody to tell if that fails.
func noteCall(dir, event string, now time.Time) {
	file := filepath.Join(dir, callsFolder, event)
	if plainfile.MakeFolderIn(dir, filepath.Dir(file)) != nil {
		return
	}
	if st, err := os.Lstat(file); err == nil && st.Mode().IsRegular() {
		_ = os.Chtimes(file, now, now)
		return
	}
	f, err := plainfile.Open(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL)
	if err != nil {
		return
	}
	_ = f.Close()
	_ = os.Chtimes(file, now, now)
}

// ours are the events that git-sage runs by itself.
var ours = []string{Closing, Recovering, Keeping, Distilling, Watched}

// Calls says when each event was last answered here, by name; dir is the folder sage of
// the git directory. An event that never was is not in it, nor are those that are not the
// client's.
func Calls(dir string) map[string]time.Time {
	calls := map[string]time.Time{}
	if plainfile.CheckFolder(dir, filepath.Join(dir, callsFolder)) != nil {
		return calls
	}
	list, _ := os.ReadDir(filepath.Join(dir, callsFolder))
	for _, e := range list {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() && !slices.Contains(ours, e.Name()) {
			calls[e.Name()] = info.ModTime()
		}
	}
	return calls
}
