package codeindex_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/git-sage/git-sage/codeindex"
	"github.com/git-sage/git-sage/recall/index/disk"
)

// opened counts the files of an index that do opens.
func opened(do func()) int {
	var n atomic.Int32
	defer disk.Inject(func(op, path string) error {
		if op == "open" && filepath.Ext(path) == ".seg" {
			n.Add(1)
		}
		return nil
	})()
	do()
	return int(n.Load())
}

// What is kept open is what lies in the folder, whatever others do there.
func TestKept(t *testing.T) {
	w := newWorld(t, 3)
	kept := &codeindex.Kept{}
	dir := w.store.Repo.Dir("cache", "code")
	segments := func() []string {
		all, err := filepath.Glob(filepath.Join(dir, "*.seg"))
		if err != nil || len(all) == 0 {
			t.Fatalf("%q, %v", all, err)
		}
		return all
	}
	w.update(w.index())
	ask := func(name string) (out []string) {
		x := codeindex.Of(w.store, nil, nil, nil, kept)
		defer x.Close()
		return w.symbols(x, name)
	}
	for _, step := range []struct {
		name, find, want string
		do               func()
		opens            int
	}{
		{"the first call", "Do1", "pkg1/file.go:3 Do1", func() {}, 1},
		{"the next call", "Do2", "pkg2/file.go:3 Do2", func() {}, 0},
		{"a change that it indexes itself", "New", "new.go:3 New", func() { w.write("new.go", function("New")) }, 1},
		{"and the call behind it", "New", "new.go:3 New", func() {}, 0},
		{"what another process indexed", "Other", "other.go:3 Other", func() {
			w.write("other.go", function("Other"))
			w.update(w.index())
		}, 1},
		{"a file that is gone", "New", "", func() { _ = os.Remove(w.Path("r/new.go")) }, 0},
		{"what another process dropped", "Do1", "pkg1/file.go:3 Do1", func() {
			if _, err := w.index().GC(t.Context()); err != nil {
				t.Fatal(err)
			}
		}, 1},
		{"all of it purged", "Do1", "pkg1/file.go:3 Do1", func() { _ = os.RemoveAll(dir) }, 1},
		{"a file that is cut short while it is open", "Do1", "pkg1/file.go:3 Do1", func() { _ = os.Truncate(segments()[0], 1500) }, 2},
		{"another with its name", "Do1", "pkg1/file.go:3 Do1", func() {
			raw, err := os.ReadFile(segments()[0])
			if err == nil {
				err = os.WriteFile(filepath.Join(dir, "copy"), raw, 0o600)
			}
			if err != nil || os.Rename(filepath.Join(dir, "copy"), segments()[0]) != nil {
				t.Fatal(err)
			}
		}, 1},
	} {
		step.do()
		var got []string
		if n := opened(func() { got = ask(step.find) }); n != step.opens {
			t.Errorf("%s: %d segments were opened, want %d", step.name, n, step.opens)
		}
		if fmt.Sprint(got) != "["+step.want+"]" {
			t.Errorf("%s: found %q, want %q", step.name, got, step.want)
		}
	}
}

// Calls at once share what is open, while somebody else indexes anew and cleans up.
func TestKeptAtOnce(t *testing.T) {
	w := newWorld(t, 20)
	kept := &codeindex.Kept{}
	w.update(w.index())
	var callers sync.WaitGroup
	for range 4 {
		callers.Go(func() {
			for i := range 20 {
				x := codeindex.Of(w.store, nil, nil, nil, kept)
				list, err := x.Symbols(t.Context(), codeindex.Query{Text: fmt.Sprint("Do", i)})
				if err != nil || len(list) != 1 {
					t.Errorf("Do%d: %v, %v", i, list, err)
				}
				_ = x.Close()
			}
		})
	}
	callers.Go(func() {
		for range 5 {
			x := w.index()
			if _, err := x.Update(t.Context(), codeindex.UpdateRequest{Full: true}); err != nil {
				t.Error(err)
			}
			if _, err := x.GC(t.Context()); err != nil {
				t.Error(err)
			}
		}
	})
	callers.Wait()
}

// What is damaged is closed, and costs a search the time that it takes to begin anew.
func TestKeptDamage(t *testing.T) {
	w := newWorld(t, 3)
	kept := &codeindex.Kept{}
	w.update(w.index())
	for i := range 20 {
		all, err := filepath.Glob(filepath.Join(w.store.Repo.Dir("cache", "code"), "*.seg"))
		if err != nil || len(all) != 1 {
			t.Fatalf("%q, %v", all, err)
		}
		raw, err := os.ReadFile(all[0])
		if err == nil && i%2 == 0 {
			err = os.Truncate(all[0], int64(len(raw)/2))
		} else if err == nil { // the header is as it was
			err = os.WriteFile(all[0], append(raw[:1024:1024], make([]byte, len(raw)-1024)...), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		x := codeindex.Of(w.store, nil, nil, nil, kept)
		if r, err := x.Search(t.Context(), codeindex.Query{Text: "Do1"}); err != nil || len(r.Hits) == 0 {
			t.Errorf("%v, %v", r, err)
		}
		_ = x.Close()
	}
	maps, err := os.ReadFile("/proc/self/maps")
	if n := strings.Count(string(maps), w.store.Repo.Dir("cache", "code")); err == nil && n > 2 { // that of the update, and the last
		t.Errorf("%d files are open", n)
	}
}

// Of many folders the last few stay open.
func TestKeptAreFew(t *testing.T) {
	w := newWorld(t, 1)
	kept := &codeindex.Kept{}
	ask := func(dir string) int {
		return opened(func() {
			x := codeindex.Open(codeindex.Options{Git: w.store.Repo.Git, Top: w.store.Repo.Top(), Dir: dir, ID: "id", Kept: kept})
			defer x.Close()
			w.symbols(x, "Do0")
		})
	}
	var dirs []string
	for range 6 {
		dirs = append(dirs, t.TempDir())
		ask(dirs[len(dirs)-1])
	}
	slices.Reverse(dirs)
	for i, dir := range dirs {
		if n, want := ask(dir), i/4; n != want {
			t.Errorf("folder %d from the last: %d segments were opened, want %d", i, n, want)
		}
	}
}
