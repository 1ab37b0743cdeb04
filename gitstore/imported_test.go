package gitstore_test

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

func TestImportedIsKept(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	s := open(t, w, "r")
	if got, err := s.Review.Imported(); err != nil || len(got) > 0 {
		t.Errorf("at first: %v, %v", got, err)
	}
	saved := save(t, s, "a secret")
	for session, i := range map[string]gitstore.Import{"a": {Size: 10}, "two\nlines": {Size: 20, Record: saved.ID}} {
		must(t, s.Review.NoteImported(session, i))
	}
	if err := s.Review.NoteImported("a", gitstore.Import{Size: 30}); err != nil { // it grew
		t.Fatal(err)
	}
	f, err := os.OpenFile(w.Path("r", ".git", "sage", "imported"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	f.WriteString("not a line\n40\n")
	f.Close()
	got, err := open(t, w, "r").Review.Imported()
	want := map[string]gitstore.Import{"a": {Size: 30}, "two lines": {Size: 20, Record: saved.ID}}
	if err != nil || !maps.Equal(got, want) {
		t.Errorf("%v, %v, want %v", got, err, want)
	}
	if _, err := s.Purge.Run(ctx, gitstore.PurgeRequest{Revs: []string{saved.ID}}); err != nil {
		t.Fatal(err)
	}
	want["two lines"] = gitstore.Import{Size: 20}
	if got, err := open(t, w, "r").Review.Imported(); err != nil || !maps.Equal(got, want) {
		t.Errorf("behind a purge: %v, %v", got, err)
	}
}

func TestImportedTellsWhatFails(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	s, broken := open(t, w, "r"), errors.New("broken")
	restore := fsx.Inject(func(_ fsx.Op, path string) error {
		if filepath.Base(path) == "imported" {
			return broken
		}
		return nil
	})
	defer restore()
	if _, err := s.Review.Imported(); !errors.Is(err, broken) {
		t.Errorf("read: %v", err)
	}
	if err := s.Review.NoteImported("a", gitstore.Import{Size: 1}); !errors.Is(err, broken) {
		t.Errorf("written: %v", err)
	}
}

func TestWorkTreesAreListed(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	w.Git("r", "commit", "-q", "--allow-empty", "-m", "first")
	w.Git("r", "worktree", "add", "-q", w.Path("beside"))
	w.Git("r", "worktree", "add", "-q", w.Path("gone"))
	w.Write("r/.git/worktrees/relative/gitdir", "../../../../near/.git\n")
	must(t, os.RemoveAll(w.Path("gone")))
	var want []string
	for _, name := range []string{"beside", "gone", "near", "r"} {
		want = append(want, filepath.Join(realPath(t, w.Path()), name))
	}
	for _, from := range []string{"r", "beside"} {
		got := slices.Compact(slices.Sorted(slices.Values(open(t, w, from).Session.WorkTrees())))
		if !slices.Equal(got, want) {
			t.Errorf("from %s: %q, want %q", from, got, want)
		}
	}
}

func realPath(t *testing.T, name string) string {
	t.Helper()
	real, err := filepath.EvalSymlinks(name)
	if err != nil {
		t.Fatal(err)
	}
	return real
}
