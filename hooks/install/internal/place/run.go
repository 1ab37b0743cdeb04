package place

import (
	"os"
	"os/exec"
	"path/filepath"
)

// CanRun says whether a command, by its path or on the PATH, is there.
func CanRun(command string) bool {
	if !filepath.IsAbs(command) {
		_, err := exec.LookPath(command)
		return err == nil
	}
	info, err := os.Stat(command)
	return err == nil && info.Mode().IsRegular()
}
