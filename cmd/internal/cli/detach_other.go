//go:build !unix

package cli

import (
	"os/exec"
	"syscall"
)

// detach gives a process no console, and a group of its own.
func detach(cmd *exec.Cmd) {
	const detached, newGroup = 0x8, 0x200
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: detached | newGroup}
}

func stepBack() {}
