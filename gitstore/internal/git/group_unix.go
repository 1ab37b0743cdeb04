//go:build unix

package git

import (
	"os"
	"os/exec"
	"syscall"
)

// ownGroup puts git and its children into a group of their own, so that a
// deadline ends all of them. They are asked first: git removes its locks.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error {
		if err := syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM); err != nil {
			return os.ErrProcessDone
		}
		return nil
	}
}
