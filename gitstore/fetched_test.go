package gitstore_test

import (
	"strings"
	"testing"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

// fetchSpecs are what a clone fetches from a remote; see MergeFetched.
func fetchSpecs(remote string) []string {
	to := "refs/sage/remotes/" + remote
	return []string{"+refs/sage/heads/*:" + to + "/heads/*", "+refs/sage/forks/*:" + to + "/forks/*",
		"+refs/sage/tags/*:" + to + "/tags/*", "+refs/sage/knowledge*:" + to + "/knowledge*"}
}

// fetch fetches from one folder of the world into another.
func fetch(w *storetest.World, into, from string) {
	w.Git(into, append([]string{"fetch", "-q", "--no-write-fetch-head", w.Path(from)}, fetchSpecs(from)...)...)
}

// acts are what was done, one word each: <act> <name>.
func acts(t testing.TB, s *gitstore.Store, remotes ...string) string {
	t.Helper()
	list, err := s.MergeFetched(ctx, remotes...)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, f := range list {
		out = append(out, string(f.Act)+" "+f.Name())
	}
	return strings.Join(out, ", ")
}

func wantActs(t testing.TB, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func tipOf(w *storetest.World, dir, ref string) string {
	out, err := w.TryGit(dir, "rev-parse", "-q", "--verify", ref)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(out)
}

const mainRef = "refs/sage/heads/main"

func TestMergeFetchedMeets(t *testing.T) {
	w := storetest.New(t)
	w.Repo("a")
	w.Repo("b")
	a, b := open(t, w, "a"), open(t, w, "b")
	save(t, a, "root")
	fetch(w, "b", "a")
	wantActs(t, acts(t, b), "new main")
	wantActs(t, acts(t, b), "")
	save(t, a, "left")
	save(t, b, "right")
	fetch(w, "b", "a")
	fetch(w, "a", "b")
	wantActs(t, acts(t, a), "merged main")
	wantActs(t, acts(t, b), "merged main")
	if x, y := tipOf(w, "a", mainRef), tipOf(w, "b", mainRef); x != y || x == "" {
		t.Errorf("a is at %s, b at %s", x, y)
	}
	fetch(w, "b", "a")
	wantActs(t, acts(t, b), "")
	c, err := a.Load(ctx, "main")
	if err != nil || len(c.ComponentTheses) != 2 || c.Trigger != "sync" {
		t.Errorf("loaded %+v, %v", c, err)
	}
	w.Git("a", "fsck", "--full", "--strict")
}
