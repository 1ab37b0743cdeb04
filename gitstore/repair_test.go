package gitstore_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/storetest"
	"github.com/git-sage/git-sage/internal/hint"
)

// hurt is a repository in which a ref is empty, another is gone, a text is gone,
// one is damaged, and a torn file lies beside git.
func hurt(t *testing.T) (w *storetest.World, want string) {
	w = storetest.New(t)
	w.Repo("r")
	s := open(t, w, "r")
	one, two := save(t, s, "one"), save(t, s, "two")
	save(t, s, "three")
	if _, err := s.Lines.Switch(ctx, "other", true, ""); err != nil {
		t.Fatal(err)
	}
	save(t, s, "elsewhere")
	want = oursIn(w, "r")
	w.Write("r/.git/refs/sage/heads/main", "")
	w.Git("r", "update-ref", "-d", "refs/sage/heads/other")
	lose(w, w.Git("r", "rev-parse", one.ID+":checkpoint.md"))
	blob := w.Git("r", "rev-parse", two.ID+":checkpoint.md")
	lose(w, blob)
	w.Write("r/.git/objects/"+blob[:2]+"/"+blob[2:], "rubbish")
	w.Write("r/.git/sage/own", one.ID+"\nrubbish\n")
	return w, want
}

// oursIn are our refs in a repository but what repairs keep, and their values.
func oursIn(w *storetest.World, dir string) string {
	return w.Git(dir, "for-each-ref", "--format=%(refname) %(objectname)", "refs/sage/heads", "refs/sage/forks", "refs/sage/tags", "refs/sage/knowledge")
}

func broken(fs []gitstore.Finding) (out []string) {
	for _, f := range fs {
		if !f.Warning {
			out = append(out, f.String())
		}
	}
	return out
}

// Whatever file operation of a repair fails, alone or with all that follow, as
// when the process is killed, the next repair ends with everything whole; and one
// that says that all is well has left it so.
func TestRepairUnderFaults(t *testing.T) {
	w, want := hurt(t)
	total := tryRepair(t, w, "count", want, nil)
	points := 12
	if thorough {
		points = total
	}
	step := max(1, total/points)
	for _, mode := range []string{"once", "from then on"} {
		for at := 1; at <= total; at += step {
			tryRepair(t, w, mode, want, func(n int) bool { return n == at || mode != "once" && n > at })
			if t.Failed() {
				t.Fatalf("operation %d of %d failed, %s", at, total, mode)
			}
		}
	}
}

// tryRepair repairs a copy of r while fails says which operations fail, then once
// more, and returns how many operations there were.
func tryRepair(t *testing.T, w *storetest.World, name, want string, fails func(n int) bool) int {
	t.Helper()
	if err := os.RemoveAll(w.Path("copy")); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(w.Path("copy"), os.DirFS(w.Path("r"))); err != nil {
		t.Fatal(err)
	}
	s := open(t, w, "copy")
	var n atomic.Int64
	restore := fsx.Inject(func(op fsx.Op, _ string) error {
		if op.Changes() && fails != nil && fails(int(n.Add(1))) {
			return syscall.EIO
		}
		if op.Changes() && fails == nil {
			n.Add(1)
		}
		return nil
	})
	got, err := s.Fsck.Repair(ctx, gitstore.RepairRequest{})
	restore()
	if err == nil && len(got.Not) == 0 && len(broken(got.Left)) == 0 && oursIn(w, "copy") != want {
		t.Errorf("%s: said that all is well", name)
	}
	s = open(t, w, "copy")
	again, err := s.Fsck.Repair(ctx, gitstore.RepairRequest{})
	if err != nil || len(again.Not) > 0 || len(broken(again.Left)) > 0 {
		t.Errorf("%s: the repair after it: %v %q %q", name, err, again.Not, broken(again.Left))
	}
	if diff := cmp.Diff(want, oursIn(w, "copy")); diff != "" {
		t.Errorf("%s: refs (-want +got):\n%s", name, diff)
	}
	w.Git("copy", "fsck", "--full", "--strict")
	return int(n.Load())
}

// A repair that is taken back leaves what was found before, and every ref as it
// was, byte for byte; the journal misses again what it missed (case D50).
func TestUndoOfARepair(t *testing.T) {
	for name, harm := range map[string]func(w *storetest.World, two gitstore.Saved){
		"empty":   func(w *storetest.World, _ gitstore.Saved) { w.Write("r/.git/refs/sage/heads/main", "") },
		"garbage": func(w *storetest.World, _ gitstore.Saved) { w.Write("r/.git/refs/sage/heads/main", "x\n") },
		"empty beside a packed one": func(w *storetest.World, _ gitstore.Saved) {
			w.Git("r", "pack-refs", "--all")
			w.Write("r/.git/refs/sage/heads/main", "")
		},
		"deleted": func(w *storetest.World, _ gitstore.Saved) { w.Git("r", "update-ref", "-d", "refs/sage/heads/main") },
		"moved back": func(w *storetest.World, two gitstore.Saved) {
			w.Git("r", "update-ref", "refs/sage/heads/main", two.Parents[0])
		},
		"symbolic": func(w *storetest.World, _ gitstore.Saved) {
			w.Git("r", "symbolic-ref", "refs/sage/heads/main", "refs/heads/main")
		},
		"dangling": func(w *storetest.World, _ gitstore.Saved) {
			w.Git("r", "symbolic-ref", "refs/sage/heads/main", "refs/heads/none")
		},
		"a blob": func(w *storetest.World, _ gitstore.Saved) {
			w.Git("r", "update-ref", "refs/sage/heads/main", "HEAD:a.txt")
		},
		"no commit": func(w *storetest.World, two gitstore.Saved) {
			lose(w, two.ID)
			if err := os.RemoveAll(w.Path("r/.git/sage/backup.git")); err != nil {
				panic(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := storetest.New(t)
			w.Repo("r")
			s := open(t, w, "r")
			save(t, s, "one")
			two := save(t, s, "two")
			harm(w, two)
			before, refs := kindsOf(t, open(t, w, "r")), refFiles(t, w)
			var req gitstore.RepairRequest
			if name == "no commit" { // nobody but a person gives up what was saved
				got, err := open(t, w, "r").Fsck.Repair(ctx, req)
				if err != nil || len(got.Done) > 0 || len(broken(got.Left)) != 1 {
					t.Fatalf("repair: %v %+v", err, got)
				}
				req.Set = map[string]string{"main": two.Parents[0]}
			}
			got, err := open(t, w, "r").Fsck.Repair(ctx, req)
			if err != nil || len(got.Done) != 1 || len(broken(got.Left)) > 0 {
				t.Fatalf("repair: %v %+v", err, got)
			}
			if _, err := open(t, w, "r").Fsck.UndoRepair(ctx); err != nil {
				t.Fatalf("undo: %v", err)
			}
			if diff := cmp.Diff(before, kindsOf(t, open(t, w, "r"))); diff != "" {
				t.Errorf("found (-before +after):\n%s", diff)
			}
			if diff := cmp.Diff(refs, refFiles(t, w)); diff != "" {
				t.Errorf("refs (-before +after):\n%s", diff)
			}
			if _, err := open(t, w, "r").Fsck.UndoRepair(ctx); !errors.Is(err, gitstore.ErrNothing) {
				t.Errorf("undo twice: %v", err)
			}
		})
	}
}

// refFiles are the files of our refs but those that repairs keep.
func refFiles(t *testing.T, w *storetest.World) map[string]string {
	t.Helper()
	out := map[string]string{}
	root := w.Path("r/.git/refs/sage/heads")
	files, err := filepath.Glob(root + "/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		out[filepath.Base(f)] = string(b)
	}
	return out
}

// Where the journal and the log of a ref disagree, and neither contains the other,
// nothing is changed before a person chose.
func TestRepairNeverGuesses(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	s := open(t, w, "r")
	one, two := save(t, s, "one"), save(t, s, "two")
	if _, err := s.Lines.Switch(ctx, "other", true, one.ID); err != nil {
		t.Fatal(err)
	}
	beside := save(t, s, "beside")
	log := w.Path("r/.git/logs/refs/sage/heads/main")
	b, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	forged := two.ID + " " + beside.ID + " Ann <ann@example.com> 1767323045 +0000\tby hand\n"
	w.Write("r/.git/logs/refs/sage/heads/main", string(b)+forged)
	w.Write("r/.git/refs/sage/heads/main", "")
	got, err := open(t, w, "r").Fsck.Repair(ctx, gitstore.RepairRequest{})
	if err != nil || len(got.Done) > 0 {
		t.Fatalf("%v %+v", err, got)
	}
	for _, id := range []string{two.ID, beside.ID} {
		if !slices.ContainsFunc(got.Left, func(f gitstore.Finding) bool {
			return strings.Contains(hint.Cure(f.Cure), "--repair --set main="+id[:8])
		}) {
			t.Errorf("no word of %s: %v", id[:8], got.Left)
		}
	}
	_, err = open(t, w, "r").Fsck.Repair(ctx, gitstore.RepairRequest{Set: map[string]string{"main": one.ID}})
	if err == nil {
		t.Error("set to what is not among the choices")
	}
	got, err = open(t, w, "r").Fsck.Repair(ctx, gitstore.RepairRequest{Set: map[string]string{"main": beside.ID}})
	if err != nil || len(broken(got.Left)) > 0 || w.Git("r", "rev-parse", "refs/sage/heads/main") != beside.ID {
		t.Errorf("%v %+v", err, got)
	}
}

// A repair is done once: after it there is nothing to do, and nothing is written
// (case D57).
func TestRepairTwiceIsOnce(t *testing.T) {
	w, want := hurt(t)
	if got, err := open(t, w, "r").Fsck.Repair(ctx, gitstore.RepairRequest{}); err != nil || len(got.Done) != 3 {
		t.Fatalf("%v %+v", err, got)
	}
	got, err := open(t, w, "r").Fsck.Repair(ctx, gitstore.RepairRequest{})
	if err != nil || len(got.Done) > 0 || got.Kept != "" || len(got.Left) > 0 {
		t.Errorf("again: %v %+v", err, got)
	}
	if diff := cmp.Diff(want, oursIn(w, "r")); diff != "" {
		t.Error(diff)
	}
}

// A repair looks twice: at what there is, and again when no other of us writes. If
// git fails at the second look nothing is changed, and it says so.
func TestRepairWhoseSecondLookFails(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	save(t, open(t, w, "r"), "one")
	want := oursIn(w, "r")
	w.Git("r", "update-ref", "-d", "refs/sage/heads/main")
	g := w.FaultyGit()
	if _, err := open(t, w, "r").Fsck.Repair(ctx, gitstore.RepairRequest{DryRun: true}); err != nil {
		t.Fatal(err)
	}
	one, failed := len(g.Calls()), 0
	for k := one - 1; k <= one+2; k++ { // git's configuration may be known already
		g.Call(k, storetest.Fail)
		got, err := open(t, w, "r").Fsck.Repair(ctx, gitstore.RepairRequest{})
		g.Heal()
		if err == nil {
			w.Git("r", "update-ref", "-d", "refs/sage/heads/main")
			continue
		}
		failed++
		if !strings.HasPrefix(err.Error(), "list refs: ") || strings.Contains(err.Error(), "\n") || got.Kept != "" {
			t.Errorf("call %d: %+v %v", k, got, err)
		}
		if now := oursIn(w, "r"); now != "" {
			t.Errorf("it changed refs: %s", now)
		}
	}
	if failed == 0 {
		t.Error("no second look was met")
	}
	if _, err := open(t, w, "r").Fsck.Repair(ctx, gitstore.RepairRequest{}); err != nil || oursIn(w, "r") != want {
		t.Errorf("and then: %v", err)
	}
}

// The repair before the last is not taken back because the record of the last one
// cannot be read.
func TestUndoDoesNotPassOverARecord(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	s := open(t, w, "r")
	save(t, s, "one")
	for range 2 {
		w.Git("r", "update-ref", "-d", "refs/sage/heads/main")
		if got, err := open(t, w, "r").Fsck.Repair(ctx, gitstore.RepairRequest{}); err != nil || len(got.Done) == 0 {
			t.Fatalf("%+v %v", got, err)
		}
	}
	want := oursIn(w, "r")
	record := w.Path("r/.git/sage/repairs/2/record.json")
	whole, err := os.ReadFile(record)
	if err != nil {
		t.Fatal(err)
	}
	refused := func(what string) {
		t.Helper()
		_, err := open(t, w, "r").Fsck.UndoRepair(ctx)
		if err == nil || strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), "repair 2") || !strings.Contains(err.Error(), "repairs/2") {
			t.Errorf("%s: %v", what, err)
		}
		if now := oursIn(w, "r"); now != want {
			t.Errorf("%s: it changed refs: %s", what, now)
		}
	}
	w.Write("r/.git/sage/repairs/2/record.json", "{")
	refused("torn")
	w.Write("r/.git/sage/repairs/2/record.json", string(whole))
	restore := fsx.Inject(func(op fsx.Op, path string) error {
		if op == fsx.OpOpen && path == record {
			return syscall.EIO
		}
		return nil
	})
	refused("unreadable")
	restore()
	if got, err := open(t, w, "r").Fsck.UndoRepair(ctx); err != nil || len(got.Done) == 0 || oursIn(w, "r") != "" {
		t.Errorf("%+v %v", got, err)
	}
}
