package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// A home is what a tool is given in place of the user's: a folder of its own, with a
// repository to work in.
type home struct {
	dir, work string
	env       []string
	started   atomic.Int32
}

func newHome(env ...string) (*home, error) {
	dir, err := os.MkdirTemp("", "compare")
	if err != nil {
		return nil, err
	}
	h := &home{dir: dir, work: filepath.Join(dir, "work")}
	for _, name := range []string{"PATH", "LANG", "TMPDIR"} {
		if v := os.Getenv(name); v != "" {
			h.env = append(h.env, name+"="+v)
		}
	}
	h.env = append(h.env, "HOME="+dir, "HF_HUB_OFFLINE=1", "GIT_CONFIG_NOSYSTEM=1")
	for _, e := range env {
		h.env = append(h.env, strings.ReplaceAll(e, "{home}", dir))
	}
	config := "[user]\n\tname = Ada\n\temail = ada@example.com\n"
	if err := os.WriteFile(filepath.Join(dir, ".gitconfig"), []byte(config), 0o666); err != nil {
		return nil, err
	}
	cmd := exec.Command("git", "init", "-q", h.work)
	cmd.Env = h.env
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("git init: %w: %s", err, out)
	}
	return h, nil
}

// mark is an entry of the environment by which the processes of one server are known, those
// that left it included.
func (h *home) mark() string {
	return fmt.Sprintf("COMPARE_SERVER=%s/%d;", h.dir, h.started.Add(1))
}

// remove ends all that was started with this home, and removes it.
func (h *home) remove() {
	for range 10 { // what ends writes a last file now and then
		killAll("COMPARE_SERVER=" + h.dir + "/")
		if os.RemoveAll(h.dir) == nil {
			return
		}
	}
}

func killAll(mark string) {
	for _, pid := range processes(mark) {
		if p, err := os.FindProcess(pid); err == nil {
			_ = p.Kill()
		}
	}
}

// processes are those whose environment holds the mark. Where there is no /proc there are none.
func processes(mark string) (pids []int) {
	files, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, f := range files {
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(f)))
		if b, _ := os.ReadFile(f); err == nil && pid != os.Getpid() && bytes.Contains(b, []byte(mark)) {
			pids = append(pids, pid)
		}
	}
	return pids
}

// usage is the processor time that the processes with a mark have used, with those that they
// waited for, and the most memory that those that live have held.
func usage(mark string) (processor time.Duration, peakKB int) {
	for _, pid := range processes(mark) {
		stat, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if i := bytes.LastIndexByte(stat, ')'); i >= 0 {
			if fields := strings.Fields(string(stat[i+1:])); len(fields) > 14 {
				for _, f := range fields[11:15] { // utime, stime, cutime, cstime in hundredths
					n, _ := strconv.Atoi(f)
					processor += time.Duration(n) * 10 * time.Millisecond
				}
			}
		}
		status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
		if _, after, ok := strings.Cut(string(status), "VmHWM:"); ok {
			var kb int
			_, _ = fmt.Sscan(after, &kb)
			peakKB += kb
		}
	}
	return processor, peakKB
}

// median of durations; zero of none.
func median(d []time.Duration) time.Duration {
	if len(d) == 0 {
		return 0
	}
	d = slices.Sorted(slices.Values(d))
	return d[len(d)/2]
}
