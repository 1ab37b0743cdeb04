package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// A world is a folder with a HOME of its own, so that nobody's config is timed.
type world struct {
	bin, dir string
	env      []string
	made     string // where repositories of sizes are left; "" is nowhere
	err      error  // the first failure of a timed command
}

func newWorld(bin string) (*world, error) {
	bin, err := filepath.Abs(bin)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "git-sage-bench-")
	if err != nil {
		return nil, err
	}
	w := &world{bin: bin, dir: dir}
	for _, kv := range os.Environ() {
		if !strings.HasPrefix(kv, "GIT_") && !strings.HasPrefix(kv, "SAGE_") && !strings.HasPrefix(kv, "CLAUDE") {
			w.env = append(w.env, kv)
		}
	}
	w.env = append(w.env, "HOME="+dir, "GIT_CONFIG_NOSYSTEM=1")
	config := "[user]\n\tname = Bench\n\temail = bench@example.com\n[init]\n\tdefaultBranch = main\n[gc]\n\tauto = 0\n"
	return w, os.WriteFile(filepath.Join(dir, ".gitconfig"), []byte(config), 0o600)
}

func (w *world) close() { _ = os.RemoveAll(w.dir) }

// A command is one process, or several in a row that count as one.
type command struct {
	dir   string
	stdin string
	argv  [][]string
	env   []string // besides the world's
}

func (w *world) sage(args ...string) command {
	return command{dir: w.dir, argv: [][]string{append([]string{w.bin}, args...)}}
}

func (c command) in(dir string) command        { c.dir = dir; return c }
func (c command) reading(stdin string) command { c.stdin = stdin; return c }

func (w *world) time(c command) time.Duration {
	start := time.Now()
	for _, argv := range c.argv {
		cmd := exec.Command(argv[0], argv[1:]...)
		cmd.Dir, cmd.Env, cmd.Stdin = c.dir, append(w.env[:len(w.env):len(w.env)], c.env...), strings.NewReader(c.stdin)
		var errs bytes.Buffer
		cmd.Stdout, cmd.Stderr = io.Discard, &errs
		if err := cmd.Run(); err != nil && w.err == nil {
			w.err = fmt.Errorf("%s: %w: %s", strings.Join(argv, " "), err, errs.String())
		}
	}
	return time.Since(start)
}

// alone times c n times after one run to warm up.
func (w *world) alone(act string, goal float64, n int, c command) row {
	return w.each(act, goal, n, func(int) command { return c })
}

// each is alone for a command that is another each time.
func (w *world) each(act string, goal float64, n int, c func(i int) command) row {
	w.time(c(-1))
	var d []time.Duration
	for i := range n {
		d = append(d, w.time(c(i)))
	}
	r := row{Act: act, Median: median(d), Goal: goal}
	r.OK = r.Median <= goal
	return r
}

// beside times c and what git needs in turn, so that both see the same machine.
func (w *world) beside(act string, goal float64, n int, c, floor func(i int) command) row {
	w.time(c(-1))
	w.time(floor(-1))
	var ours, gits []time.Duration
	for i := range n {
		ours = append(ours, w.time(c(i)))
		gits = append(gits, w.time(floor(i)))
	}
	r := row{Act: act, Median: median(ours), Floor: median(gits), Goal: goal}
	r.Ratio = r.Median / r.Floor
	r.OK = r.Ratio <= goal
	return r
}

func (w *world) git(dir, stdin string, args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env, cmd.Stdin = dir, w.env, strings.NewReader(stdin)
	out, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("git %s: %w: %s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out)), nil
}

// repository makes one with so many objects, packed, and so many refs.
func (w *world) repository(name string, objects, refs int) (string, error) {
	dir := filepath.Join(w.dir, name)
	if _, err := w.git(w.dir, "", "init", "-q", name); err != nil {
		return "", err
	}
	cmd := exec.Command("git", "fast-import", "--quiet")
	cmd.Dir, cmd.Env = dir, w.env
	in, err := cmd.StdinPipe()
	if err != nil {
		return "", err
	}
	if err := cmd.Start(); err != nil {
		return "", err
	}
	feed(in, max(1, objects/3), refs)
	_ = in.Close()
	if err := cmd.Wait(); err != nil {
		return "", fmt.Errorf("git fast-import: %w", err)
	}
	if _, err = w.git(dir, "", "reset", "-q", "--hard", "main"); err != nil {
		return "", err
	}
	return dir, w.age(dir)
}

// age makes the files an hour old, as those of a repository that is worked in
// are older than its index.
func (w *world) age(dir string) error {
	files, err := filepath.Glob(filepath.Join(dir, "f*"))
	if err != nil {
		return err
	}
	for _, f := range files {
		if err := os.Chtimes(f, time.Time{}, time.Now().Add(-time.Hour)); err != nil {
			return err
		}
	}
	_, err = w.git(dir, "", "update-index", "-q", "--refresh")
	return err
}

// feed writes a history: three objects a commit, and refs spread over it.
func feed(to io.Writer, commits, refs int) {
	for i := range commits {
		text := fmt.Sprintf("line %d\n", i)
		fmt.Fprintf(to, "commit refs/heads/main\nmark :%d\ncommitter Bench <bench@example.com> %d +0000\ndata 2\nc\nM 100644 inline f%d\ndata %d\n%s\n", i+1, 1700000000+i, i%50, len(text), text)
	}
	for i := range refs {
		fmt.Fprintf(to, "reset refs/tags/t%d\nfrom :%d\n\n", i, i*commits/refs+1)
	}
}
