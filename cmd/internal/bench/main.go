// Command bench times git-sage as its users start it, a fresh process each
// time, beside what git needs for the same act in the same run. Ratios compare
// across machines; single times do not.
//
// It prints a JSON line for each act, {act, median, floor, ratio, goal, ok},
// times in milliseconds, and a table to standard error. With STRICT=1 in the
// environment a missed goal makes it exit 1.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"slices"
	"text/tabwriter"
	"time"
)

// A row is one act. Goal is a ratio to the floor if there is one, else
// milliseconds.
type row struct {
	Act    string  `json:"act"`
	Median float64 `json:"median"`
	Floor  float64 `json:"floor,omitempty"`
	Ratio  float64 `json:"ratio,omitempty"`
	Goal   float64 `json:"goal"`
	OK     bool    `json:"ok"`
}

func main() {
	bin := flag.String("bin", "bin/git-sage", "the program to time")
	n := flag.Int("n", 41, "runs of each act")
	objects := flag.Int("objects", 300_000, "objects of the large repository")
	refs := flag.Int("refs", 25_000, "refs of the large repository")
	bySize := flag.Bool("sizes", false, "time every command at every size, and at a hundredth of it")
	only := flag.String("only", "", "with -sizes: those whose name holds this")
	act := flag.String("act", "", "with -sizes: commands whose name holds this")
	in := flag.String("in", "", "with -sizes: a folder for what is measured, which is left there for the next run")
	flag.Parse()
	if *bySize {
		*n = min(*n, 5)
		end(sizes(*bin, *in, *only, *act, *n))
		return
	}
	rows, err := run(*bin, *n, *objects, *refs)
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

func run(bin string, n, objects, refs int) ([]row, error) {
	w, err := newWorld(bin)
	if err != nil {
		return nil, err
	}
	defer w.close()
	rows := []row{w.alone("version", 8, n, w.sage("version"))}
	rows = append(rows, w.embeds(n)...)
	for _, size := range []struct {
		name          string
		objects, refs int
	}{{"small", 0, 0}, {"large", objects, refs}} {
		dir, err := w.repository(size.name, size.objects, size.refs)
		if err != nil {
			return nil, err
		}
		more, err := w.acts(size.name, dir, n)
		if rows = append(rows, more...); err != nil {
			return rows, err
		}
	}
	return rows, w.err
}

func show(rows []row) (missed bool) {
	out := json.NewEncoder(os.Stdout)
	t := tabwriter.NewWriter(os.Stderr, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "act\tmedian ms\tgit ms\tratio\tgoal\t")
	for _, r := range rows {
		_ = out.Encode(r)
		floor, goal, mark := "", fmt.Sprintf("%.0f ms", r.Goal), "ok"
		if r.Floor > 0 {
			floor, goal = fmt.Sprintf("%.2f\t%.2f", r.Floor, r.Ratio), fmt.Sprintf("%.0fx", r.Goal)
		} else {
			floor = "\t"
		}
		if !r.OK {
			missed, mark = true, "MISSED"
		}
		fmt.Fprintf(t, "%s\t%.2f\t%s\t%s\t%s\n", r.Act, r.Median, floor, goal, mark)
	}
	_ = t.Flush()
	return missed
}

// median of the durations, in milliseconds.
func median(d []time.Duration) float64 {
	slices.Sort(d)
	return float64(d[len(d)/2].Microseconds()) / 1000
}
