package gitstore

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/knowledge"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

// It is case C41.
func TestSidecarDir(t *testing.T) {
	w := storetest.New(t)
	s, err := Open(context.Background(), repo.Options{Dir: w.Repo("r"), Home: w.Path("home"), Env: w.Env})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if got, want := s.Knowledge.SidecarDir(), filepath.Join(s.Repo.CommonDir(), "sage", "cache", "search"); got != want {
		t.Errorf("%s instead of %s", got, want)
	}
	defer func(f func(string) bool) { knowledge.IsLocal = f }(knowledge.IsLocal)
	knowledge.IsLocal = func(string) bool { return false }
	id, err := s.Knowledge.Identity()
	if got := s.Knowledge.SidecarDir(); err != nil || got != w.Path("home", "cache", id) {
		t.Errorf("on a network: %s (%v)", got, err)
	}
	knowledge.IsLocal = func(string) bool { return true }
	restore := fsx.Inject(func(op fsx.Op, path string) error {
		if op == fsx.OpStat && strings.HasPrefix(path, s.Repo.Dir("cache")) {
			return syscall.EROFS
		}
		return nil
	})
	if got := s.Knowledge.SidecarDir(); got != w.Path("home", "cache", id) {
		t.Errorf("where nothing may be written: %s", got)
	}
	restore()
	for _, place := range []string{s.Repo.Dir("cache"), s.Repo.Dir("cache", "search")} {
		must(t, errors.Join(os.MkdirAll(filepath.Dir(place), 0o777), os.RemoveAll(place), os.Symlink(t.TempDir(), place)))
		if got := s.Knowledge.SidecarDir(); got != s.Repo.Dir("cache", "search") {
			t.Errorf("with a link at %s: %s", place, got)
		}
		if _, err := os.Lstat(place); !os.IsNotExist(err) {
			t.Errorf("%s is still there: %v", place, err)
		}
	}
	must(t, os.WriteFile(s.Repo.Dir("id"), []byte("../../etc\n"), 0o666))
	if _, err := s.Knowledge.Identity(); err == nil || !strings.Contains(err.Error(), "is not a repository id") {
		t.Errorf("an id that leads elsewhere: %v", err)
	}
	if got := s.Knowledge.SidecarDir(); !strings.HasPrefix(got, s.Repo.CommonDir()) {
		t.Errorf("without an id: %s", got)
	}
}

// What search made goes even if a file comes while the others go, and one that keeps coming
// is told of.
func TestRemoveSidecar(t *testing.T) {
	w := storetest.New(t)
	s, err := Open(context.Background(), repo.Options{Dir: w.Repo("r"), Home: w.Path("home"), Env: w.Env})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for _, times := range []int{0, 1, repo.MaxTries} {
		w.Write("r/.git/sage/cache/search/segment", "x")
		restore := fsx.Inject(func(op fsx.Op, path string) error {
			if op == fsx.OpRemove && path == s.Knowledge.SidecarDir() && times > 0 {
				times--
				return syscall.ENOTEMPTY
			}
			return nil
		})
		fails := times == repo.MaxTries
		err := s.Knowledge.RemoveSidecar()
		restore()
		if _, e := os.Stat(s.Knowledge.SidecarDir()); errors.Is(e, os.ErrNotExist) == fails || (err != nil) != fails {
			t.Errorf("%v, %v", err, e)
		}
	}
}
