package servers_test

import (
	"strings"
	"testing"

	"github.com/git-sage/git-sage/gitstore/storetest"
	"github.com/git-sage/git-sage/gitstore/storetest/servers"
)

// Each server gives what was pushed to it, and says no where it should.
func TestServersServe(t *testing.T) {
	for _, kind := range servers.Kinds() {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			if why := servers.Missing(kind); why != "" {
				t.Skip(why)
			}
			if testing.Short() && strings.HasPrefix(kind, "gitolite") {
				t.Skip("gitolite takes seconds")
			}
			w := storetest.New(t)
			w.Repo("a")
			w.Git("", "init", "-q", "--bare", "root/hub.git")
			w.Git("a", "push", "-q", w.Path("root/hub.git"), "main")
			w.Git("root/hub.git", "update-server-info")
			s, err := servers.Start(kind, w.Path("root"), storetest.TempDir(t), w.Env)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(s.Close)
			w.Env = append(w.Env, s.Env...)
			hub := s.URL + "/hub.git"
			if got := w.Git("a", "ls-remote", hub, "refs/heads/*"); !strings.HasSuffix(got, "\trefs/heads/main") {
				t.Errorf("it has %q", got)
			}
			for _, ref := range []string{"refs/heads/two", "refs/sage/heads/main"} {
				out, err := w.TryGit("a", "push", hub, "main:"+ref)
				may := kind != "dumb" && (kind != "gitolite-heads" || ref == "refs/heads/two")
				if (err == nil) != may {
					t.Errorf("push of %s: %v\n%s", ref, err, out)
				}
				if _, err := w.TryGit("root/hub.git", "rev-parse", "--verify", ref); (err == nil) != may {
					t.Errorf("%s there: %v", ref, err)
				}
			}
			w.Git("", "clone", "-q", hub, "b")
		})
	}
	if servers.Missing("nosuch") == "" {
		t.Error("a server that does not exist is there")
	}
}

// A connection that breaks is an error of git's, and what was whole is there.
func TestCut(t *testing.T) {
	w := storetest.New(t)
	w.Repo("a")
	w.Git("", "init", "-q", "--bare", "root/hub.git")
	s, err := servers.Start("http", w.Path("root"), storetest.TempDir(t), w.Env)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	hub := s.URL + "/hub.git"
	for _, n := range []string{"10", "300", "100000"} { // in this order: of what is there already, little is sent
		w.Write("root/cut", n)
		if out, err := w.TryGit("a", "push", hub, "main:refs/heads/of-"+n); (err == nil) != (n == "100000") {
			t.Errorf("push through %s bytes: %v\n%s", n, err, out)
		}
	}
	w.Write("root/cut", "10")
	if out, err := w.TryGit("a", "fetch", hub); err == nil {
		t.Errorf("fetch through 10 bytes: %s", out)
	}
	w.Write("root/cut", "100000")
	w.Git("a", "fetch", hub, "of-100000")
}
