package fsx_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
)

// without returns what takes a line out of a list.
func without(line string) func([]byte) []byte {
	return func(b []byte) []byte { return []byte(strings.ReplaceAll(string(b), line+"\n", "")) }
}

// killed is what a step panics with that the process is killed at.
type killed struct{}

// rewriteOrDie takes lines out of a list, up to where it is killed.
func rewriteOrDie(t *testing.T, name, gone string) {
	t.Helper()
	defer func() {
		if r := recover(); r != nil && r != (killed{}) {
			panic(r)
		}
	}()
	if err := fsx.Rewrite(name, time.Minute, without(gone)); err != nil {
		t.Error(err)
	}
}

// Killed at any step, a rewriter loses nothing that others appended before that step, and what
// it took out comes back for nobody who rewrites the list next.
func TestRewriteKilledAtAnyStep(t *testing.T) {
	for step := 1; ; step++ {
		name := filepath.Join(t.TempDir(), "list")
		if err := os.WriteFile(name, []byte("keep\ngone\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		var added []string
		n, ended := 0, false
		restore := fsx.Inject(func(op fsx.Op, _ string) error {
			if op == fsx.OpRead || ended { // to read what grows with every read would not end
				return nil
			}
			if n++; n > step {
				return nil
			}
			line := fmt.Sprint("added at ", n)
			f, err := os.OpenFile(name, os.O_APPEND|os.O_WRONLY, 0)
			if err == nil {
				_, err = f.WriteString(line + "\n")
				err = errors.Join(err, f.Close())
			}
			if err != nil {
				t.Error(err)
			}
			if added = append(added, line); n == step {
				panic(killed{})
			}
			return nil
		})
		rewriteOrDie(t, name, "gone")
		ended = true
		restore()
		if n < step { // no such step
			return
		}
		if err := fsx.Rewrite(name, time.Minute, without("gone")); err != nil {
			t.Error(err)
		}
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range append(added, "keep") {
			if !strings.Contains(string(b), line+"\n") {
				t.Errorf("killed at step %d: lost %q of %q", step, line, b)
			}
		}
		if strings.Contains(string(b), "gone") || fsx.There(fsx.OldName(name)) {
			t.Errorf("killed at step %d: left %q", step, b)
		}
	}
}

// What a full disk left of a line does not spoil the next one.
func TestAppendBehindHalfALine(t *testing.T) {
	name := filepath.Join(t.TempDir(), "list")
	restore := fsx.Inject(func(op fsx.Op, _ string) error {
		if op == fsx.OpWrite {
			return syscall.ENOSPC
		}
		return nil
	})
	_, err := fsx.Append(name, []byte("refused\n"))
	restore()
	if !errors.Is(err, syscall.ENOSPC) {
		t.Fatal(err)
	}
	for _, line := range []string{"one\n", "two\nthree\n"} {
		if _, err := fsx.Append(name, []byte(line)); err != nil {
			t.Fatal(err)
		}
	}
	b, err := os.ReadFile(name)
	if err != nil || string(b) != "refu\none\ntwo\nthree\n" {
		t.Errorf("%q, %v", b, err)
	}
}

// A line of which the system shows the beginning only, as one that crosses the end of a page, is
// read whole, and stays whole behind what a rewriter takes out.
func TestRewriteWaitsForALine(t *testing.T) {
	name := filepath.Join(t.TempDir(), "list")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString("gone\nbegun "); err != nil {
		t.Fatal(err)
	}
	opens := 0
	defer fsx.Inject(func(op fsx.Op, file string) (err error) {
		if op == fsx.OpOpen && file == name {
			if opens++; opens == 2 {
				_, err = f.WriteString("and ended\n")
			}
		}
		return err
	})()
	if err := fsx.Rewrite(name, time.Minute, without("gone")); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(name)
	if err != nil || string(b) != "begun and ended\n" {
		t.Errorf("%q, %v", b, err)
	}
}

// What was appended before a file is replaced stands in front of what came behind that: of lists
// where the last line of a key counts, the newest one does. Killed at any step, too.
func TestRewriteKeepsOrder(t *testing.T) {
	for step := 1; ; step++ {
		name := filepath.Join(t.TempDir(), "list")
		if err := os.WriteFile(name, []byte("gone\nkey 0\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		note := func(line string) {
			if _, err := fsx.Append(name, []byte(line+"\n")); err != nil {
				t.Error(err)
			}
		}
		n, swapped, inside := 0, false, false
		restore := fsx.Inject(func(op fsx.Op, file string) error {
			if inside {
				return nil
			}
			inside = true
			defer func() { inside = false }()
			if op == fsx.OpLink && file == fsx.OldName(name) { // it was read, and is not replaced yet
				note("key 1")
			}
			if op == fsx.OpSyncDir && !swapped { // it is replaced
				swapped = true
				note("key 2")
			}
			if n++; n == step && swapped {
				panic(killed{})
			}
			return nil
		})
		rewriteOrDie(t, name, "gone")
		restore()
		if err := fsx.Rewrite(name, time.Minute, without("none")); err != nil {
			t.Error(err)
		}
		b, err := os.ReadFile(name)
		if err != nil || string(b) != "key 0\nkey 1\nkey 2\n" {
			t.Errorf("killed at step %d: %q, %v", step, b, err)
		}
		if n < step {
			return
		}
	}
}

// Who comes while a file is being replaced appends to the new one, once.
func TestAppendWaitsForASwap(t *testing.T) {
	name := filepath.Join(t.TempDir(), "list")
	if err := os.WriteFile(name, []byte("gone\nkeep\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	var appending sync.WaitGroup
	var swapping atomic.Bool
	opened := make(chan bool, 8)
	defer fsx.Inject(func(op fsx.Op, file string) error {
		switch {
		case op == fsx.OpRename && swapping.CompareAndSwap(false, true):
			appending.Go(func() {
				if _, err := fsx.Append(name, []byte("added\n")); err != nil {
					t.Error(err)
				}
			})
			<-opened // the old one
		case op == fsx.OpLock && swapping.Load():
			opened <- true
		}
		return nil
	})()
	if err := fsx.Rewrite(name, time.Minute, without("gone")); err != nil {
		t.Fatal(err)
	}
	appending.Wait()
	b, err := os.ReadFile(name)
	if err != nil || string(b) != "keep\nadded\n" {
		t.Errorf("%q, %v", b, err)
	}
}

// Many append while others take lines out: each line that was appended is there.
func TestRewriteBesideAppends(t *testing.T) {
	name := filepath.Join(t.TempDir(), "list")
	if _, err := fsx.Append(name, []byte("first\n")); err != nil {
		t.Fatal(err)
	}
	const writers, lines = 4, 200
	var appending, rewriting sync.WaitGroup
	done := make(chan bool)
	for w := range 2 {
		rewriting.Go(func() {
			for i := 0; ; i++ {
				select {
				case <-done:
					return
				default:
				}
				mark := fmt.Sprintf("mark %d %d", w, i)
				if _, err := fsx.Append(name, []byte(mark+"\n")); err != nil {
					t.Error(err)
				}
				if err := fsx.Rewrite(name, time.Minute, without(mark)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for w := range writers {
		appending.Go(func() {
			for i := range lines {
				if _, err := fsx.Append(name, fmt.Appendf(nil, "%d %d\n", w, i)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	appending.Wait()
	close(done)
	rewriting.Wait()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for w := range writers {
		for i := range lines {
			if line := fmt.Sprintf("\n%d %d\n", w, i); !strings.Contains(string(b), line) {
				t.Errorf("lost%q", line)
			}
		}
	}
}
