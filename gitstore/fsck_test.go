package gitstore_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/storetest"
	"github.com/git-sage/git-sage/internal/hint"
)

// kindsOf are the kinds of what fsck finds, sorted.
func kindsOf(t *testing.T, s *gitstore.Store) []string {
	t.Helper()
	found, err := s.Fsck.Findings(ctx)
	if err != nil {
		t.Fatal(err)
	}
	out := []string{}
	for _, f := range found {
		if strings.Contains(f.String(), "\n") {
			t.Errorf("more than one line: %q", f.String())
		}
		out = append(out, f.Kind)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Each fault is named, and what does not depend on it stays readable (case D46).
func TestFsckNamesFaults(t *testing.T) {
	for name, c := range map[string]struct {
		harm func(w *storetest.World, one, two gitstore.Saved)
		want string
		list string // what still is listed; "" where the line itself is hurt
	}{
		"healthy": {func(*storetest.World, gitstore.Saved, gitstore.Saved) {}, "", "two one"},
		"empty ref": {func(w *storetest.World, _, _ gitstore.Saved) {
			w.Write("r/.git/refs/sage/heads/broken", "")
		}, "empty-ref", "two one"},
		"symbolic ref": {func(w *storetest.World, _, _ gitstore.Saved) {
			w.Git("r", "symbolic-ref", "refs/sage/heads/sym", "refs/heads/main")
		}, "symbolic-ref", "two one"},
		"a tag object": {func(w *storetest.World, one, _ gitstore.Saved) {
			w.Git("r", "tag", "-a", "-m", "x", "t", one.ID)
			w.Git("r", "update-ref", "refs/sage/tags/t", "refs/tags/t")
		}, "bad-ref", "two one"},
		"a commit of the user's": {func(w *storetest.World, _, _ gitstore.Saved) {
			w.Git("r", "update-ref", "refs/sage/heads/mine", "HEAD")
		}, "bad-format", "two one"},
		"lost text": {func(w *storetest.World, one, _ gitstore.Saved) {
			lose(w, w.Git("r", "rev-parse", one.ID+":checkpoint.md"))
		}, "missing-object", "two one"},
		"lost commit": {func(w *storetest.World, one, _ gitstore.Saved) { lose(w, one.ID) }, "missing-object", ""},
		"bad name": {func(w *storetest.World, one, _ gitstore.Saved) {
			w.Git("r", "update-ref", "refs/sage/heads/Upper", one.ID)
		}, "bad-name", "two one"},
		"left lock": {func(w *storetest.World, _, _ gitstore.Saved) {
			w.Write("r/.git/refs/sage/heads/x.lock", "")
		}, "lock", "two one"},
		"path in the tree": {func(w *storetest.World, _, _ gitstore.Saved) {
			blob := w.Git("r", "hash-object", "-w", "a.txt")
			w.Write("tree", "120000 blob "+blob+"\tlink\n")
			w.Write("mk.sh", "git mktree < "+w.Path("tree"))
			w.Git("r", "-c", "alias.x=!sh "+w.Path("mk.sh")+" > "+w.Path("id"), "x")
			id, _ := os.ReadFile(w.Path("id"))
			c := w.Git("r", "commit-tree", "-m", "x\n\nSage-Format: 1\nSage-Kind: knowledge", strings.TrimSpace(string(id)))
			w.Git("r", "update-ref", "refs/sage/knowledge", c)
		}, "bad-path", "two one"},
		"orphan fork": {func(w *storetest.World, one, _ gitstore.Saved) {
			w.Git("r", "update-ref", "refs/sage/forks/gone/aaaaaaaa", one.ID)
		}, "orphan-fork", "two one"},
		"merged fork": {func(w *storetest.World, one, _ gitstore.Saved) {
			w.Git("r", "update-ref", "refs/sage/forks/main/aaaaaaaa", one.ID)
		}, "merged-fork", "two one"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := storetest.New(t)
			w.Repo("r")
			s := open(t, w, "r")
			one, two := save(t, s, "one"), save(t, s, "two")
			c.harm(w, one, two)
			s = open(t, w, "r")
			if got := strings.Join(kindsOf(t, s), " "); got != c.want {
				t.Errorf("found %q, want %q", got, c.want)
			}
			if c.list != "" {
				if got := strings.Join(subjects(t, s, gitstore.Query{}), " "); got != c.list {
					t.Errorf("listed %q, want %q", got, c.list)
				}
			}
		})
	}
}

func lose(w *storetest.World, id string) {
	_ = os.Remove(filepath.Join(w.Path("r/.git/objects"), id[:2], id[2:]))
}

// Case A9: an object that is there but empty is written again before it is acknowledged:
// git itself would take it for written.
func TestEmptyObjectIsReplaced(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	s := open(t, w, "r")
	one := save(t, s, "one")
	blob := w.Git("r", "rev-parse", one.ID+":checkpoint.md")
	file := filepath.Join(w.Path("r/.git/objects"), blob[:2], blob[2:])
	raw := w.Git("r", "cat-file", "blob", blob)
	if err := os.Chmod(file, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(file, 0); err != nil {
		t.Fatal(err)
	}
	c, err := s.Commits.Load(ctx, one.ID)
	if err == nil {
		t.Fatalf("an empty object was read: %+v", c)
	}
	again := open(t, w, "r")
	d := thesis("one")
	d.Checkpoint.Time = timeOf(t, s, one.ID)
	if _, err := again.Checkpoints.Save(ctx, d); err != nil {
		t.Fatal(err)
	}
	if got := w.Git("r", "cat-file", "blob", blob); got != raw {
		t.Errorf("the object is %q", got)
	}
}

func timeOf(t *testing.T, s *gitstore.Store, id string) time.Time {
	t.Helper()
	r, err := s.Commits.Record(ctx, id)
	if err != nil {
		t.Fatal(err)
	}
	return r.Time
}

// What lies on a line's ref but is no checkpoint is never continued: the user's
// own history would travel with the memory (cases D52 and D53).
func TestForeignTipIsRefused(t *testing.T) {
	for name, harm := range map[string]func(w *storetest.World){
		"symbolic ref": func(w *storetest.World) { w.Git("r", "symbolic-ref", "refs/sage/heads/main", "refs/heads/main") },
		"own commit":   func(w *storetest.World) { w.Git("r", "update-ref", "refs/sage/heads/main", "refs/heads/main") },
	} {
		t.Run(name, func(t *testing.T) {
			w := storetest.New(t)
			w.Repo("r")
			save(t, open(t, w, "r"), "one")
			harm(w)
			head := w.Git("r", "rev-parse", "refs/heads/main")
			s := open(t, w, "r")
			_, err := s.Checkpoints.Save(ctx, thesis("two"))
			if err == nil || !strings.Contains(hint.Error(err), "git sage fsck") {
				t.Errorf("save: %v", err)
			}
			if now := w.Git("r", "rev-parse", "refs/heads/main"); now != head {
				t.Error("the user's branch was moved")
			}
		})
	}
}

// A session whose last checkpoint is gone can still save, once nobody misses it.
func TestLostPosition(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	a := open(t, w, "r", session("aaaaaaaa-1"))
	save(t, a, "one")
	two := save(t, a, "two")
	w.Git("r", "update-ref", "refs/sage/heads/main", two.Parents[0])
	lose(w, two.ID)
	if _, err := open(t, w, "r", session("aaaaaaaa-1")).Checkpoints.Save(ctx, thesis("three")); !errors.As(err, new(*gitstore.LostError)) {
		t.Errorf("save onto a line that lost something: %v", err)
	}
	if err := os.Remove(w.Path("r/.git/sage/journal")); err != nil { // it knows nothing any more
		t.Fatal(err)
	}
	got := save(t, open(t, w, "r", session("aaaaaaaa-1")), "three")
	if got.Parents[0] != two.Parents[0] || len(got.Warnings) != 1 {
		t.Errorf("%+v", got)
	}
}
