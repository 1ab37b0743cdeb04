package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// atLeast is how many safeguards there must be: a folder that was not found shows
// nothing.
const atLeast = 10

func main() {
	only := flag.String("only", "", "this safeguard alone")
	flag.Parse()
	if err := run(*only); err != nil {
		fmt.Fprintln(os.Stderr, "safeguards:", err)
		os.Exit(1)
	}
}

func run(only string) error {
	guards, err := readAll(filepath.Join("testdata", "safeguards"), only)
	if err != nil {
		return err
	}
	root, err := copySource()
	if err != nil {
		return err
	}
	defer os.RemoveAll(root)
	if err := untouched(root, guards); err != nil {
		return err
	}
	missed := 0
	for _, g := range guards {
		start := time.Now()
		how, err := g.try(root)
		if err != nil {
			missed++
			fmt.Printf("NOT CAUGHT  %s: %v\n", g.name, err)
			continue
		}
		fmt.Printf("caught  %s (%.0f s)\n    without it: %s\n    %s\n    %s\n", g.name, time.Since(start).Seconds(), g.what, g.check, how)
	}
	fmt.Printf("safeguards: %d taken out, %d caught\n", len(guards), len(guards)-missed)
	if missed > 0 {
		return errors.New("what keeps a memory safe can be taken out unnoticed")
	}
	return nil
}

func readAll(dir, only string) ([]guard, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.txt"))
	if err != nil {
		return nil, err
	}
	var out []guard
	for _, f := range files {
		g, err := readGuard(f)
		if err != nil {
			return nil, err
		}
		if only == "" || only == g.name {
			out = append(out, g)
		}
	}
	if len(out) == 0 || only == "" && len(out) < atLeast {
		return nil, fmt.Errorf("%d safeguards in %s, want %d", len(out), dir, atLeast)
	}
	return out, nil
}

// copySource copies what git knows or would add; git is asked in this folder.
func copySource() (string, error) {
	root, err := os.MkdirTemp("", "git-sage-safeguards-")
	if err != nil {
		return "", err
	}
	cmd := exec.Command("sh", "-c", `git ls-files -z --cached --others --exclude-standard --deduplicate | while IFS= read -r -d '' f; do test ! -f "$f" || printf '%s\0' "$f"; done | xargs -0 cp --parents -t "$0"`, root)
	cmd.Args[0] = "bash"
	cmd.Path, err = exec.LookPath("bash")
	if err != nil {
		return root, err
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		return root, fmt.Errorf("copy the source: %w: %s", err, out)
	}
	return root, nil
}

// untouched makes sure that every check passes as long as nothing is taken out.
func untouched(root string, guards []guard) error {
	done := map[string]bool{}
	for _, g := range guards {
		if done[g.check] {
			continue
		}
		done[g.check] = true
		if out, err := check(root, g.check); err != nil {
			return fmt.Errorf("'%s' fails though nothing was taken out: %w\n%s", g.check, err, tail(out))
		}
	}
	return nil
}

// try takes a safeguard out and returns the line by which its check notices.
func (g guard) try(root string) (how string, err error) {
	back, err := g.takeOut(root)
	defer func() { err = errors.Join(err, back()) }()
	if err != nil {
		return "", err
	}
	if out, err := shell(root, "go build ./..."); err != nil {
		return "", fmt.Errorf("without it nothing compiles: %s", tail(out))
	}
	out, failed := check(root, g.check)
	if failed == nil {
		return "", fmt.Errorf("'%s' passes without it", g.check)
	}
	for l := range strings.Lines(out) {
		if strings.Contains(l, g.says) {
			return short(l), nil
		}
	}
	return "", fmt.Errorf("'%s' fails, and says nothing of '%s': %s", g.check, g.says, tail(out))
}

// check runs a check with programs that were built from the source as it is.
func check(root, command string) (string, error) {
	if strings.HasPrefix(command, "bin/") {
		command = "make -s build bin/torture && " + command
	}
	return shell(root, command)
}

func shell(root, command string) (string, error) {
	cmd := exec.Command("sh", "-c", command)
	cmd.Dir = root
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// tail is the end of a long output.
func tail(out string) string {
	if len(out) > 2000 {
		out = "... " + out[len(out)-2000:]
	}
	return strings.TrimSpace(out)
}

// short cuts a line, of which the beginning tells enough.
func short(line string) string {
	if r := []rune(strings.TrimSpace(line)); len(r) > 200 {
		return string(r[:200]) + "…"
	}
	return strings.TrimSpace(line)
}
