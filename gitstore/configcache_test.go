package gitstore_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

// GIT_CONFIG_NOSYSTEM=0 does not mean that the system's config is left out.
func TestConfigOfTheSystem(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	old := time.Now().Add(-time.Hour)
	author := func(nosystem, name string) string {
		w.Write("system", "[author]\n\tname = "+name+"\n")
		for _, f := range []string{w.Path("system"), w.Path("r/.git/config")} {
			if err := os.Chtimes(f, old, old); err != nil {
				t.Fatal(err)
			}
		}
		old = old.Add(time.Second)
		env := append(w.Env[:len(w.Env):len(w.Env)], "GIT_CONFIG_NOSYSTEM="+nosystem, "GIT_CONFIG_SYSTEM="+w.Path("system"))
		s, err := gitstore.Open(ctx, gitstore.Options{Dir: w.Path("r"), Env: env})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		return w.Git("r", "log", "-1", "--format=%an", save(t, s, name).ID)
	}
	for _, tt := range []struct{ nosystem, name, want string }{
		{"1", "One", "Ann Author"}, {"0", "Two", "Two"}, {"0", "Three", "Three"}, {"1", "Four", "Ann Author"},
	} {
		if got := author(tt.nosystem, tt.name); got != tt.want {
			t.Errorf("GIT_CONFIG_NOSYSTEM=%s: author %q, want %q", tt.nosystem, got, tt.want)
		}
	}
}

// What git said of remotes is kept as well, without their addresses: that there is one, and that
// what goes there is encrypted.
func TestConfigOfRemotes(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	w.Git("r", "config", "remote.safe.url", "https://ann:secret@example.com/x.git")
	w.Git("r", "config", "remote.safe.sageVault", "refs/sage/vault")
	old := time.Now().Add(-time.Hour)
	for _, f := range []string{w.Path("r/.git/config"), w.Path("home/.gitconfig")} {
		if err := os.Chtimes(f, old, old); err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
	}
	save(t, open(t, w, "r"), "one")
	for range 2 {
		s := open(t, w, "r")
		if name, err := s.Remotes.Default(ctx); name != "safe" || err != nil || !s.Remotes.Sealed("safe") {
			t.Errorf("'%s', %v, sealed: %v", name, err, s.Remotes.Sealed("safe"))
		}
	}
	kept, err := os.ReadFile(w.Path("r/.git/sage/cache/config.json"))
	if err != nil || !strings.Contains(string(kept), `"remote.safe.url":""`) || strings.Contains(string(kept), "secret") {
		t.Errorf("%v: %s", err, kept)
	}
}
