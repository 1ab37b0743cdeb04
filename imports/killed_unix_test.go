//go:build unix

package imports_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/storetest"
	"github.com/git-sage/git-sage/imports"
)

// TestMain runs an import in place of the tests where a variable says so.
func TestMain(m *testing.M) {
	if os.Getenv("IMPORTS_RUN") == "" {
		os.Exit(m.Run())
	}
	open := func(global bool) (*gitstore.Store, error) {
		return gitstore.Open(ctx, gitstore.Options{Global: global, Home: filepath.Join(os.Getenv("HOME"), ".sage"), Env: os.Environ(), Now: storetest.Clock(), Person: true})
	}
	s, err := open(false)
	if err == nil {
		_, err = imports.Run(ctx, some(), imports.Target{Project: s, Own: func() (*gitstore.Store, error) { return open(true) }}, imports.Options{})
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// some are records of every kind, in more than one batch.
func some() (src source) {
	for i := range 620 {
		parent := ""
		if i > 0 {
			parent = fmt.Sprint("c", i-1)
		}
		src = append(src, checkpoint(fmt.Sprint("c", i), parent, i))
		if i%5 == 0 {
			it := item(fmt.Sprint("Item ", i), fmt.Sprint("text ", i))
			it.Own = i%2 == 0
			src = append(src, it)
		}
	}
	return append(src, imports.Record{Name: "a.go", Thing: imports.CoreFile{Path: "a.go", Summary: "first"}})
}

// TestKilledRunGoesOn kills an import before and behind each git that it starts, and has another
// one go on.
func TestKilledRunGoesOn(t *testing.T) {
	real, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	killed := 0
	for n := 1; ; n++ {
		if testing.Short() && n > 1 && n%3 > 0 {
			continue
		}
		for _, behind := range []bool{false, true} {
			w := newWorld(t)
			bin := t.TempDir()
			act := "kill -9 $PPID; exit 1"
			if behind {
				act = fmt.Sprintf("'%s' \"$@\"; kill -9 $PPID; exit 1", real)
			}
			script := fmt.Sprintf("#!/bin/sh\necho >> '%[1]s/calls'\nif [ $(wc -l < '%[1]s/calls') -eq %d ]; then %s; fi\nexec '%s' \"$@\"\n", bin, n, act, real)
			if err := os.WriteFile(filepath.Join(bin, "git"), []byte(script), 0o755); err != nil {
				t.Fatal(err)
			}
			exe, err := os.Executable()
			if err != nil {
				t.Fatal(err)
			}
			c := exec.Command(exe)
			c.Dir = w.Path("r")
			c.Env = append(slices.Clone(w.Env), "IMPORTS_RUN=1", "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
			out, err := c.CombinedOutput()
			calls, _ := os.ReadFile(filepath.Join(bin, "calls"))
			switch {
			case err == nil && len(calls) < n: // it starts no more than that
				if killed < 10 {
					t.Errorf("it was killed %d times only", killed)
				}
				return
			case err == nil: // that git ended with it
				continue
			}
			if !strings.Contains(err.Error(), "killed") {
				t.Fatalf("at %d: %v: %s", n, err, out)
			}
			killed++
			w.run(some(), imports.Options{})
			w.whole(n)
		}
	}
}

// whole holds that all of some is there, once.
func (w world) whole(n int) {
	w.t.Helper()
	list := w.log("main")
	for i, d := range list {
		if d != fmt.Sprint("thought c", i) {
			w.t.Fatalf("killed at %d: checkpoint %d is %s", n, i, d)
		}
	}
	s := w.open(false)
	core, err := s.Knowledge.CoreFiles(ctx)
	if len(list) != 620 || s.Knowledge.CountItems() != 62 || w.open(true).Knowledge.CountItems() != 62 || len(core) != 1 || err != nil {
		w.t.Errorf("killed at %d: %d checkpoints, %d items, %d core files, %v", n, len(list), s.Knowledge.CountItems(), len(core), err)
	}
	if rep, err := s.Fsck.Check(ctx); err != nil || len(rep.Findings) > 0 {
		w.t.Errorf("killed at %d: %+v, %v", n, rep.Findings, err)
	}
	want(w.t, w.run(some(), imports.Options{}), 0, len(some()), 0, 0)
}
