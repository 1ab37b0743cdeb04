package fsx

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"strconv"
	"strings"
	"sync"
)

// Started names the run of a process: no other one that ever has this id, here or in
// another container or on another machine, has the same name. It is "" if there is no
// such process, or where that is not known. The clock that people set has no part in
// it: it is the number of ticks of the kernel, and which run of the kernel it was.
func Started(pid int) string {
	_, ticks := procStat(pid)
	if ticks == "" || here() == "" {
		return ""
	}
	return ticks + here()
}

// Parent is the id of the process that started another or adopted it, 0 if there is
// none or it is not known.
func Parent(pid int) int {
	parent, _ := procStat(pid)
	return parent
}

func procStat(pid int) (parent int, ticks string) {
	b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return 0, ""
	}
	return parseStat(b)
}

// parseStat reads what proc(5) says of a process: its name in parentheses, which may
// hold anything, and behind it fields of which the 4th is the parent and the 22nd when
// it started, in ticks since the kernel did.
func parseStat(b []byte) (parent int, ticks string) {
	const state = 3 // the first field behind the name
	_, rest, _ := bytes.Cut(b[max(0, bytes.LastIndexByte(b, ')')):], []byte(" "))
	f := strings.Fields(string(rest))
	if len(f) <= 22-state {
		return 0, ""
	}
	parent, err := strconv.Atoi(f[4-state])
	if _, err2 := strconv.ParseUint(f[22-state], 10, 64); err != nil || err2 != nil {
		return 0, ""
	}
	return parent, f[22-state]
}

// here ends the names of all runs that this process can tell of: those of this run of
// the kernel in this process's container.
var here = sync.OnceValue(func() string {
	space, _ := os.Readlink("/proc/self/ns/pid")
	if Boot() == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(Boot() + " " + space))
	return "-" + hex.EncodeToString(sum[:4])
})
