//go:build linux

package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
)

// An act is a command that writes, what must be there before it, and what must
// be so once it was acknowledged.
type act struct {
	name  string
	setup func(*repo) error
	argv  func(*repo) []string
	ends  int                                     // with which status, undisturbed
	says  string                                  // what it prints then, where others end with that status too
	saves bool                                    // it prints the id of a new checkpoint
	alone bool                                    // and nobody else saves meanwhile: a ref is there then
	done  func(*repo) error                       // nil: nothing but what the oracle asks
	after func(a *act, r *repo, acked bool) error // what a user types behind it, or if it was cut short
}

func plainly(args ...string) func(*repo) []string {
	return func(r *repo) []string { return append([]string{r.b.bin}, args...) }
}

var acts = []act{
	{name: "save", saves: true, alone: true, argv: save()},
	{name: "save: the first", saves: true, alone: true, argv: save("--session", "5f0c3a52"), setup: func(r *repo) error {
		r.acked = map[string]string{}
		return r.sh("rm -rf .git/sage .git/logs/refs/sage .git/refs/sage")
	}},
	{name: "save: in a session", saves: true, alone: true, argv: save("--session", "5f0c3a52"), setup: func(r *repo) error {
		_, err := r.save("--session", "5f0c3a52")
		return err
	}},
	{name: "save: a fork", saves: true, alone: true, argv: save("--session", "5f0c3a52"), setup: func(r *repo) error {
		if _, err := r.save("--session", "5f0c3a52"); err != nil {
			return err
		}
		_, err := r.save()
		return err
	}},
	{name: "save: packed refs", saves: true, alone: true, argv: save(), setup: func(r *repo) error {
		return r.sh("git -c core.hooksPath=/dev/null gc -q && test -f .git/packed-refs && ! test -f .git/refs/sage/heads/main")
	}},
	{name: "save: four at once", saves: true, argv: func(r *repo) []string { return append(slices.Clone(together), r.saving(underTest)...) }},
	{name: "save: four in a row", saves: true, argv: func(r *repo) []string { return append(slices.Clone(inARow), r.saving(underTest)...) }},
	{name: "merge", argv: plainly("merge", "other", "--thesis", "Both hold.", "-c", "0.6"), setup: line, done: func(r *repo) error {
		return r.sh("git merge-base --is-ancestor refs/sage/heads/other refs/sage/heads/main")
	}},
	{name: "merge: a fork", argv: plainly("merge", "main/5f0c3a52", "--thesis", "Both hold.", "-c", "0.6"), setup: func(r *repo) error {
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
	{name: "rm", argv: plainly("checkpoint", "rm", "@~1"), done: func(r *repo) error {
		return r.hidden(1)
	}},
	{name: "prune", argv: plainly("checkpoint", "prune", "--keep", "1", "--yes"), done: func(r *repo) error {
		return r.hidden(2)
	}},
	{name: "restore", argv: plainly("checkpoint", "restore", "@~1")},
	{name: "tag", argv: plainly("tag", "kept", "@~1"), done: func(r *repo) error { return r.sh("git rev-parse -q --verify refs/sage/tags/kept") }},
	{name: "branch", argv: plainly("branch", "fresh"), done: func(r *repo) error { return r.sh("git rev-parse -q --verify refs/sage/heads/fresh") }},
	{name: "branch: rename", argv: plainly("branch", "-m", "other", "named"), setup: line, done: func(r *repo) error {
		return r.sh("git rev-parse -q --verify refs/sage/heads/named")
	}},
	{name: "branch: delete", argv: plainly("branch", "-d", "other"), setup: line},
	{name: "undo: a line", argv: plainly("undo", "--last"), setup: func(r *repo) error { return r.sh(r.b.bin + " branch fresh") }, done: func(r *repo) error {
		return r.sh("! git show-ref -q refs/sage/heads/fresh")
	}},
	{name: "undo: a rename", argv: plainly("undo", "--last"), setup: func(r *repo) error {
		if err := line(r); err != nil {
			return err
		}
		return r.sh(r.b.bin + " branch -m other named")
	}, done: func(r *repo) error { return r.sh("! git show-ref -q refs/sage/heads/named") }},
	{name: "switch", argv: plainly("switch", "-c", "fresh"), done: func(r *repo) error { return r.sh("git rev-parse -q --verify refs/sage/heads/fresh") }},
	{name: "templates add", argv: plainly("templates", "add", "form.yaml"), setup: func(r *repo) error {
		return r.write("form.yaml", form)
	}, done: func(r *repo) error { return r.sh("git cat-file -e refs/sage/knowledge:templates/form.yaml") }},
	{name: "maintenance", argv: plainly("admin", "maintenance")},
	{name: "merge: fetched", argv: plainly("merge", "--fetched"), setup: fetched, done: func(r *repo) error {
		return r.sh("git merge-base --is-ancestor refs/sage/remotes/peer/heads/main refs/sage/heads/main")
	}},
	{name: "repair", argv: plainly("fsck", "--repair"), setup: func(r *repo) error {
		if err := line(r); err != nil {
			return err
		}
		return r.sh("rm .git/refs/sage/heads/other")
	}, done: func(r *repo) error { return r.sh("git rev-parse -q --verify refs/sage/heads/other") }, after: again},
	{name: "repair: undo", argv: plainly("fsck", "--undo"), setup: func(r *repo) error {
		if err := line(r); err != nil {
			return err
		}
		return r.sh("rm .git/refs/sage/heads/other && '" + r.b.bin + "' fsck --repair && git rev-parse -q --verify refs/sage/heads/other")
	}, done: func(r *repo) error { return r.sh("! git rev-parse -q --verify refs/sage/heads/other") }, after: func(_ *act, r *repo, acked bool) error {
		if acked {
			return r.sh("'" + r.b.bin + "' fsck --repair || test $? = 1")
		}
		return r.sh("'" + r.b.bin + "' fsck --undo; '" + r.b.bin + "' fsck --repair || test $? = 1")
	}},
	{name: "doctor", argv: plainly("doctor")},
	{name: "purge: a text", argv: plainly("purge", "--match", secret, "--yes"), setup: planted, after: cleaned(false)},
	{name: "purge: a checkpoint", argv: purging, setup: planted, after: cleaned(true)},
	{name: "init", argv: plainly("init"), setup: func(r *repo) error { return r.sh("rm -rf .git/sage/id .git/sage/cache") }},
}

// underTest is what every checkpoint says that is saved while something fails.
const underTest = "Thought under test."

// inARow saves again and again.
var inARow = []string{"sh", "-c", `for n in 1 2 3 4; do "$@"; done`, "sh"}

// together saves from several processes at once, for nobody and for sessions.
var together = []string{"sh", "-c", `for s in "" "" 11111111 22222222; do "$@" ${s:+--session $s} & done; wait`, "sh"}

// form is a template of checkpoints.
const form = "name: form\ndescription: a form\nfields:\n  - name: risk\n    required: true\nformat: |\n  {{ thesis }}\n"

func save(args ...string) func(*repo) []string {
	return func(r *repo) []string { return r.saving(underTest, args...) }
}

// line makes a second line with a thought of its own.
func line(r *repo) error {
	if _, err := r.save("--line", "other"); err != nil {
		return err
	}
	_, err := r.save()
	return err
}

// fetched lets a clone and this repository both save, and fetches the clone's.
func fetched(r *repo) error {
	peer := r.dir + "-peer"
	defer os.RemoveAll(peer)
	c, err := r.copy(peer)
	if err != nil {
		return err
	}
	if _, err := c.save(); err != nil {
		return err
	}
	if _, err := r.save(); err != nil {
		return err
	}
	return r.sh("git -c core.hooksPath=/dev/null fetch -q " + peer + " '+refs/sage/heads/*:refs/sage/remotes/peer/heads/*'")
}

// again runs an act once more that was cut short.
func again(a *act, r *repo, acked bool) error {
	if acked {
		return nil
	}
	o, err := r.b.exec(r.dir, "", r.env, a.argv(r)...)
	if err == nil && o.code != 0 {
		err = fmt.Errorf("once more: %d %s", o.code, o.errs)
	}
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
