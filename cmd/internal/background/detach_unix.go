//go:build unix

package background

import (
	"os/exec"
	"syscall"
)

// Detach gives a process a session of its own: the end of a terminal, and a
// signal to who started it, do not reach it.
func Detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

// StepBack lets everybody else go first: this process's threads, and those that
// it starts. The process leads a group of its own, if it was detached.
func StepBack() {
	if syscall.Getpgrp() == syscall.Getpid() {
		_ = syscall.Setpriority(syscall.PRIO_PGRP, 0, lowPriority)
	}
}

const lowPriority = 10 // as nice(1) has it
