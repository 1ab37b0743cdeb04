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

	"github.com/git-sage/git-sage/recall/embed"
)

// A world is a folder with a HOME of its own, so that nobody's config is timed.
type world struct {
	bin, dir string
	env      []string
	made     string // where repositories of sizes are left; "" is nowhere
	err      error  // the first failure of a timed command
	model    *embed.Bert
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
	files, err := w.git(dir, "", "ls-files", "-z")
	if err != nil {
		return err
	}
	then := time.Now().Add(-time.Hour)
	for f := range strings.SplitSeq(strings.TrimRight(files, "\x00"), "\x00") {
		if err := os.Chtimes(filepath.Join(dir, f), time.Time{}, then); err != nil {
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
