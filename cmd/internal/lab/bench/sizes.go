package main

import (
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
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

// A deed is one command. Git is what git alone needs to read the same, one command
// after the other, if there is that: all that a verdict goes by is said with it.
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
	With  float64 `json:"git_rss_mb,omitempty"` // the most that it or a git it ran held
	OK    bool    `json:"ok"`
	Own   string  `json:"git_commands,omitempty"`
	Most  float64 `json:"git_times,omitempty"` // how often git's own time it may take
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
	r := sized{Size: name, Act: low.name, Own: high.own()}
	if r.Own != "" {
		r.Most = high.allowed()
	}
	var lows, highs, gits []time.Duration
	for i, start := 0, time.Now(); i <= n && (i < 2 || time.Since(start) < patience); i++ { // the first warms up
		t, _ := w.deed(small, low, i)
		u, peak := w.deed(full, high, i)
		r.RSS, r.With = max(r.RSS, float64(peak.own)/1024), max(r.With, float64(peak.all)/1024)
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

// own is git's own, as one types it.
func (d deed) own() string {
	var all []string
	for _, argv := range d.git {
		if argv[0] == "sh" {
			argv = argv[2:]
		}
		all = append(all, strings.Join(argv, " "))
	}
	return strings.Join(all, "; ")
}

// A peak is the most memory that was held, in kilobytes: by a process alone, and by
// it or any that it ran, where the system tells.
type peak struct{ own, all int }

// deed runs d and returns how long it took and the most memory that it held.
func (w *world) deed(dir string, d deed, i int) (time.Duration, peak) {
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
		most := watch(cmd.Process.Pid)
		err = cmd.Wait()
		took := time.Since(start)
		rss := most()
		if err == nil {
			return took, peak{rss, max(rss, peakOf(cmd.ProcessState))}
		}
	}
	if w.err == nil {
		w.err = fmt.Errorf("%s in %s: %w: %s", strings.Join(d.args(i), " "), dir, err, errs.String())
	}
	return 0, peak{}
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
