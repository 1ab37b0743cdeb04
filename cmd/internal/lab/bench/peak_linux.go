package main

import (
	"os"
	"syscall"
)

// peakOf is the most memory that a process that ended held, or any that it waited
// for, in kilobytes.
func peakOf(p *os.ProcessState) int {
	if u, ok := p.SysUsage().(*syscall.Rusage); ok {
		return int(u.Maxrss)
	}
	return 0
}
