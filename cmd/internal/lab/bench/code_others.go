package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/git-sage/git-sage/codeindex"
)

// native is T. Its program is built here, for which a C compiler is wanted.
func (w *world) native(c *codebase) (unit, error) {
	bin := filepath.Join(w.dir, "native")
	build := exec.Command("go", "-C", filepath.Join("cmd", "internal", "lab", "native"), "build", "-o", bin, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=1", "GOWORK=off")
	if out, err := build.CombinedOutput(); err != nil {
		said := strings.TrimSpace(string(out))
		return unit{}, fmt.Errorf("its program does not build: %w: %s", err, said[strings.LastIndexByte(said, '\n')+1:])
	}
	return unit{"T", func(int) time.Duration {
		cmd := exec.Command(bin)
		cmd.Dir, cmd.Env, cmd.Stdin = c.dir, w.env, strings.NewReader(strings.Join(c.files, "\n"))
		out, err := cmd.Output()
		w.failed(err)
		took, err := time.ParseDuration(strings.TrimSpace(string(out)))
		w.failed(err)
		return took
	}}, nil
}

// noGoal begins the goal of a row that has none.
const noGoal = "none"

// noted is the row of something without a goal: beside what others take.
func noted(act string, ours float64, of string, theirs float64, unit string) row {
	return row{Act: act, Median: ours, Unit: unit, Goal: noGoal + "; " + of, Allowed: theirs, Ratio: ours / theirs, OK: true}
}

// others times universal-ctags on the same files: it finds symbols, and no words.
func (w *world) others(c *codebase, n int) []row {
	bin, err := exec.LookPath("ctags")
	if err != nil {
		fmt.Fprintln(os.Stderr, "universal-ctags: not timed, there is no ctags")
		return nil
	}
	tags := filepath.Join(w.dir, "tags")
	run := command{dir: c.dir, stdin: strings.Join(c.files, "\n"), argv: [][]string{{bin, "--quiet", "--fields=+n", "-f", tags, "-L", "-"}}}
	var ours, theirs []time.Duration
	for i := range min(n, 3) + 1 {
		w.failed(w.forget(c))
		t, u := w.time(w.sage("index", "--no-embed").in(c.dir)), w.time(run)
		if i > 0 {
			ours, theirs = append(ours, t), append(theirs, u)
		}
	}
	var st codeindex.Status
	w.failed(w.codeIndex(c.dir, nil, func(x *codeindex.Index) (err error) {
		st, err = x.Status(context.Background(), "")
		return err
	}))
	found, err := countTags(tags)
	w.failed(err)
	if w.err != nil {
		return nil
	}
	return []row{
		noted("first index beside universal-ctags, "+c.name, median(ours), "ctags", median(theirs), ""),
		noted("symbols, "+c.name, float64(st.Symbols), "ctags", float64(found), "symbols"),
	}
}

// countTags counts the lines of a file of tags that are no comments.
func countTags(file string) (n int, err error) {
	f, err := os.Open(file)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	s := bufio.NewScanner(f)
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		if !strings.HasPrefix(s.Text(), "!") {
			n++
		}
	}
	return n, s.Err()
}

// zoekt times zoekt's index of trigrams on the same files, and a search in it.
func (w *world) zoekt(c *codebase, of string, n int) []row {
	bin, err := exec.LookPath("zoekt-git-index")
	search, err2 := exec.LookPath("zoekt")
	if err != nil || err2 != nil {
		fmt.Fprintln(os.Stderr, "zoekt: not timed, there is none; 'go install github.com/sourcegraph/zoekt/cmd/zoekt@latest' and .../zoekt-git-index where the proxy has it")
		return nil
	}
	dir := filepath.Join(w.dir, "zoekt")
	var ours, theirs []time.Duration
	for range min(n, 3) {
		w.failed(os.RemoveAll(dir))
		theirs = append(theirs, w.time(command{dir: c.dir, argv: [][]string{{bin, "-index", dir, c.dir}}}))
	}
	for range min(n, 3) {
		w.failed(w.forget(c))
		ours = append(ours, w.time(w.sage("index", "--no-embed").in(c.dir)))
	}
	rows := []row{noted("first index beside zoekt"+of, median(ours), "zoekt", median(theirs), "")}
	ours, theirs = nil, nil
	for i := range n {
		ours = append(ours, w.time(w.sage("grep", symbol(i)).in(c.dir)))
		theirs = append(theirs, w.time(command{dir: c.dir, argv: [][]string{{search, "-index_dir", dir, symbol(i)}}}))
	}
	return append(rows, noted("grep beside zoekt"+of, median(ours), "zoekt", median(theirs), ""))
}
