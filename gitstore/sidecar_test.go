package gitstore

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-sage/git-sage/gitstore/storetest"
)

// It is case C41.
func TestSidecarDir(t *testing.T) {
	w := storetest.New(t)
	s, err := Open(context.Background(), Options{Dir: w.Repo("r"), Home: w.Path("home"), Env: w.Env})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if got, want := s.SidecarDir(), filepath.Join(s.CommonDir(), "sage", "cache", "search"); got != want {
		t.Errorf("%s instead of %s", got, want)
	}
	defer func(f func(string) bool) { isLocal = f }(isLocal)
	isLocal = func(string) bool { return false }
	id, err := s.Identity()
	if got := s.SidecarDir(); err != nil || got != w.Path("home", "cache", id) {
		t.Errorf("on a network: %s (%v)", got, err)
	}
	if err := os.WriteFile(s.dir("id"), []byte("../../etc\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Identity(); err == nil || !strings.Contains(err.Error(), "holds no id") {
		t.Errorf("an id that leads elsewhere: %v", err)
	}
	if got := s.SidecarDir(); !strings.HasPrefix(got, s.CommonDir()) {
		t.Errorf("without an id: %s", got)
	}
}
