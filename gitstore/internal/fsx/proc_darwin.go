package fsx

import (
	"fmt"

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

// Parent is the id of the process that started another, 0 where that is not known.
func Parent(int) int { return 0 }

// here ends the names of all runs that this process can tell of, which is any.
func here() string { return "" }
