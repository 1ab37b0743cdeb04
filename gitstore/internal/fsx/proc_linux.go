package fsx

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
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

// Process tells of a process what it is called, and when it began by the clock that
// people set; "" and the zero time are not known. ok is false if none has this id, or it
// has ended and only its parent does not know yet.
func Process(pid int) (name string, began time.Time, ok bool) {
	b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return "", began, Alive(pid) // another user's, where those are hidden
	}
	from, to := bytes.IndexByte(b, '('), bytes.LastIndexByte(b, ')')
	if from < 0 || to < from || bytes.HasPrefix(b[to:], []byte(") Z")) {
		return "", began, false
	}
	_, text := parseStat(b)
	if ticks, err := strconv.ParseInt(text, 10, 64); err == nil {
		began = booted().Add(time.Duration(ticks) * time.Second / ticksPerSecond)
	}
	return string(b[from+1 : to]), began, true
}

// ticksPerSecond is what /proc counts in, whatever the kernel's own clock does.
const ticksPerSecond = 100

// booted is when this run of the kernel began, by the clock as it stands now.
func booted() time.Time {
	b, _ := os.ReadFile("/proc/stat")
	_, rest, found := bytes.Cut(b, []byte("\nbtime "))
	n, err := strconv.ParseInt(string(bytes.TrimSpace(rest[:max(0, bytes.IndexByte(rest, '\n'))])), 10, 64)
	if !found || err != nil {
		return time.Unix(0, 0) // then it is older than any file
	}
	return time.Unix(n, 0)
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
