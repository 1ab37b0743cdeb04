package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
)

// A size is something of which there may be much: a hundred times as much must
// not take a command more than five times as long, unless git itself takes so
// long for what it needs of git.
type size struct {
	name  string
	full  int
	make  func(w *world, dir string, n int) error
	deeds func(w *world, dir string) []deed
}

// A deed is one command. Git is what git needs for the same, if there is that.
type deed struct {
	name string
	args func(i int) []string
	in   func(dir string) string
	git  [][]string
	all  bool // reads everything there is
}

// A sized is what a deed took, in milliseconds and megabytes.
type sized struct {
	Size  string  `json:"size"`
	Act   string  `json:"act"`
	Small float64 `json:"hundredth"`
	Full  float64 `json:"full"`
	Ratio float64 `json:"ratio"`
	Git   float64 `json:"git,omitempty"`
	RSS   float64 `json:"rss_mb"`
	OK    bool    `json:"ok"`
}

// The goals.
const (
	maxRatio = 5
	maxRSS   = 100
	noise    = 1.2 // by which a time of git's own may be exceeded
	allOf    = 2   // the same of what reads everything: git only lists it, we also look at it
)

// patience bounds how long one deed is repeated.
const patience = 10 * time.Second

// allowed is how much longer than git's own a deed may take.
func (d deed) allowed() float64 {
	if d.all {
		return allOf
	}
	return noise
}

// sizes times every command at every size, in repositories that git makes.
func (w *world) sizes(only, act string, n int) (rows []sized, err error) {
	for _, s := range allSizes {
		if !strings.Contains(s.name, only) {
			continue
		}
		more, err := w.size(s, act, n)
		if rows = append(rows, more...); err != nil {
			return rows, fmt.Errorf("%s: %w", s.name, err)
		}
	}
	return rows, nil
}

func (w *world) size(s size, act string, n int) (rows []sized, err error) {
	in := cmp.Or(w.made, w.dir)
	small, full := filepath.Join(in, s.name+"-small"), filepath.Join(in, s.name+"-full")
	if w.made == "" {
		defer func() { _, _ = os.RemoveAll(small), os.RemoveAll(full) }()
	}
	for dir, count := range map[string]int{small: max(1, s.full/100), full: s.full} {
		start := time.Now()
		if _, err := os.Stat(dir); err == nil {
			continue // of an earlier run
		}
		if _, err := w.git(w.dir, "", "init", "-q", dir); err != nil {
			return nil, err
		}
		if err := s.make(w, dir, count); err != nil {
			return nil, err
		}
		fmt.Fprintf(os.Stderr, "%s: %d made in %s\n", s.name, count, time.Since(start).Round(time.Second))
	}
	lows, highs := s.deeds(w, small), s.deeds(w, full)
	for i, d := range lows {
		if !strings.Contains(d.name, act) {
			continue
		}
		rows = append(rows, w.compare(s.name, small, full, d, highs[i], n))
		if w.err != nil { // the next may go well
			fmt.Fprintln(os.Stderr, w.err)
			err, w.err = w.err, nil
		}
	}
	return rows, err
}

// compare times a deed in both in turn, so that all see the same machine. The
// best of n is what it takes; the rest is what else the machine did.
func (w *world) compare(name, small, full string, low, high deed, n int) sized {
	r := sized{Size: name, Act: low.name}
	var lows, highs, gits []time.Duration
	for i, start := 0, time.Now(); i <= n && (i < 2 || time.Since(start) < patience); i++ { // the first warms up
		t, _ := w.deed(small, low, i)
		u, rss := w.deed(full, high, i)
		r.RSS = max(r.RSS, float64(rss)/1024)
		if i > 0 {
			lows, highs = append(lows, t), append(highs, u)
		}
		if len(high.git) > 0 && (len(gits) == 0 || slices.Max(gits) < patience/4) {
			gits = append(gits, w.time(command{dir: full, argv: high.git}))
		}
	}
	r.Small, r.Full, r.Git = best(lows), best(highs), best(gits)
	r.Ratio = r.Full / r.Small
	r.OK = w.err == nil && (r.Ratio <= maxRatio || r.Full <= high.allowed()*r.Git) && r.RSS <= maxRSS
	return r
}

func best(d []time.Duration) float64 {
	if len(d) == 0 {
		return 0
	}
	return float64(slices.Min(d).Microseconds()) / 1000
}

// deed runs d and returns how long it took and the most memory that it held, in
// kilobytes, without that of the git it runs.
func (w *world) deed(dir string, d deed, i int) (time.Duration, int) {
	cmd := exec.Command(w.bin, d.args(i)...)
	cmd.Dir, cmd.Env = dir, w.env
	if d.in != nil {
		cmd.Stdin = strings.NewReader(d.in(dir))
	}
	var errs strings.Builder
	cmd.Stderr = &errs
	start := time.Now()
	err := cmd.Start()
	if err == nil {
		peak := watch(cmd.Process.Pid)
		err = cmd.Wait()
		took := time.Since(start)
		rss := peak()
		if err == nil {
			return took, rss
		}
	}
	if w.err == nil {
		w.err = fmt.Errorf("%s in %s: %w: %s", strings.Join(d.args(i), " "), dir, err, errs.String())
	}
	return 0, 0
}

// watch looks at how much memory a process holds until the returned function is
// called, which says how much it was at most.
func watch(pid int) (peak func() int) {
	stop, done := make(chan struct{}), make(chan int)
	go func() {
		most := 0
		tick := time.NewTicker(time.Millisecond)
		defer tick.Stop()
		for {
			most = max(most, highWater(pid))
			select {
			case <-stop:
				done <- most
				return
			case <-tick.C:
			}
		}
	}()
	return func() int { close(stop); return <-done }
}

func highWater(pid int) (kb int) {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	_, after, _ := strings.Cut(string(b), "VmHWM:")
	_, _ = fmt.Sscan(after, &kb)
	return kb
}

func showSizes(rows []sized) (missed bool) {
	out := json.NewEncoder(os.Stdout)
	t := tabwriter.NewWriter(os.Stderr, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "size\tact\ta hundredth, ms\tfull, ms\tratio\tgit, ms\tpeak MB\t")
	for _, r := range rows {
		_ = out.Encode(r)
		mark, git := "ok", ""
		if !r.OK {
			missed, mark = true, "MISSED"
		}
		if r.Git > 0 {
			git = fmt.Sprintf("%.1f", r.Git)
		}
		fmt.Fprintf(t, "%s\t%s\t%.1f\t%.1f\t%.1f\t%s\t%.0f\t%s\n", r.Size, r.Act, r.Small, r.Full, r.Ratio, git, r.RSS, mark)
	}
	_ = t.Flush()
	return missed
}
