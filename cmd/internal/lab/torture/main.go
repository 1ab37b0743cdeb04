//go:build linux

package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/cmd/internal/lab/torture/tracer"
)

// The parts, in the order they run.
var parts = []struct {
	name string
	run  func(*bench) error
}{
	{"sweep", (*bench).sweep},
	{"errors", (*bench).errors},
	{"random", (*bench).random},
	{"disk", (*bench).disk},
	{"code", (*bench).code},
	{"power", (*bench).power},
}

func main() {
	if len(os.Args) > 2 && os.Args[1] == "trace" {
		os.Exit(trace(os.Args[2], os.Args[3:]))
	}
	if len(os.Args) > 2 && os.Args[1] == "exec" {
		fmt.Fprintln(os.Stderr, "exec:", tracer.Exec(os.Args[2:]))
		os.Exit(2)
	}
	bin := flag.String("bin", "bin/git-sage", "the program to torture")
	which := flag.String("parts", "sweep,errors,random,disk,code,power", "what to do, in a list with commas")
	share := flag.Int("every", 1, "take every n-th point")
	only := flag.String("act", "", "this act alone, or those that begin with it up to a colon: 'item:'")
	at := flag.String("at", "", "this point alone, as a failure names it: 'self:17'")
	rounds := flag.Int("rounds", 1000, "how often to kill at random")
	keep := flag.Bool("keep", false, "keep the repository of the first failure")
	flag.Parse()
	names := strings.Split(*which, ",")
	var b *bench
	var err error
	if slices.ContainsFunc(names, func(n string) bool { return n == "power" || n == "disk" || n == "code" }) {
		err = private()
	}
	if err == nil {
		b, err = newBench(*bin)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "torture:", err)
		os.Exit(2)
	}
	b.every, b.only, b.at, b.rounds, b.keep = *share, *only, *at, *rounds, *keep
	err = b.run(names)
	b.close()
	if err != nil {
		fmt.Fprintln(os.Stderr, "torture:", err)
		os.Exit(1)
	}
}

func (b *bench) run(names []string) error {
	for _, n := range names {
		if !slices.ContainsFunc(parts, func(p struct {
			name string
			run  func(*bench) error
		}) bool {
			return p.name == n
		}) {
			return fmt.Errorf("there is no part '%s'", n)
		}
	}
	for _, p := range parts {
		if slices.Contains(names, p.name) {
			if err := p.run(b); err != nil {
				_ = b.show()
				return fmt.Errorf("%s: %w", p.name, err)
			}
		}
	}
	return b.show()
}

// trace is this program as the tracer of one run: the plan is JSON, and the
// report goes to the file that TORTURE_REPORT names.
func trace(plan string, argv []string) int {
	var p tracer.Plan
	err := json.Unmarshal([]byte(plan), &p)
	if err == nil {
		var r tracer.Report
		if r, err = tracer.Run(p, []string{os.Args[0], "exec"}, argv); err == nil {
			var b []byte
			b, _ = json.Marshal(r)
			err = os.WriteFile(os.Getenv("TORTURE_REPORT"), b, 0o600)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "trace:", err)
		return 2
	}
	return 0
}
