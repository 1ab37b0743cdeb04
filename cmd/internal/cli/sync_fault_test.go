package cli

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-sage/git-sage/cmd/internal/app/apptest"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

// A sync whose git fails or dies at any of its calls, before or behind its work, takes
// nothing from anybody, and the next sync ends at what it would have ended at.
func TestSyncAtEveryCallOfGit(t *testing.T) {
	w := storetest.New(t)
	w.Git("", "init", "-q", "--bare", "hub.git")
	sage := func(dir, args string) (int, string) {
		var out bytes.Buffer
		a := apptest.New(w.Dir)
		a.Dir, a.Out, a.Err = w.Path(dir), &out, &out
		return run(a, strings.Fields(args)), out.String()
	}
	well := func(dir, args string) {
		t.Helper()
		if status, out := sage(dir, args); status != 0 {
			t.Fatalf("%s in %s: status %d\n%s", args, dir, status, out)
		}
	}
	for _, dir := range []string{"a", "b"} {
		w.Git("", "init", "-q", dir)
		w.Git(dir, "remote", "add", "origin", filepath.Join(w.Dir, "hub.git"))
		well(dir, "checkpoint save -q -m Stripe -c 0.6 --core-question provider")
		well(dir, "share --yes")
	}
	memory := func(dir string) string {
		return w.Git(dir, "for-each-ref", "--format=%(objectname) %(refname)", "refs/sage/heads", "refs/sage/knowledge", "refs/sage/tags")
	}
	faulty := w.FaultyGit()
	steps := map[storetest.How]int{storetest.Killed: 1, storetest.Fail: 3}
	if testing.Short() {
		steps = map[storetest.How]int{storetest.Killed: 9}
	}
	for how, step := range steps {
		for n := 1; ; n += step {
			at := fmt.Sprintf("%s-%d", how, n)
			well("b", "remember -q -m of-b-"+at+" --id b-"+at)
			well("b", "checkpoint save -q -m Stripe -c 0.6 --core-question provider --key-evidence b-"+at)
			well("b", "sync -q")
			there := w.Git("hub.git", "rev-parse", "refs/sage/heads/main", "refs/sage/knowledge")
			well("a", "remember -q -m of-a-"+at+" --id a-"+at)
			well("a", "checkpoint save -q -m Stripe -c 0.6 --core-question provider --key-evidence a-"+at)
			well("a", "tag "+at)
			ours := w.Git("a", "rev-parse", "refs/sage/heads/main", "refs/sage/knowledge", "refs/sage/tags/"+at)
			faulty.Call(n, how)
			status, out := sage("a", "sync")
			if len(faulty.Calls()) < n {
				break
			}
			faulty.Heal()
			if status != 0 && strings.Count(out, "fatal: ")+strings.Count(out, "error: ") != 1 {
				t.Errorf("%s: status %d\n%s", at, status, out)
			}
			for _, id := range strings.Fields(there) {
				if w.Git("hub.git", "for-each-ref", "--contains", id) == "" {
					t.Errorf("%s: the remote lost %s\n%s", at, id, out)
				}
			}
			for _, id := range strings.Fields(ours) {
				if w.Git("a", "for-each-ref", "--contains", id, "refs/sage/heads", "refs/sage/knowledge", "refs/sage/tags") == "" {
					t.Errorf("%s: we lost %s\n%s", at, id, out)
				}
			}
			if status, out := sage("a", "sync"); status != 0 || memory("a") != memory("hub.git") {
				t.Fatalf("%s: the sync behind it: status %d\n%s\nours:\n%s\ntheirs:\n%s", at, status, out, memory("a"), memory("hub.git"))
			}
			well("b", "sync -q")
		}
	}
	if out := w.Git("hub.git", "fsck", "--full", "--strict"); strings.Contains(out, "error") {
		t.Error(out)
	}
	for _, dir := range []string{"a", "b"} {
		if status, out := sage(dir, "fsck"); status != 0 {
			t.Errorf("fsck of %s: %s", dir, out)
		}
	}
}
