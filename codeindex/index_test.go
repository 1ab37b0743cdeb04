package codeindex_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/git-sage/git-sage/codeindex"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/storetest"
	"github.com/git-sage/git-sage/recall/index/disk"
)

// A world is a repository with code.
type world struct {
	*storetest.World
	t     *testing.T
	store *gitstore.Store
}

func newWorld(t *testing.T, files int) *world {
	t.Helper()
	w := &world{World: storetest.New(t), t: t}
	w.Repo("r")
	for i := range files {
		w.write(fmt.Sprintf("pkg%d/file.go", i), function(fmt.Sprint("Do", i)))
	}
	w.commit("first")
	w.store = w.open("r")
	return w
}

func (w *world) open(dir string) *gitstore.Store {
	w.t.Helper()
	s, err := gitstore.Open(w.t.Context(), gitstore.Options{Dir: w.Path(dir), Home: w.Home, Env: w.Env})
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { _ = s.Close() })
	return s
}

func function(name string) string {
	return "package p\n\n// " + name + " does a thing.\nfunc " + name + "() {}\n"
}

func (w *world) write(name, text string) {
	w.t.Helper()
	file := w.Path(filepath.Join("r", name))
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) commit(message string) {
	w.Git("r", "add", "-A")
	w.Git("r", "commit", "-q", "-m", message)
}

func (w *world) index() *codeindex.Index {
	x := codeindex.Of(w.store, nil, nil, nil, nil)
	w.t.Cleanup(func() { _ = x.Close() })
	return x
}

func (w *world) update(x *codeindex.Index) codeindex.Report {
	w.t.Helper()
	r, err := x.Update(w.t.Context(), codeindex.UpdateRequest{})
	if err != nil {
		w.t.Fatal(err)
	}
	return r
}

// symbols are where a name is defined.
func (w *world) symbols(x *codeindex.Index, name string) (out []string) {
	w.t.Helper()
	list, err := x.Symbols(w.t.Context(), codeindex.Query{Text: name})
	if err != nil {
		w.t.Fatal(err)
	}
	for _, s := range list {
		out = append(out, fmt.Sprintf("%s:%d %s", s.Path, s.First, s.Name))
	}
	return out
}

func want(t *testing.T, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// What an answer could not see is counted, also where nothing may be indexed for it.
func TestWhatIsNotIndexedIsCounted(t *testing.T) {
	w := newWorld(t, 2)
	x := codeindex.AsIs(w.store, nil, nil, nil)
	defer x.Close()
	for _, indexed := range []bool{false, true} {
		if indexed {
			w.update(w.index())
		}
		found := len(w.symbols(x, "Do1"))
		if missing, all := x.Missing(); all != 3 || (missing == 0) != indexed || (found == 1) != indexed {
			t.Errorf("%d found, %d of %d missing", found, missing, all)
		}
	}
}

// What was read once in any branch or work tree is not read again.
func TestKnownBlobsAreNotParsed(t *testing.T) {
	w := newWorld(t, 5)
	x := w.index()
	if r := w.update(x); r.Parsed != 6 || r.Files != 6 || r.Functions != 5 { // with the one that every repository has
		t.Fatalf("%+v", r)
	}
	w.Git("r", "checkout", "-q", "-b", "other")
	w.write("pkg1/file.go", function("Changed"))
	w.commit("second")
	if r := w.update(x); r.Parsed != 1 {
		t.Errorf("of a commit with one file: %+v", r)
	}
	want(t, w.symbols(x, "Do1"))
	w.Git("r", "checkout", "-q", "-")
	if r := w.update(x); r.Parsed != 0 {
		t.Errorf("of a switch back: %+v", r)
	}
	want(t, w.symbols(x, "Do1"), "pkg1/file.go:3 Do1")
	want(t, w.symbols(x, "Changed"))
	w.Git("r", "worktree", "add", "-q", w.Path("linked"), "other")
	linked := codeindex.Of(w.open("linked"), nil, nil, nil, nil)
	defer linked.Close()
	if r := w.update(linked); r.Parsed != 0 || r.Files != 6 {
		t.Errorf("of a second work tree: %+v", r)
	}
	want(t, w.symbols(linked, "Changed"), "pkg1/file.go:3 Changed")
}

// Of an update that ends in the midst nothing is lost but what was not published, and the
// next one does the rest.
func TestCutShort(t *testing.T) {
	w := newWorld(t, 30)
	x := w.index()
	ctx, cancel := context.WithCancel(t.Context())
	_, err := x.Update(ctx, codeindex.UpdateRequest{Jobs: 1, Progress: func(done, _ int) {
		if done == 10 {
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("cut short: %v", err)
	}
	if r := w.update(x); r.Functions != 30 {
		t.Errorf("%+v", r)
	}
	want(t, w.symbols(x, "Do29"), "pkg29/file.go:3 Do29")
}

// What was parsed before somebody interrupts an update is not parsed again.
func TestInterruptedUpdateGoesOn(t *testing.T) {
	w := newWorld(t, 30)
	x := w.index()
	ctx, cancel := context.WithCancel(t.Context())
	first, err := x.Update(ctx, codeindex.UpdateRequest{Jobs: 1, Progress: func(done, _ int) {
		if done == 3 {
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) || first.Parsed < 3 || first.Parsed == first.Files {
		t.Fatalf("parsed %d: %v", first.Parsed, err)
	}
	if rest := w.update(x); rest.Parsed != rest.Files-first.Parsed {
		t.Errorf("parsed %d, and then %d of %d", first.Parsed, rest.Parsed, rest.Files)
	}
}

// Several that index at once, and search meanwhile, agree in the end.
func TestUpdatesAtOnce(t *testing.T) {
	w := newWorld(t, 40)
	var all sync.WaitGroup
	for range 4 {
		x := w.index()
		all.Go(func() {
			for range 3 {
				if _, err := x.Update(t.Context(), codeindex.UpdateRequest{Full: true}); err != nil {
					t.Error(err)
				}
				if _, err := x.Search(t.Context(), codeindex.Query{Text: "does a thing"}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	x := w.index()
	if r := w.update(x); r.Parsed != 0 || r.Functions != 40 {
		t.Errorf("%+v", r)
	}
	for i := range 40 {
		want(t, w.symbols(x, fmt.Sprint("Do", i)), fmt.Sprintf("pkg%d/file.go:3 Do%d", i, i))
	}
}

// Where nothing can be written a search answers from what is there.
func TestFullDisk(t *testing.T) {
	w := newWorld(t, 3)
	x := w.index()
	w.update(x)
	w.write("new.go", function("Fresh"))
	for _, op := range []string{"create", "write", "close", "rename"} {
		restore := disk.Inject(func(got, _ string) error {
			if got == op {
				return syscall.ENOSPC
			}
			return nil
		})
		want(t, w.symbols(x, "Fresh"))
		want(t, w.symbols(x, "Do1"), "pkg1/file.go:3 Do1")
		if _, err := x.Update(t.Context(), codeindex.UpdateRequest{}); !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("%s fails: %v", op, err)
		}
		restore()
	}
	want(t, w.symbols(x, "Fresh"), "new.go:3 Fresh")
}

// Many small updates become few files, and what is found stays the same.
func TestSegmentsAreMerged(t *testing.T) {
	w := newWorld(t, 1)
	x := w.index()
	for i := range 20 {
		w.write(fmt.Sprintf("more%d.go", i), function(fmt.Sprint("More", i)))
		w.update(x)
	}
	st, err := x.Status(t.Context(), "")
	if err != nil || st.Segments > 6 || st.Indexed != 22 || st.Functions != 21 {
		t.Errorf("%+v, %v", st, err)
	}
	for i := range 20 {
		want(t, w.symbols(x, fmt.Sprint("More", i)), fmt.Sprintf("more%d.go:3 More%d", i, i))
	}
	for i := range 20 {
		if err := os.Remove(w.Path(fmt.Sprintf("r/more%d.go", i))); err != nil {
			t.Fatal(err)
		}
	}
	if freed, err := x.GC(t.Context()); err != nil || freed <= 0 {
		t.Errorf("freed %d, %v", freed, err)
	}
	want(t, w.symbols(x, "Do0"), "pkg0/file.go:3 Do0")
}

// A purge leaves nothing of the index.
func TestPurgeRemovesTheIndex(t *testing.T) {
	w := newWorld(t, 2)
	x := w.index()
	w.update(x)
	if _, err := w.store.Checkpoints.Save(t.Context(), gitstore.Draft{Checkpoint: sage.Checkpoint{Thesis: "a secret word"}}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.store.Purge.Run(t.Context(), gitstore.PurgeRequest{Match: "secret"}); err != nil {
		t.Fatal(err)
	}
	if files, _ := filepath.Glob(w.Path("r/.git/sage/cache/code/*")); len(files) > 0 {
		t.Errorf("left: %q", files)
	}
	want(t, w.symbols(x, "Do1"), "pkg1/file.go:3 Do1")
}

// Names with every odd sign, links, folders in the place of files, and files that are none
// harm nothing.
func TestOddFiles(t *testing.T) {
	w := newWorld(t, 1)
	for _, name := range []string{"a b.go", "umläut.go", "tab\tname.go", "new\nline.go", "-dash.go", `quo"te.go`} {
		w.write(name, function("Odd"))
	}
	w.write("binary.go", "package p\x00")
	w.write("empty.go", "")
	w.write("broken.go", "package p\nfunc Before() {}\nfunc Broken( {\n}}}\n// After follows.\nfunc After() {}\n")
	w.write("minified.js", strings.Repeat("x=1;", 2000))
	if err := os.Symlink("/etc/passwd", w.Path("r/link.go")); err != nil {
		t.Fatal(err)
	}
	x := w.index()
	w.update(x)
	var paths []string
	for _, s := range w.symbols(x, "Odd") {
		paths = append(paths, strings.TrimSuffix(s, ":3 Odd"))
	}
	if d := cmp.Diff([]string{"-dash.go", "a b.go", "new\nline.go", `quo"te.go`, "tab\tname.go", "umläut.go"}, paths); d != "" {
		t.Errorf("-want +got: %s", d)
	}
	want(t, w.symbols(x, "After"), "broken.go:5 After")
	r, err := x.Search(t.Context(), codeindex.Query{Text: "root"})
	if err != nil || slices.ContainsFunc(r.Hits, func(h codeindex.Hit) bool { return h.Path == "link.go" }) {
		t.Errorf("a link was followed: %v", err)
	}
}

// A file is found by the words with which commits changed it, of a commit by those of its
// ancestors alone, and what is damaged is read again.
func TestMessagesAreSearched(t *testing.T) {
	w := newWorld(t, 3)
	w.Git("r", "commit", "-q", "--allow-empty", "-m", "zebras are elsewhere")
	x := w.index()
	w.update(x)
	w.write("pkg1/file.go", function("Do1")+"\nvar limit = 1\n")
	w.commit("Requests were throttled too late")
	found := func(rev string) (out []string) {
		t.Helper()
		r, err := x.Search(t.Context(), codeindex.Query{Text: "throttled requests", Rev: rev})
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range r.Hits {
			if !slices.Contains(out, h.Path) {
				out = append(out, h.Path)
			}
		}
		return out
	}
	learn := func() {
		t.Helper()
		if err := x.ReadHistory(t.Context(), "", false); err != nil {
			t.Fatal(err)
		}
	}
	want(t, found(""))
	learn()
	want(t, found(""), "pkg1/file.go")
	want(t, found("HEAD"), "pkg1/file.go")
	want(t, found("HEAD~1"))

	file := w.Path("r/.git/sage/cache/code/code1-history.hist")
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, raw[:len(raw)-1], 0o600); err != nil {
		t.Fatal(err)
	}
	want(t, found(""))
	learn()
	want(t, found(""), "pkg1/file.go")
	w.Git("r", "mv", "pkg1/file.go", "pkg2/moved.go")
	w.commit("Give it a better name")
	learn()
	want(t, found(""), "pkg2/moved.go")
}

// A search that is the first to open the history waits for it, and holds nothing meanwhile
// that opening needs.
func TestSearchOpensTheHistory(t *testing.T) {
	w := newWorld(t, 3)
	x := w.index()
	w.update(x)
	if err := x.ReadHistory(t.Context(), "", false); err != nil {
		t.Fatal(err)
	}
	for range 50 {
		r, err := w.index().Search(t.Context(), codeindex.Query{Text: "does a thing"})
		if err != nil || len(r.Hits) == 0 {
			t.Fatalf("%v, %v", r, err)
		}
	}
}

// What a killed process did not finish goes when it is old, and no other file.
func TestLeftoversGo(t *testing.T) {
	w := newWorld(t, 3)
	x := w.index()
	w.update(x)
	dir := w.store.Repo.Dir("cache", "code")
	old := time.Now().Add(-2 * time.Hour)
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	names := []string{"tmp-1", "code1-0123456789abcdef.01234567.vec", "other"}
	for _, name := range append(names, "tmp-new") {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range files {
		names = append(names, f.Name())
	}
	for _, name := range names {
		if err := os.Chtimes(filepath.Join(dir, name), old, old); err != nil {
			t.Fatal(err)
		}
	}
	w.update(x)
	after, err := os.ReadDir(dir)
	if err != nil || len(after) != len(files)+2 {
		t.Errorf("%v are left, %v", after, err)
	}
	if st, err := x.Status(t.Context(), ""); err != nil || st.Indexed != st.Files || st.Wanting != 0 {
		t.Errorf("%+v %v: nothing wants a vector without a model", st, err)
	}
}

// Of chunks for which the same speaks, those that a search shows do not depend on the order
// in which they were indexed.
func TestTiesAreByPath(t *testing.T) {
	w := newWorld(t, 1)
	for round := range 3 {
		x := w.index()
		for i := range 250 {
			if i%3 == round {
				w.write(fmt.Sprintf("p%03d.go", i), fmt.Sprintf("package p\n\n// Same does a thing.\nfunc Same() { _ = %d }\n", i))
			}
		}
		w.update(x)
	}
	r, err := w.index().Search(t.Context(), codeindex.Query{Text: "does a thing", Limit: 200})
	if err != nil || len(r.Hits) != 200 || r.Hits[1].Path != "p000.go" || r.Hits[199].Path != "p198.go" {
		t.Errorf("%+v %v", r, err)
	}
}

// Of many that nobody waits for one runs, one waits, and the others are none.
func TestUpdateInTurn(t *testing.T) {
	w := newWorld(t, 3)
	x := w.index()
	folder := disk.NewFolder(w.store.Repo.Dir("cache", "code"))
	hold := func(name string) *disk.Lock {
		l, err := folder.Lock(t.Context(), "code1-"+name)
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	runs, waits := hold("turn.lock"), hold("next.lock")
	if _, err := x.UpdateInTurn(t.Context(), codeindex.UpdateRequest{}); !errors.Is(err, codeindex.ErrBusy) {
		t.Errorf("beside one that waits: %v", err)
	}
	waits.Unlock()
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := x.UpdateInTurn(gone, codeindex.UpdateRequest{}); !errors.Is(err, codeindex.ErrBusy) {
		t.Errorf("beside one that runs longer than anybody waits: %v", err)
	}
	runs.Unlock()
	if r, err := x.UpdateInTurn(t.Context(), codeindex.UpdateRequest{}); err != nil || r.Parsed != 4 {
		t.Errorf("alone: %+v, %v", r, err)
	}
}

// What defines more lines than a chunk has is one definition with all of its lines.
func TestLongDefinitionsAreWhole(t *testing.T) {
	w := newWorld(t, 1)
	var b strings.Builder
	b.WriteString("package p\n\nfunc Long() {\n")
	for i := range 200 {
		fmt.Fprintf(&b, "\tstep%d()\n", i)
	}
	b.WriteString("\tLong()\n}\n\nfunc After() { Long() }\n")
	w.write("long.go", b.String())
	x := w.index()
	w.update(x)
	list, err := x.Symbols(t.Context(), codeindex.Query{Text: "Long"})
	if err != nil || len(list) != 1 || list[0].First != 3 || list[0].Last != 205 || len(list[0].Callers) != 1 || list[0].Callers[0].Line != 207 {
		t.Errorf("%+v %v", list, err)
	}
	if len(list) > 0 {
		text, callees, err := x.Source(t.Context(), list[0].Hit)
		if err != nil || !slices.Contains(callees, "step199") || !strings.HasSuffix(text, "}\n") {
			t.Errorf("%v %v", callees, err)
		}
	}
	out, err := x.Outline(t.Context(), codeindex.Query{Path: "long.go"})
	if err != nil || len(out) != 2 || out[0].Last != 205 {
		t.Errorf("%+v %v", out, err)
	}
}
