//go:build unix

package converse

import (
	"os/exec"
	"syscall"
)

// lead has a process lead a session of its own: no signal to this one's group reaches it,
// and what it started ends with it. It is asked to end before it is killed, since it
// leaves a file of its session behind otherwise.
func lead(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
}
