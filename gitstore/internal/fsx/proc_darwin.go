package fsx

import (
	"fmt"
	"time"

	"golang.org/x/sys/unix"
)

// Started names the run of a process: no other one that ever has this id has the same
// name. It is "" if there is no such process. It is the moment at which it began.
func Started(pid int) string {
	p, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil || int(p.Proc.P_pid) != pid {
		return ""
	}
	return fmt.Sprintf("%d.%06d", p.Proc.P_starttime.Sec, p.Proc.P_starttime.Usec)
}

// Process tells of a process what it is called, and when it began by the clock that
// people set. ok is false if none has this id, or it has ended and only its parent does
// not know yet.
func Process(pid int) (name string, began time.Time, ok bool) {
	const zombie = 5
	p, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil || int(p.Proc.P_pid) != pid || p.Proc.P_stat == zombie {
		return "", began, false
	}
	return unix.ByteSliceToString(p.Proc.P_comm[:]), time.Unix(p.Proc.P_starttime.Unix()), true
}

// Parent is the id of the process that started another, 0 where that is not known.
func Parent(int) int { return 0 }

// here ends the names of all runs that this process can tell of, which is any.
func here() string { return "" }
