//go:build linux

package main

import (
	"fmt"
	"os"
	"strings"
)

// An act is a command that writes, what must be there before it, and what must
// be so once it was acknowledged.
type act struct {
	name  string
	setup func(*repo) error
	args  func(*repo) []string
	saves bool                     // it prints the id of a new checkpoint
	done  func(*repo) error        // nil: nothing but what the oracle asks
	gone  func(*repo, string) bool // an acknowledged id may be gone, because that is what the act is for
}

func plainly(args ...string) func(*repo) []string {
	return func(*repo) []string { return args }
}

var acts = []act{
	{name: "save", saves: true, args: save()},
	{name: "save: the first", saves: true, args: save("--session", "5f0c3a52"), setup: func(r *repo) error {
		r.acked = map[string]string{}
		return r.sh("rm -rf .git/sage .git/logs/refs/sage .git/refs/sage")
	}},
	{name: "save: in a session", saves: true, args: save("--session", "5f0c3a52"), setup: func(r *repo) error {
		_, err := r.save("--session", "5f0c3a52")
		return err
	}},
	{name: "save: a fork", saves: true, args: save("--session", "5f0c3a52"), setup: func(r *repo) error {
		if _, err := r.save("--session", "5f0c3a52"); err != nil {
			return err
		}
		_, err := r.save()
		return err
	}},
	{name: "save: packed refs", saves: true, args: save(), setup: func(r *repo) error {
		return r.sh("git -c core.hooksPath=/dev/null gc -q && test -f .git/packed-refs && ! test -f .git/refs/sage/heads/main")
	}},
	{name: "merge", args: plainly("merge", "other", "--thesis", "Both hold.", "-c", "0.6"), setup: line, done: func(r *repo) error {
		return r.sh("git merge-base --is-ancestor refs/sage/heads/other refs/sage/heads/main")
	}},
	{name: "merge: a fork", args: plainly("merge", "main/5f0c3a52", "--thesis", "Both hold.", "-c", "0.6"), setup: func(r *repo) error {
		if _, err := r.save("--session", "5f0c3a52"); err != nil {
			return err
		}
		if _, err := r.save(); err != nil {
			return err
		}
		_, err := r.save("--session", "5f0c3a52")
		return err
	}, done: func(r *repo) error {
		return r.sh("! git show-ref -q refs/sage/forks/main/5f0c3a52")
	}},
	{name: "rm", args: plainly("checkpoint", "rm", "@~1"), done: func(r *repo) error {
		return r.hidden(1)
	}},
	{name: "prune", args: plainly("checkpoint", "prune", "--keep", "1", "--yes"), done: func(r *repo) error {
		return r.hidden(2)
	}},
	{name: "restore", args: plainly("checkpoint", "restore", "@~1")},
	{name: "tag", args: plainly("tag", "kept", "@~1"), done: func(r *repo) error { return r.sh("git rev-parse -q --verify refs/sage/tags/kept") }},
	{name: "branch", args: plainly("branch", "fresh"), done: func(r *repo) error { return r.sh("git rev-parse -q --verify refs/sage/heads/fresh") }},
	{name: "branch: rename", args: plainly("branch", "-m", "other", "named"), setup: line, done: func(r *repo) error {
		return r.sh("git rev-parse -q --verify refs/sage/heads/named")
	}},
	{name: "branch: delete", args: plainly("branch", "-d", "other"), setup: line},
	{name: "switch", args: plainly("switch", "-c", "fresh"), done: func(r *repo) error { return r.sh("git rev-parse -q --verify refs/sage/heads/fresh") }},
	{name: "templates add", args: plainly("templates", "add", "form.yaml"), setup: func(r *repo) error {
		return r.write("form.yaml", form)
	}, done: func(r *repo) error { return r.sh("git cat-file -e refs/sage/knowledge:templates/form.yaml") }},
	{name: "maintenance", args: plainly("admin", "maintenance")},
	{name: "init", args: plainly("init"), setup: func(r *repo) error { return r.sh("rm -rf .git/sage/id .git/sage/cache") }},
}

// form is a template of checkpoints.
const form = "name: form\ndescription: a form\nfields:\n  - name: risk\n    required: true\nformat: |\n  {{ thesis }}\n"

func save(args ...string) func(*repo) []string {
	return func(r *repo) []string { return r.saving("Thought under test.", args...)[1:] }
}

// line makes a second line with a thought of its own.
func line(r *repo) error {
	if _, err := r.save("--line", "other"); err != nil {
		return err
	}
	_, err := r.save()
	return err
}

// sh runs a line of shell in the repository.
func (r *repo) sh(line string) error {
	o, err := r.b.exec(r.dir, "", r.env, "sh", "-c", line)
	if err == nil && o.code != 0 {
		err = fmt.Errorf("'%s': exit status %d: %s", line, o.code, strings.TrimSpace(o.errs))
	}
	return err
}

// hidden makes sure that so many checkpoints are listed no more.
func (r *repo) hidden(n int) error {
	out, err := r.b.sage(r.dir, "log", "--all", "--json")
	if err != nil {
		return err
	}
	if got := len(r.acked) - len(strings.Split(out, "\n")); got != n {
		return fmt.Errorf("%d checkpoints are hidden, want %d", got, n)
	}
	return nil
}

func (r *repo) write(name, text string) error {
	return os.WriteFile(r.path(name), []byte(text), 0o644)
}
