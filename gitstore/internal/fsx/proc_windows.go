package fsx

import (
	"strconv"
	"time"

	"golang.org/x/sys/windows"
)

// Started names the run of a process: no other one that ever has this id has the same
// name. It is "" if there is no such process. It is the moment at which it began.
func Started(pid int) string {
	h, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, uint32(pid))
	if err != nil {
		return ""
	}
	defer windows.CloseHandle(h)
	var began, ended, kernel, user windows.Filetime
	if windows.GetProcessTimes(h, &began, &ended, &kernel, &user) != nil || ended.LowDateTime|ended.HighDateTime != 0 {
		return ""
	}
	return strconv.FormatInt(began.Nanoseconds(), 10)
}

// Parent is the id of the process that started another, 0 where that is not known.
func Parent(int) int { return 0 }

// here ends the names of all runs that this process can tell of, which is any.
func here() string { return "" }

// Process tells of a process what it is called, and when it began; here neither is known.
// ok is false if none has this id.
func Process(pid int) (name string, began time.Time, ok bool) { return "", began, Alive(pid) }
