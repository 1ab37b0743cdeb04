package fsx_test

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
)

// operations are what f does, in order.
func operations(t *testing.T, f func()) (ops []string) {
	t.Helper()
	restore := fsx.Inject(func(op fsx.Op, path string) error {
		if op.Changes() {
			ops = append(ops, string(op))
		}
		return nil
	})
	defer restore()
	f()
	return ops
}

// Content is on the disk before it has its name, and the name is after that. What
// can be made again waits for no disk.
func TestOrderOfWriting(t *testing.T) {
	name := filepath.Join(t.TempDir(), "f")
	for _, tt := range []struct {
		write func(string, []byte, fs.FileMode) error
		want  string
	}{
		{fsx.WriteFile, "create write chmod fsync close rename syncdir"},
		{fsx.WriteDerived, "create write chmod close rename"},
	} {
		got := operations(t, func() {
			if err := tt.write(name, []byte("x"), 0o644); err != nil {
				t.Error(err)
			}
		})
		if !slices.Equal(got, strings.Fields(tt.want)) {
			t.Errorf("got %v, want %s", got, tt.want)
		}
	}
}

// Who has a file open that is replaced goes on to read the old one, whole.
func TestReplaceWhileOpen(t *testing.T) {
	name := filepath.Join(t.TempDir(), "f")
	if err := fsx.WriteDerived(name, []byte("old content"), 0o644); err != nil {
		t.Fatal(err)
	}
	f, err := fsx.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := fsx.WriteDerived(name, []byte("new"), 0o644); err != nil {
		t.Fatal(err)
	}
	old, err := io.ReadAll(f)
	now, err2 := fsx.ReadFile(name)
	if string(old) != "old content" || string(now) != "new" || errors.Join(err, err2) != nil {
		t.Errorf("read %q, then %q (%v, %v)", old, now, err, err2)
	}
}

// What is not there needs no sync: git packed the ref that was there.
func TestSyncOfNothing(t *testing.T) {
	gone := filepath.Join(t.TempDir(), "gone")
	if err := errors.Join(fsx.SyncDir(gone), fsx.SyncFile(gone)); err != nil {
		t.Error(err)
	}
}

// Paths longer than Windows takes by itself.
func TestLongPath(t *testing.T) {
	name := filepath.Join(t.TempDir(), strings.Repeat("folder-of-fifty-characters-which-is-not-that-much/", 12), "f")
	if err := fsx.WriteFile(name, []byte("far"), 0o644); err != nil {
		t.Fatal(err)
	}
	if b, err := fsx.ReadFile(name); err != nil || string(b) != "far" {
		t.Errorf("%q %v", b, err)
	}
}

// A stranger may have put anything in the place of a file.
func TestReadRefuses(t *testing.T) {
	dir := t.TempDir()
	huge := filepath.Join(dir, "huge")
	if err := errors.Join(os.WriteFile(huge, nil, 0o666), os.Truncate(huge, 1<<40)); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{dir: "not a regular file", huge: "too large", filepath.Join(dir, "none"): "no such file"} {
		if b, err := fsx.ReadFile(name); err == nil || !strings.Contains(err.Error(), want) && !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %q %v, want %s", name, b, err, want)
		}
	}
}

func TestMkdirMeetsAFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "f")
	if err := os.WriteFile(name, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := fsx.WriteFile(filepath.Join(name, "below", "f"), nil, 0o644); err == nil {
		t.Error("wrote below a file")
	}
	if err := fsx.Mkdir(filepath.Join(name, "below")); err == nil {
		t.Error("made a folder below a file")
	}
}

// Who still writes when a repository was moved or deleted does not make it anew as empty
// folders, whichever way they write, also if it lies in a folder that is called as ours is.
func TestRepositoryThatIsGoneStaysGone(t *testing.T) {
	for _, place := range []string{"", "sage"} {
		root := filepath.Join(t.TempDir(), place)
		if err := os.MkdirAll(filepath.Join(root, "here", ".git"), 0o777); err != nil {
			t.Fatal(err)
		}
		for name, write := range map[string]func(file string) error{
			"WriteFile":    func(file string) error { return fsx.WriteFile(file, nil, 0o644) },
			"WriteDerived": func(file string) error { return fsx.WriteDerived(file, nil, 0o644) },
			"Append":       func(file string) error { _, err := fsx.Append(file, nil); return err },
			"TryLock":      func(file string) error { _, _, err := fsx.TryLock(t.Context(), file); return err },
			"Mkdir":        fsx.Mkdir,
		} {
			if err := write(filepath.Join(root, "gone", ".git", "sage", "cache", name)); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%s: %v", name, err)
			}
			if err := write(filepath.Join(root, "here", ".git", "sage", "cache", name)); err != nil {
				t.Errorf("%s where the repository is: %v", name, err)
			}
		}
		if _, err := os.Lstat(filepath.Join(root, "gone")); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("it is back: %v", err)
		}
	}
}

// A lock keeps others out, waits no longer than it is told, and is free behind
// Unlock.
func TestLockExcludes(t *testing.T) {
	name := filepath.Join(t.TempDir(), "lock")
	a, waited, err := fsx.TryLock(t.Context(), name)
	if err != nil || waited || a == nil {
		t.Fatal(a, waited, err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if b, waited, err := fsx.TryLock(ended, name); b != nil || !waited || err != nil {
		t.Errorf("a second lock: %v %v %v", b, waited, err)
	}
	a.Unlock()
	b, _, err := fsx.TryLock(t.Context(), name)
	if b == nil || err != nil {
		t.Errorf("behind unlock: %v %v", b, err)
	}
	b.Unlock()
	var none *fsx.Lock
	none.Unlock()
}

// Who has the lock and is stopped is waited for once, not by all for ever.
func TestQueuePassesAStoppedOne(t *testing.T) {
	name := filepath.Join(t.TempDir(), "lock")
	a, _, err := fsx.Queue(t.Context(), name, time.Hour)
	if a == nil || err != nil {
		t.Fatal(err)
	}
	defer a.Unlock()
	if b, waited, err := fsx.Queue(t.Context(), name, time.Millisecond); b != nil || !waited || err != nil {
		t.Errorf("queue: %v %v %v", b, waited, err)
	}
}

func TestAlive(t *testing.T) {
	if !fsx.Alive(os.Getpid()) {
		t.Error("this process is dead")
	}
	if fsx.Alive(1 << 30) {
		t.Error("a process that cannot be lives")
	}
}

// Who waits has the lock when it is free, one after another; who waited no longer leaves it
// to the others.
func TestLockIsHandedOn(t *testing.T) {
	name := filepath.Join(t.TempDir(), "lock")
	first, _, err := fsx.TryLock(t.Context(), name)
	if first == nil || err != nil {
		t.Fatal(err)
	}
	brief, cancel := context.WithCancel(t.Context())
	var gone, all sync.WaitGroup
	for range 20 { // more than may be left to wait for nobody
		gone.Go(func() {
			if l, _, err := fsx.TryLock(brief, name); l != nil || err != nil {
				t.Errorf("it was had: %v %v", l, err)
			}
		})
	}
	cancel()
	gone.Wait()
	var had atomic.Int32
	var busy atomic.Bool
	for range 5 {
		all.Go(func() {
			l, _, err := fsx.TryLock(t.Context(), name)
			if l == nil || err != nil {
				t.Errorf("not handed on: %v %v", l, err)
				return
			}
			if !busy.CompareAndSwap(false, true) {
				t.Error("two have it at once")
			}
			had.Add(1)
			busy.Store(false)
			l.Unlock()
		})
	}
	first.Unlock()
	all.Wait()
	if n := had.Load(); n != 5 {
		t.Errorf("%d had it", n)
	}
}
