//go:build unix

package cli

import (
	"os/exec"
	"syscall"
)

// detach gives a process a session of its own: the end of a terminal, and a
// signal to who started it, do not reach it.
func detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

// stepBack lets everybody else go first: this process's threads, and those that
// it starts. The process leads a group of its own, if it was detached.
func stepBack() {
	if syscall.Getpgrp() == syscall.Getpid() {
		_ = syscall.Setpriority(syscall.PRIO_PGRP, 0, lowPriority)
	}
}

const lowPriority = 10 // as nice(1) has it
