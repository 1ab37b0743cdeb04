//go:build linux

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strconv"
)

// descendants are a process and all that it started, the process first.
func descendants(pid int) []int {
	above := map[int]int{}
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, file := range stats {
		if p, _, parent := stat(file); p != 0 {
			above[p] = parent
		}
	}
	out := []int{pid}
	for grown := true; grown; {
		grown = false
		for p, parent := range above {
			if slices.Contains(out, parent) && !slices.Contains(out, p) {
				out, grown = append(out, p), true
			}
		}
	}
	return out
}

// stat reads id, state and parent of a process; 0 if it is gone.
func stat(file string) (pid int, state byte, parent int) {
	b, err := os.ReadFile(file)
	i := bytes.LastIndexByte(b, ')')
	if err != nil || i < 0 {
		return 0, 0, 0
	}
	pid, _ = strconv.Atoi(string(b[:bytes.IndexByte(b, ' ')]))
	f := bytes.Fields(b[i+1:])
	parent, _ = strconv.Atoi(string(f[1]))
	return pid, f[0][0], parent
}

// alive tells a process that runs from one that nobody has buried yet.
func alive(pid int) bool {
	p, state, _ := stat("/proc/" + strconv.Itoa(pid) + "/stat")
	return p != 0 && state != 'Z' && state != 'X'
}
