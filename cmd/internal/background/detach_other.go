//go:build !unix

package background

import (
	"os/exec"
	"syscall"
)

// Detach gives a process no console, and a group of its own.
func Detach(cmd *exec.Cmd) {
	const detached, newGroup = 0x8, 0x200
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: detached | newGroup}
}

// StepBack does nothing: there is no order of processes to step back in.
func StepBack() {}
