package main

import (
	"fmt"
	"strconv"
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
	sage := func(args ...string) func(int) command {
		return func(int) command { return w.sage(args...).in(dir) }
	}
	log := func(n string) unit { return w.gitOnly(dir, "git log", "log", "-n", n, "refs/sage/heads/main") }
	begins := fmt.Sprintf(`{"hook_event_name":"SessionStart","source":"startup","session_id":"bench","cwd":%q}`, dir)
	least := w.gitAlone(dir)
	rows := []row{
		w.within("save, durable, "+name, n, w.thesis(dir), goal{{4, least}}),
		w.within("log -n 20, "+name, n, sage("log", "-n", "20"), goal{{3, log("20")}}),
		w.within("list of 1000, "+name, n, sage("checkpoint", "list", "--all", "-n", "1000"), goal{{3, log("1000")}}),
		w.within("show by prefix, "+name, n, sage("rev-parse", id[:9]), goal{{3, w.empty()}}),
		w.within("SessionStart hook, "+name, n, func(int) command { return w.sage("hook", "session-start").in(dir).reading(begins) }, goal{{3, least}}),
		w.stops(name, dir, n),
		w.compacts(name, dir, min(n, 11)),
	}
	return rows, w.err
}

// thesis saves a checkpoint, another each time.
func (w *world) thesis(dir string) func(i int) command {
	return func(i int) command {
		return w.sage("checkpoint", "save", "-m", fmt.Sprintf("thesis %d holds", i), "-c", "0.8").in(dir)
	}
}

// fill saves n checkpoints: one by our own save, the others as copies of it that conclude
// something else each. What an earlier run left there is enough.
func (w *world) fill(dir string, n int) error {
	if had, err := w.git(dir, "", "rev-list", "--count", "--glob=refs/sage/heads"); err == nil {
		if have, err := strconv.Atoi(had); err == nil && have >= n {
			return nil
		}
	}
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
	file, err := w.git(dir, "", "cat-file", "blob", tree+":checkpoint.md")
	if err != nil {
		return err
	}
	var b strings.Builder
	for i := range n {
		another := strings.NewReplacer("9 points", fmt.Sprintf("%d points", 10+i))
		message := another.Replace(message) + "\n"
		fmt.Fprintf(&b, "commit refs/sage/heads/main\ncommitter Bench <bench@example.com> %d +0000\ndata %d\n%s\n", 1800000000+i, len(message), message)
		if i == 0 {
			fmt.Fprintf(&b, "from %s\n", tip)
		}
		text := another.Replace(file) + "\n"
		fmt.Fprintf(&b, "M 100644 inline checkpoint.md\ndata %d\n%s\n", len(text), text)
	}
	_, err = w.git(dir, b.String(), "fast-import", "--quiet", "--force")
	return err
}
