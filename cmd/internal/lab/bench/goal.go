package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/git-sage/git-sage/recall/embed"
	"github.com/git-sage/git-sage/recall/embed/weights"
)

// A unit is what a goal is counted in: something that is timed in the same run, since one
// machine is three times as fast as another.
type unit struct {
	name string
	time func(i int) time.Duration
}

// A share is so many times a unit.
type share struct {
	times float64
	of    unit
}

// A goal is a sum of shares, which an act must not exceed: "1.5 E + 2 P".
type goal []share

func (g goal) String() string {
	var parts []string
	for _, s := range g {
		if s.times == 1 {
			parts = append(parts, s.of.name)
		} else {
			parts = append(parts, fmt.Sprintf("%g %s", s.times, s.of.name))
		}
	}
	return strings.Join(parts, " + ")
}

// within times c and the units of its goal in turn, so that all see the same machine.
func (w *world) within(act string, n int, c func(i int) command, g goal) row {
	return w.measured(act, n, func(i int) time.Duration { return w.time(c(i)) }, g)
}

// measured is within for what is no command. The first turn warms up and does not count.
func (w *world) measured(act string, n int, once func(i int) time.Duration, g goal) row {
	var ours []time.Duration
	units := make([][]time.Duration, len(g))
	for i := -1; i < n && w.err == nil; i++ {
		took := once(i)
		for k, s := range g {
			if t := s.of.time(i); i >= 0 {
				units[k] = append(units[k], t)
			}
		}
		if i >= 0 {
			ours = append(ours, took)
		}
	}
	if w.err != nil {
		return row{Act: act, Goal: g.String()}
	}
	return judged(act, median(ours), g, units)
}

// judged is the row of an act that took a median of so many milliseconds, beside what the
// units of its goal took in turn with it.
func judged(act string, took float64, g goal, units [][]time.Duration) row {
	r := row{Act: act, Median: took, Goal: g.String()}
	for k, s := range g {
		r.Allowed += s.times * median(units[k])
	}
	return r.judge()
}

// judge compares a row with what is allowed to it.
func (r row) judge() row {
	r.Ratio = r.Median / r.Allowed
	r.OK = r.Ratio <= 1
	return r
}

// fixed is the row of something that is no time: it has a goal of so many units.
func fixed(act string, got, most float64, unit string) row {
	return row{Act: act, Median: got, Unit: unit, Goal: fmt.Sprintf("%g %s", most, unit), Allowed: most}.judge()
}

// gitAlone is G, the least that git needs for a save: find the repository, and move a ref
// as durably.
func (w *world) gitAlone(dir string) unit {
	least := w.leastSave(dir)
	return unit{"G", func(i int) time.Duration { return w.time(least("refs/bench/floor", i)) }}
}

// leastSave is what G times, with a ref; the value of that is another in each turn.
func (w *world) leastSave(dir string) func(ref string, i int) command {
	tree, err := w.git(dir, "", "mktree")
	w.failed(err)
	var tips [2]string
	for i := range tips {
		tips[i], err = w.git(dir, fmt.Sprint("floor ", i), "commit-tree", tree)
		w.failed(err)
	}
	return func(ref string, i int) command {
		return command{dir: dir, argv: [][]string{
			{"git", "rev-parse", "--path-format=absolute", "--absolute-git-dir", "--git-common-dir"},
			{"git", "-c", "core.fsync=reference", "update-ref", "--create-reflog", "-m", "floor", ref, tips[(i+2)%2]},
		}}
	}
}

// gitOnly is a command of git's own.
func (w *world) gitOnly(dir, name string, args ...string) unit {
	return unit{name, func(int) time.Duration {
		return w.time(command{dir: dir, argv: [][]string{append([]string{"git"}, args...)}})
	}}
}

// empty is P, a Go program that does nothing.
func (w *world) empty() unit {
	file := filepath.Join(w.dir, "empty")
	if _, err := os.Stat(file); err != nil {
		source := file + ".go"
		w.failed(os.WriteFile(source, []byte("package main\n\nfunc main() {}\n"), 0o600))
		cmd := exec.Command("go", "build", "-o", file, source)
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := cmd.CombinedOutput(); err != nil {
			w.failed(fmt.Errorf("build an empty program: %w: %s", err, out))
		}
	}
	return unit{"P", func(int) time.Duration { return w.time(command{dir: w.dir, argv: [][]string{{file}}}) }}
}

// whole is a unit that is no measurement: what people notice, or do not.
func whole(d time.Duration) unit {
	return unit{d.String(), func(int) time.Duration { return d }}
}

// encoder is E, the model on a query, in a process that has it open.
func (w *world) encoder(text func(i int) string) unit {
	if w.model == nil {
		var err error
		w.model, err = embed.OpenBert(weights.Prose)
		w.failed(err)
	}
	return unit{"E", func(i int) time.Duration {
		start := time.Now()
		_, err := w.model.Queries(context.Background(), []string{text(i)})
		w.failed(err)
		return time.Since(start)
	}}
}

// failed keeps the first failure of a run.
func (w *world) failed(err error) {
	if err != nil && w.err == nil {
		w.err = err
	}
}
