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
			must(t, os.Chtimes(f, old, old))
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

// What the cache keeps, and what it leaves out, is answered as git does.
func TestConfigIsGits(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	keys := map[string]string{
		"remote.o.x.url": "https://ann:secret@h/x", "remote.o.x.sagevault": "refs/v", "core.hookspath": "h", "user.name": "A",
		"core.sshcommand": "ssh -x", "sage.enabled": "true", "remote.o.x.promisor": "true",
	}
	for key, value := range keys {
		w.Git("r", "config", key, value)
	}
	old := time.Now().Add(-time.Hour)
	for _, f := range []string{w.Path("home/.gitconfig"), w.Path("r/.git/config")} {
		must(t, os.Chtimes(f, old, old))
	}
	for _, how := range []string{"asked", "kept"} {
		s := open(t, w, "r")
		for key, value := range keys {
			if got, scope, _ := s.Repo.Config(key); got != value || scope != "local" {
				t.Errorf("%s: %s is %q of %q, want %q", how, key, got, scope, value)
			}
		}
		if got := s.Repo.ConfigKeys("remote."); len(got) != 3 {
			t.Errorf("%s: keys of remotes: %q", how, got)
		}
		if got, _, ok := s.Repo.Config("remote.o.x.none"); ok {
			t.Errorf("%s: a key that nobody set is %q", how, got)
		}
		s.Close()
	}
	if b, err := os.ReadFile(w.Path("r/.git/sage/cache/config.json")); err != nil || strings.Contains(string(b), "secret") {
		t.Errorf("the cache holds a password, or is missing: %s, %v", b, err)
	}
}
