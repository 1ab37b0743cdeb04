//go:build unix

package gitstore_test

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

// From each operation of the disk and each call of git on nothing succeeds any more, as for a
// process that is killed there. What was there stays, and the same call finishes it.
func TestVaultStoppedAnywhere(t *testing.T) {
	for _, name := range []string{"first push", "push", "fetch", "base"} {
		t.Run(name, func(t *testing.T) {
			w := storetest.New(t)
			g := w.FaultyGit()
			both := members(t, w, "ann", "bob")
			ann, bob := both[0], both[1]
			save(t, ann.Store, "first")
			dirs := []string{"safe.git", "ann", "bob"}
			call := func() error { _, err := ann.tryPush(); return err }
			if name != "first push" {
				ann.push()
				bob.meet()
				save(t, ann.Store, "second")
			}
			switch name {
			case "fetch":
				ann.push()
				call = func() error { _, err := bob.Vault.Fetch(ctx, bob.at); return err }
			case "base":
				ann.accept(ann)
			}
			for _, dir := range dirs {
				copyAll(t, w.Path(dir), w.Path("ready", dir))
			}
			step := 1
			if testing.Short() {
				step = 19
			}
			for _, kind := range []string{"disk", "git"} {
				for n := 1; ; n += step {
					for _, dir := range dirs {
						clearAll(t, w.Path(dir))
						copyAll(t, w.Path("ready", dir), w.Path(dir))
					}
					hit := stopAt(g, kind, n)
					err := call()
					if !hit() {
						break
					}
					if err != nil && strings.Contains(err.Error(), "\n") {
						t.Errorf("%s %d: more than a line: %q", kind, n, err)
					}
					if err := call(); err != nil {
						t.Fatalf("%s %d: and then, without a fault: %v", kind, n, err)
					}
					late := bob
					if name == "base" {
						late = ann
					}
					late.fetch()
					if got := tipOf(w, late.name, "refs/sage/remotes/safe/heads/main"); got != ann.tip() {
						t.Fatalf("%s %d: ann is at %s, and %s fetched %s", kind, n, ann.tip(), late.name, got)
					}
					for _, dir := range dirs {
						if out, err := w.TryGit(dir, "fsck", "--full", "--no-dangling", "--no-progress"); err != nil || strings.Contains(out, "error") {
							t.Fatalf("%s %d: git fsck in %s: %v %s", kind, n, dir, err, out)
						}
					}
				}
			}
		})
	}
}

// stopAt has everything fail from the nth operation on, until hit is called, which says
// whether there were so many.
func stopAt(g *storetest.FaultyGit, kind string, n int) (hit func() bool) {
	count := 0
	if kind == "git" {
		g.From(n, storetest.Die)
		return func() bool { defer g.Heal(); return len(g.Calls()) >= n }
	}
	restore := fsx.Inject(func(fsx.Op, string) error {
		if count++; count >= n {
			return errors.New("stopped")
		}
		return nil
	})
	return func() bool { restore(); return count >= n }
}

// clearAll empties a folder, which stays: a copy would be somebody else's.
func clearAll(t *testing.T, dir string) {
	t.Helper()
	if out, err := exec.Command("find", dir, "-mindepth", "1", "-maxdepth", "1", "!", "-name", ".git", "-exec", "rm", "-rf", "{}", "+").CombinedOutput(); err != nil {
		t.Fatalf("%s", out)
	}
	if _, err := os.Stat(dir + "/.git"); err == nil {
		clearAll(t, dir+"/.git")
	}
}

func copyAll(t *testing.T, from, to string) {
	t.Helper()
	if err := os.MkdirAll(to, 0o777); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("cp", "-a", from+"/.", to).CombinedOutput(); err != nil {
		t.Fatalf("copy: %s", out)
	}
}
