package gitstore_test

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

// In whatever order harm is done, repaired, taken back, chosen and accepted: every
// error is one line, no commit that was acknowledged leaves the store, taking a repair
// back gives the refs from before it, byte for byte, and in the end saves go on (case D50).
func TestRepairInAnyOrder(t *testing.T) {
	runs := "6"
	if thorough {
		runs = "300"
	}
	before := flag.Lookup("rapid.checks").Value.String()
	if !slices.ContainsFunc(os.Args, func(a string) bool { return strings.HasPrefix(a, "-rapid.checks") }) {
		_ = flag.Set("rapid.checks", runs) // each runs a hundred gits
	}
	defer func() { _ = flag.Set("rapid.checks", before) }()
	w := storetest.New(t)
	w.Repo("r")
	s := open(t, w, "r")
	saved := map[string][]string{}
	for _, text := range []string{"one", "two", "three"} {
		saved["main"] = append(saved["main"], save(t, s, text).ID)
	}
	if _, err := s.Lines.Switch(ctx, "b", true, ""); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"four", "five"} {
		saved["b"] = append(saved["b"], save(t, s, text).ID)
	}
	_ = s.Close()
	n := 0
	rapid.Check(t, func(r *rapid.T) {
		n++
		dir := fmt.Sprintf("copy%d", n)
		if err := os.CopyFS(w.Path(dir), os.DirFS(w.Path("r"))); err != nil {
			r.Fatal(err)
		}
		defer os.RemoveAll(w.Path(dir))
		o := &orders{T: r, t: t, w: w, dir: dir, saved: map[string][]string{"main": slices.Clone(saved["main"]), "b": slices.Clone(saved["b"])}, gone: map[string]bool{}}
		defer func() { o.close() }()
		for range rapid.IntRange(2, 8).Draw(r, "steps") {
			o.step()
		}
		o.end()
	})
}

// orders is one run.
type orders struct {
	*rapid.T
	t     *testing.T
	w     *storetest.World
	dir   string
	saved map[string][]string // acknowledged, by line
	gone  map[string]bool     // objects that were taken away
	last  *gitstore.Store
}

func (o *orders) step() {
	line := rapid.SampledFrom([]string{"main", "b"}).Draw(o.T, "line")
	ids := o.saved[line]
	some := rapid.SampledFrom(ids).Draw(o.T, "id")
	ref := "refs/sage/heads/" + line
	file := o.w.Path(o.dir, ".git", filepath.FromSlash(ref))
	switch act := rapid.SampledFrom([]string{"back", "delete", "zero", "tear", "lose", "repair", "repair", "undo", "repair and undo", "set", "accept", "save"}).Draw(o.T, "act"); act {
	case "back":
		_, _ = o.w.TryGit(o.dir, "update-ref", ref, some)
	case "delete":
		_, _ = o.w.TryGit(o.dir, "update-ref", "-d", ref)
	case "zero":
		o.w.Write(filepath.Join(o.dir, ".git", ref), "")
	case "tear":
		journal := o.w.Path(o.dir, ".git/sage/journal")
		if b, err := os.ReadFile(journal); err == nil {
			o.w.Write(filepath.Join(o.dir, ".git/sage/journal"), string(b[:rapid.IntRange(0, len(b)).Draw(o.T, "kept")]))
		}
	case "lose":
		o.gone[some] = true
		_ = os.Remove(o.w.Path(o.dir, ".git/objects", some[:2], some[2:]))
	case "save":
		if id := o.save(line, "step"); id != "" {
			o.saved[line] = append(o.saved[line], id)
		}
	case "repair and undo":
		before := o.refs()
		s := o.open()
		got, err := s.Fsck.Repair(ctx, gitstore.RepairRequest{})
		o.oneLine(act, err)
		if err == nil && got.Kept != "" {
			_, err = s.Fsck.UndoRepair(ctx)
			o.oneLine(act, err)
			if after := o.refs(); err == nil && after != before {
				o.Fatalf("taken back, and yet\n%s\nwas\n%s\ndone %q not %q", after, before, got.Done, got.Not)
			}
		}
	default:
		o.oneLine(act+" of "+file, o.act(act, line, some))
	}
	o.check()
}

func (o *orders) act(act, line, id string) error {
	s := o.open()
	var err error
	switch act {
	case "repair":
		_, err = s.Fsck.Repair(ctx, gitstore.RepairRequest{})
	case "undo":
		_, err = s.Fsck.UndoRepair(ctx)
	case "set":
		_, err = s.Fsck.Repair(ctx, gitstore.RepairRequest{Set: map[string]string{line: id}})
	case "accept":
		_, err = s.Fsck.Accept(ctx, line)
	}
	return err
}

// save saves on a line, and returns the id, "" if it was refused.
func (o *orders) save(line, text string) string {
	s := o.open()
	_, err := s.Lines.Switch(ctx, line, false, "")
	if errors.Is(err, gitstore.ErrNotFound) { // nothing here knows of it any more
		_, err = s.Lines.Switch(ctx, line, true, "")
	}
	if err != nil {
		o.oneLine("switch", err)
		return ""
	}
	got, err := s.Checkpoints.Save(ctx, thesis(text))
	o.oneLine("save", err)
	return got.ID
}

// open opens the repository anew, as each command does.
func (o *orders) open() *gitstore.Store {
	o.close()
	o.last = open(o.t, o.w, o.dir)
	return o.last
}

func (o *orders) close() {
	if o.last != nil {
		_ = o.last.Close()
	}
}

func (o *orders) oneLine(what string, err error) {
	if err != nil && strings.Contains(err.Error(), "\n") {
		o.Fatalf("%s: more than a line: %q", what, err)
	}
}

// refs are the values of our lines, read from their files where they have one.
func (o *orders) refs() string {
	var b strings.Builder
	for _, line := range []string{"main", "b"} {
		held, err := os.ReadFile(o.w.Path(o.dir, ".git/refs/sage/heads", line))
		if errors.Is(err, os.ErrNotExist) {
			out, _ := o.w.TryGit(o.dir, "rev-parse", "-q", "--verify", "refs/sage/heads/"+line)
			held = []byte(out)
		}
		fmt.Fprintf(&b, "%s %q\n", line, strings.TrimSpace(string(held)))
	}
	return b.String()
}

// check looks whether all that was acknowledged is in the store.
func (o *orders) check() {
	for _, ids := range o.saved {
		for _, id := range ids {
			if _, err := o.w.TryGit(o.dir, "cat-file", "-e", id); err != nil && !o.gone[id] {
				o.Fatalf("%s is gone: %v", id, err)
			}
		}
	}
}

// end does all that is named until saves go on.
func (o *orders) end() {
	o.oneLine("repair", o.act("repair", "", ""))
	for line, ids := range o.saved {
		id := o.save(line, "end")
		if id == "" {
			o.oneLine("accept", o.act("accept", line, ""))
			id = o.save(line, "end")
		}
		for i := len(ids) - 1; i >= 0 && id == ""; i-- {
			o.oneLine("set", o.act("set", line, ids[i]))
			id = o.save(line, "end")
		}
		if id == "" {
			r, err := o.open().Fsck.Check(ctx)
			o.Fatalf("nothing can be saved on '%s': %v %v", line, r.Findings, err)
		}
	}
	o.check()
	if len(o.gone) == 0 {
		if out, err := o.w.TryGit(o.dir, "fsck", "--full", "--strict"); err != nil {
			o.Fatalf("git fsck: %v %s", err, out)
		}
	}
}
