package gitstore_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

// watch calls f before every operation on a file, one at a time, until the test
// ends. Such tests do not run side by side: there is one injection for all.
func watch(t *testing.T, f func(op fsx.Op, path string) error) {
	t.Helper()
	var mu sync.Mutex
	t.Cleanup(fsx.Inject(func(op fsx.Op, path string) error {
		mu.Lock()
		defer mu.Unlock()
		return f(op, filepath.ToSlash(path))
	}))
}

// Cases A7, A16: the content of an object is synced before it gets its name, and
// the folder of the name before the save is acknowledged; so is the folder of the
// ref, which git does not sync.
func TestSaveSyncsInOrder(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	s := open(t, w, "r")
	save(t, s, "first")
	var did []string
	watch(t, func(op fsx.Op, path string) error {
		did = append(did, string(op)+" "+path)
		return nil
	})
	got := save(t, s, "second")
	named := 0
	for i, d := range did {
		name, ok := strings.CutPrefix(d, "rename ")
		if !ok || !strings.Contains(name, "/objects/") {
			continue
		}
		named++
		dir := filepath.ToSlash(filepath.Dir(name))
		if !slices.ContainsFunc(did[:i], func(d string) bool { return strings.HasPrefix(d, "fsync "+dir+"/tmp_obj_") }) {
			t.Errorf("%s got its name before it was synced", name)
		}
		if !slices.Contains(did[i:], "syncdir "+dir) {
			t.Errorf("the folder of %s was not synced", name)
		}
	}
	if named == 0 {
		t.Errorf("no object was named:\n%s", strings.Join(did, "\n"))
	}
	dir := filepath.ToSlash(w.Path("r/.git/", filepath.Dir(got.Ref)))
	for _, want := range []string{"syncdir " + filepath.ToSlash(w.Path("r/.git/objects")), "syncdir " + dir} {
		if !slices.Contains(did, want) {
			t.Errorf("no %s", want)
		}
	}
}

// object is the file of a loose object.
func object(w *storetest.World, id string) string {
	return w.Path("r/.git/objects", id[:2], id[2:])
}

// Case C31: what disappears between the move of the ref and the answer is written
// again: a gc looked before the ref moved.
func TestSaveReadsBack(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	s := open(t, w, "r")
	save(t, s, "first")
	var gone string
	watch(t, func(op fsx.Op, path string) error {
		if gone == "" && op == fsx.OpSyncDir && strings.HasSuffix(path, "refs/sage/heads") {
			gone = w.Git("r", "rev-parse", "refs/sage/heads/main:checkpoint.md")
			return os.Remove(object(w, gone))
		}
		return nil
	})
	save(t, s, "second")
	if gone == "" {
		t.Fatal("the folder of the ref was not synced, so that nothing was removed")
	}
	w.Git("r", "cat-file", "-e", gone)
}

// Case C31: a gc with --prune=now that runs may still remove what was there when
// the save looked, so that the save waits for its end.
func TestSaveWaitsForGC(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	s := open(t, w, "r")
	save(t, s, "first")
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	w.Write("r/.git/gc.pid", fmt.Sprintf("%d %s", os.Getpid(), host))
	var gone string
	looks := 0
	watch(t, func(op fsx.Op, path string) error {
		if op != fsx.OpOpen || !strings.HasSuffix(path, "/gc.pid") {
			return nil
		}
		if looks++; looks == 3 { // the gc ends, and has removed something just before
			gone = w.Git("r", "rev-parse", "refs/sage/heads/main:checkpoint.md")
			return errors.Join(os.Remove(object(w, gone)), os.Remove(w.Path("r/.git/gc.pid")))
		}
		return nil
	})
	save(t, s, "second")
	if gone == "" {
		t.Fatalf("gc.pid was looked at %d times, so that nobody waited", looks)
	}
	w.Git("r", "cat-file", "-e", gone)
}

// Case C33: content that lies there already, old and unreachable, is made young:
// a prune elsewhere takes the old away.
func TestOldObjectIsFreshened(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	s := open(t, w, "r")
	w.Write("text", "the same words\n")
	file := object(w, w.Git("r", "hash-object", "-w", w.Path("text")))
	month := time.Now().Add(-30 * 24 * time.Hour)
	if err := os.Chtimes(file, month, month); err != nil {
		t.Fatal(err)
	}
	if err := s.Tree.WriteFiles(ctx, "add words", map[string][]byte{"system/words.md": []byte("the same words\n")}); err != nil {
		t.Fatal(err)
	}
	st, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	if age := time.Since(st.ModTime()); age > time.Hour {
		t.Errorf("it still is %s old", age)
	}
}

// Case A16: a save whose sync fails is refused and taken back, wherever it fails.
func TestFailedSyncIsNoSave(t *testing.T) {
	for _, op := range []fsx.Op{fsx.OpSync, fsx.OpSyncDir} {
		w := storetest.New(t)
		w.Repo("r")
		s := open(t, w, "r")
		first := save(t, s, "first")
		for at := int32(1); ; at++ {
			var n atomic.Int32 // objects are synced side by side
			restore := fsx.Inject(func(o fsx.Op, path string) error {
				if o == op && !strings.Contains(filepath.ToSlash(path), "/.git/sage/") && n.Add(1) == at {
					return errors.New("input/output error")
				}
				return nil
			})
			_, err := s.Checkpoints.Save(ctx, thesis(fmt.Sprintf("second, try %d", at)))
			restore()
			if n.Load() < at {
				break
			}
			if err == nil {
				t.Errorf("%s %d failed, and the save was acknowledged", op, at)
			}
			if tip := w.Git("r", "rev-parse", "refs/sage/heads/main"); err != nil && tip != first.ID {
				t.Errorf("%s %d failed: %v, but the ref is %s", op, at, err, tip)
			}
			if at > 50 {
				t.Fatal("it syncs without end")
			}
		}
	}
}

// A line whose ref fell back behind what was acknowledged, or is gone, is not
// continued: what is missing has to be brought back first.
func TestLostRefStopsSaves(t *testing.T) {
	for _, tt := range []struct {
		name string
		take func(w *storetest.World, first string)
	}{
		{"set back", func(w *storetest.World, first string) { w.Git("r", "update-ref", "refs/sage/heads/main", first) }},
		{"deleted", func(w *storetest.World, _ string) { w.Git("r", "update-ref", "-d", "refs/sage/heads/main") }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := storetest.New(t)
			w.Repo("r")
			first := save(t, open(t, w, "r"), "first")
			second := save(t, open(t, w, "r"), "second")
			tt.take(w, first.ID)
			_, err := open(t, w, "r").Checkpoints.Save(ctx, thesis("third"))
			var lost *gitstore.LostError
			if !errors.As(err, &lost) || lost.Want != second.ID {
				t.Fatalf("save: %v, want that %s is lost", err, second.ID)
			}
			w.Git("r", "update-ref", "refs/sage/heads/main", second.ID)
			save(t, open(t, w, "r"), "third")
		})
	}
}

// Case A5: locks of other gits on what a save does not need do not keep it, and
// stay where they are.
func TestForeignLocksElsewhere(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	save(t, open(t, w, "r"), "first")
	locks := []string{"index.lock", "config.lock", "HEAD.lock", "refs/heads/main.lock", "refs/sage/heads/other.lock", "packed-refs.lock"}
	for _, l := range locks {
		w.Write(filepath.Join("r/.git", l), "")
	}
	save(t, open(t, w, "r"), "second")
	for _, l := range locks {
		if _, err := os.Stat(w.Path("r/.git", l)); err != nil {
			t.Errorf("a save removed what is not its own: %v", err)
		}
	}
}
