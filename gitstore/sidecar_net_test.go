package gitstore

import (
	"context"
	"testing"

	"github.com/git-sage/git-sage/gitstore/storetest"
)

// On a file system that other machines write to, derived data lies in the user's
// cache folder.
func TestSidecarOfNetwork(t *testing.T) {
	old := isLocal
	isLocal = func(string) bool { return false }
	t.Cleanup(func() { isLocal = old })
	w := storetest.New(t)
	w.Repo("r")
	s, err := Open(context.Background(), Options{Dir: w.Path("r"), Home: w.Path("home/.sage"), Env: w.Env})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, err := s.Init(context.Background()); err != nil {
		t.Fatal(err)
	}
	with, err := s.Sidecar(context.Background(), w.Path("cache"))
	if err != nil || with.Dir != w.Path("cache/git-sage/"+with.ID) {
		t.Errorf("%+v %v", with, err)
	}
	without, err := s.Sidecar(context.Background(), "")
	if err != nil || without.Dir != w.Path("r/.git/sage/index") || without.ID != with.ID {
		t.Errorf("%+v %v", without, err)
	}
}

func TestPlainCore(t *testing.T) {
	for config, want := range map[string]bool{
		"":                              true,
		"[core]\n\tbare = false\n":      true,
		"[core]\n\tBare=true\n":         false,
		"[core]\n\tbare\n":              false,
		"[core]\n\tworktree = ../x\n":   false,
		"[user]\n\tname = bare = yes\n": true,
	} {
		if got := plainCore(config); got != want {
			t.Errorf("%q: %v", config, got)
		}
	}
}
