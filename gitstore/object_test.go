package gitstore

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/gittree"
	"github.com/git-sage/git-sage/gitstore/internal/identity"
	"github.com/git-sage/git-sage/gitstore/internal/loose"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/storetest"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// Git reads in our commits and trees what we put in, and finds nothing wrong with them.
func TestObjectsReadByGit(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	store := loose.Store{Dir: w.Path("r", ".git", "objects"), Format: "sha1"}
	blob := store.New("blob", []byte("text"))
	tree := store.New("tree", gittree.Encode(gittree.Entry{Mode: gittree.ModeFile, Name: "checkpoint.md", ID: blob.ID}))
	objects, ids, want := []loose.Object{blob, tree}, []string(nil), []string(nil)
	rapid.Check(t, func(t *rapid.T) {
		p := identity.Person{Name: identity.Crudless(rapid.StringMatching(`[A-Za-zé ]{1,20}`).Draw(t, "name") + "x"), Mail: "a@b.c"}
		when := time.Unix(rapid.Int64Range(0, 1<<33).Draw(t, "when"), 0).UTC()
		msg := record.Message(&sage.Checkpoint{Thesis: rapid.String().Draw(t, "thesis")}, record.KindCheckpoint, "subject")
		c := store.New("commit", record.Commit{Tree: tree.ID, Parents: ids[max(0, len(ids)-1):], Author: p.Stamp(when), Committer: p.Stamp(when), Message: msg}.Encode())
		objects, ids = append(objects, c), append(ids, c.ID)
		want = append(want, fmt.Sprintf("%s %s <a@b.c> %d %s\n%s", tree.ID, p.Name, when.Unix(), c.ID, msg))
	})
	must(t, store.Write(objects...))
	last := ids[len(ids)-1]
	if out := w.Git("r", "fsck", "--strict", "--no-dangling", last); out != "" {
		t.Error(out)
	}
	if out, entry := w.Git("r", "ls-tree", last), "100644 blob "+blob.ID+"\tcheckpoint.md"; out != entry {
		t.Errorf("tree: %q, want %q", out, entry)
	}
	out, err := w.TryGit("r", "log", "--reverse", "--topo-order", "--format=%T %an <%ae> %at %H%n%B%x00", last)
	got := strings.Split(strings.TrimSuffix(strings.TrimSpace(out), "\x00"), "\x00\n")
	if err != nil || len(got) != len(want) {
		t.Fatalf("%d commits of %d, %v", len(got), len(want), err)
	}
	for i := range want {
		if d := cmp.Diff(want[i], got[i]); d != "" {
			t.Errorf("commit %d: %s", i, d)
		}
	}
}
