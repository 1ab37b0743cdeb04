package main

import (
	"fmt"
	"strings"
)

// listed is how many checkpoints the timed line has.
const listed = 1000

// acts times what people and hooks do all day, in one repository.
func (w *world) acts(name, dir string, n int) ([]row, error) {
	if err := w.fill(dir, listed); err != nil {
		return nil, err
	}
	id, err := w.git(dir, "", "rev-parse", "refs/sage/heads/main")
	if err != nil {
		return nil, err
	}
	git := func(args ...string) func(int) command {
		return func(int) command { return command{dir: dir, argv: [][]string{append([]string{"git"}, args...)}} }
	}
	sage := func(args ...string) func(int) command {
		return func(int) command { return w.sage(args...).in(dir) }
	}
	old := id + "~1"
	if old, err = w.git(dir, "", "rev-parse", old); err != nil {
		return nil, err
	}
	rows := []row{
		w.beside("save, durable, "+name, 3, n,
			func(i int) command {
				return w.sage("checkpoint", "save", "-m", fmt.Sprintf("thesis %d holds", i), "-c", "0.8").in(dir)
			},
			func(i int) command { return floorOfSave(dir, id, old, i) }),
		w.beside("log -n 20, "+name, 3, n, sage("log", "-n", "20"), git("log", "-n", "20", "refs/sage/heads/main")),
		w.beside("list of 1000, "+name, 3, n, sage("checkpoint", "list", "--all", "-n", "1000"), git("log", "-n", "1000", "refs/sage/heads/main")),
		w.alone("show by prefix, "+name, 12, n, w.sage("rev-parse", id[:9]).in(dir)),
		w.alone("SessionStart hook, "+name, 15, n, w.sage("hook", "session-start").in(dir).reading(
			fmt.Sprintf(`{"hook_event_name":"SessionStart","source":"startup","session_id":"bench","cwd":%q}`, dir))),
		w.stops(name, dir, n),
		w.compacts(name, dir, min(n, 11)),
	}
	return rows, w.err
}

// floorOfSave is the least that git itself needs: look, and move the same sort
// of ref as durably.
func floorOfSave(dir, a, b string, i int) command {
	if i%2 == 0 {
		a, b = b, a
	}
	ref := "refs/sage/heads/floor"
	return command{dir: dir, argv: [][]string{
		{"git", "rev-parse", "--path-format=absolute", "--absolute-git-dir", "--git-common-dir", "--verify", "-q", "refs/sage/heads/main"},
		{"git", "-c", "core.fsync=reference", "update-ref", "--create-reflog", "-m", "floor", ref, a},
	}}
}

// fill saves n checkpoints: one by our own save,
// the others as copies of it, since only their number matters.
func (w *world) fill(dir string, n int) error {
	w.time(w.sage("checkpoint", "save", "--core-question", "which cache policy do we ship?", "-m", "ARC beats LRU on our traces by 9 points.", "-c", "0.7").in(dir))
	if w.err != nil {
		return w.err
	}
	raw, err := w.git(dir, "", "cat-file", "commit", "refs/sage/heads/main")
	if err != nil {
		return err
	}
	_, message, _ := strings.Cut(raw, "\n\n")
	tip, err := w.git(dir, "", "rev-parse", "refs/sage/heads/main")
	if err != nil {
		return err
	}
	tree, err := w.git(dir, "", "rev-parse", tip+"^{tree}")
	if err != nil {
		return err
	}
	blob, err := w.git(dir, "", "rev-parse", tree+":checkpoint.md")
	if err != nil {
		return err
	}
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "commit refs/sage/heads/main\ncommitter Bench <bench@example.com> %d +0000\ndata %d\n%s\n", 1800000000+i, len(message)+1, message+"\n")
		if i == 0 {
			fmt.Fprintf(&b, "from %s\n", tip)
		}
		fmt.Fprintf(&b, "M 100644 %s checkpoint.md\n\n", blob)
	}
	_, err = w.git(dir, b.String(), "fast-import", "--quiet", "--force")
	return err
}
