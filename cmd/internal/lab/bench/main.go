// Command bench times git-sage as its users start it, a fresh process each
// time, beside units that are timed in the same run. Ratios compare across machines;
// single times do not. The units are
//
//	G  git rev-parse and a durable git update-ref: the least that a save is
//	P  a Go program that does nothing
//	E  the embedded encoder for prose on the text at hand, in a process that has it open
//
// It prints a JSON line for each act, {act, median, unit, goal, allowed, ratio, ok}:
// allowed is what the goal came to in this run, ratio the median beside that, and times
// are in milliseconds if there is no unit. A table goes to standard error. -only
// <text> leaves out the groups of acts whose name does not hold it: start, embed,
// knowledge, crowd, day, small, large, and three that take minutes and are left out unless they
// are named: code, sync, and questions, what an agent reads until it has found the answer to
// one.
// With STRICT=1 in the environment a missed goal makes it exit 1.
package main

import (
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
)

// A row is one act, and how it stands to its goal.
type row struct {
	Act     string  `json:"act"`
	Median  float64 `json:"median"`
	Unit    string  `json:"unit,omitempty"`
	Goal    string  `json:"goal"`
	Allowed float64 `json:"allowed"`
	Ratio   float64 `json:"ratio"`
	OK      bool    `json:"ok"`
}

func main() {
	bin := flag.String("bin", "bin/git-sage", "the program to time")
	n := flag.Int("n", 41, "runs of each act")
	objects := flag.Int("objects", 300_000, "objects of the large repository")
	refs := flag.Int("refs", 25_000, "refs of the large repository")
	bySize := flag.Bool("sizes", false, "time every command at every size, and at a hundredth of it")
	only := flag.String("only", "", "those groups of acts, or with -sizes those sizes, whose name holds this")
	act := flag.String("act", "", "with -sizes: commands whose name holds this")
	in := flag.String("in", "", "a folder for stores of knowledge and what -sizes measures, which are left there for the next run")
	flag.Parse()
	if *bySize {
		*n = min(*n, 5)
		end(sizes(*bin, *in, *only, *act, *n))
		return
	}
	rows, err := run(*bin, *in, *only, *n, *objects, *refs)
	end(show(rows), err)
}

func sizes(bin, in, only, act string, n int) (missed bool, err error) {
	w, err := newWorld(bin)
	if err != nil {
		return false, err
	}
	defer w.close()
	w.made = in
	rows, err := w.sizes(only, act, n)
	return showSizes(rows), err
}

// end ends the program if anything is amiss.
func end(missed bool, err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(2)
	}
	if missed && os.Getenv("STRICT") == "1" {
		os.Exit(1)
	}
}

// longGroups take minutes, and are timed only if they are named.
var longGroups = []string{"code", "questions", "sync"}

// A group is acts that are timed in one world.
type group struct {
	name string
	time func(w *world, n int) ([]row, error)
}

func run(bin, in, only string, n, objects, refs int) (rows []row, err error) {
	w, err := newWorld(bin)
	if err != nil {
		return nil, err
	}
	defer w.close()
	w.made = in
	for _, g := range []group{
		{"start", (*world).start},
		{"embed", func(w *world, n int) ([]row, error) { return append(w.embeds(n), w.batch(n)...), nil }},
		{"knowledge", (*world).knowledge},
		{"crowd", (*world).crowd},
		{"day", (*world).days},
		{"small", func(w *world, n int) ([]row, error) { return w.at("small", 0, 0, n) }},
		{"large", func(w *world, n int) ([]row, error) { return w.at("large", objects, refs, n) }},
		{"code", (*world).code},
		{"questions", (*world).questions},
		{"sync", (*world).sync},
	} {
		if !strings.Contains(g.name, only) || only == "" && slices.Contains(longGroups, g.name) {
			continue
		}
		more, err := g.time(w, n)
		if rows = append(rows, more...); err != nil {
			return rows, err
		}
	}
	return rows, w.err
}

// start times what every command pays.
func (w *world) start(n int) ([]row, error) {
	return []row{w.within("version", n, func(int) command { return w.sage("version") }, goal{{2, w.empty()}})}, w.err
}

// at times what people do all day in a repository with so many objects and refs.
func (w *world) at(name string, objects, refs, n int) ([]row, error) {
	dir, err := w.repository(name, objects, refs)
	if err != nil {
		return nil, err
	}
	return w.acts(name, dir, n)
}
func show(rows []row) (missed bool) {
	out := json.NewEncoder(os.Stdout)
	t := tabwriter.NewWriter(os.Stderr, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "act\tmedian\tgoal\tallowed\tratio\t")
	for _, r := range rows {
		_ = out.Encode(r)
		mark := "ok"
		switch {
		case strings.HasPrefix(r.Goal, noGoal):
			mark = "-"
		case !r.OK:
			missed, mark = true, "MISSED"
		}
		unit := cmp.Or(r.Unit, "ms")
		fmt.Fprintf(t, "%s\t%.2f %s\t%s\t%.2f %s\t%.2f\t%s\n", r.Act, r.Median, unit, r.Goal, r.Allowed, unit, r.Ratio, mark)
	}
	_ = t.Flush()
	return missed
}

// median of the durations, in milliseconds.
func median(d []time.Duration) float64 {
	slices.Sort(d)
	return float64(d[len(d)/2].Microseconds()) / 1000
}
