package gitstore_test

import (
	"strings"
	"testing"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

// Where a shallow clone ends nothing is rewritten: the new commit would name parents
// that are not here.
func TestPurgeRefusesShallowEnd(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	s := open(t, w, "r")
	save(t, s, "before it")
	save(t, s, "it says "+planted)
	w.Git("", "init", "-q", "cut")
	w.Git("cut", "fetch", "-q", "--depth=1", "file://"+w.Path("r"), "refs/sage/heads/main:refs/sage/heads/main")
	refs := w.Git("cut", "for-each-ref")
	_, err := open(t, w, "cut").Purge.Run(ctx, gitstore.PurgeRequest{Match: planted})
	if err == nil || !strings.Contains(err.Error(), "git fetch --unshallow") {
		t.Errorf("said %v", err)
	}
	if now := w.Git("cut", "for-each-ref"); now != refs {
		t.Errorf("refs moved:\n%s\n%s", refs, now)
	}
}

// A name of a line or tag that holds what is purged is another one afterwards, never
// that of another; a tracking ref of such a name goes.
func TestPurgeRenamesRefs(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	s := open(t, w, "r")
	first := save(t, s, "first")
	for _, line := range []string{"zebra-crossing-nine", "purged", "side"} {
		if _, err := s.Lines.Branch(ctx, line, "@"); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.Lines.Tag(ctx, "v-zebra-crossing-nine", "@", false); err != nil {
		t.Fatal(err)
	}
	w.Git("r", "update-ref", "refs/sage/remotes/hub/heads/zebra-crossing-nine", first.ID)
	w.Git("r", "update-ref", "refs/sage/remotes/hub/heads/main", first.ID)
	purge(t, s, gitstore.PurgeRequest{Match: "zebra-crossing-nine"})
	got := strings.Fields(w.Git("r", "for-each-ref", "--format=%(refname)", "refs/sage/heads", "refs/sage/tags", "refs/sage/remotes"))
	wantList(t, got, "refs/sage/heads/main", "refs/sage/heads/purged", "refs/sage/heads/purged-2", "refs/sage/heads/side", "refs/sage/remotes/hub/heads/main", "refs/sage/tags/v-purged")
	nowhere(t, w, "r", "zebra-crossing-nine")
	sound(t, w, "r")
}

// Of a tombstone about two checkpoints, one of which is purged, the other stays
// removed; it comes back when it is brought back.
func TestPurgeOneOfTwoRemoved(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	s := open(t, w, "r")
	one, two := save(t, s, "one, "+planted), save(t, s, "two")
	save(t, s, "last")
	if _, err := s.Checkpoints.Remove(ctx, []string{one.ID, two.ID}); err != nil {
		t.Fatal(err)
	}
	purge(t, s, gitstore.PurgeRequest{Revs: []string{one.ID}})
	nowhere(t, w, "r", planted)
	sound(t, w, "r")
	s = open(t, w, "r")
	wantList(t, subjects(t, s, gitstore.Query{}), "last")
	if _, err := s.Checkpoints.RestoreRemoved(ctx, []string{two.ID}); err != nil {
		t.Fatal(err)
	}
	wantList(t, subjects(t, s, gitstore.Query{}), "last", "two")
	if found, err := s.Fsck.Findings(ctx); err != nil || len(found) > 0 {
		t.Errorf("fsck: %v %v", found, err)
	}
}

// A merge that is purged leaves its line where the line was, and what it had brought
// in as a fork beside it: no thought is lost with it.
func TestPurgeOfMergeKeepsSides(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	s := open(t, w, "r")
	save(t, s, "ground")
	if _, err := s.Lines.Branch(ctx, "idea", "@"); err != nil {
		t.Fatal(err)
	}
	d := thesis("theirs")
	d.Line = "idea"
	theirs, err := s.Checkpoints.Save(ctx, d)
	if err != nil {
		t.Fatal(err)
	}
	d = thesis("ours")
	d.Line = "main"
	ours, err := s.Checkpoints.Save(ctx, d)
	if err != nil {
		t.Fatal(err)
	}
	m, err := s.Checkpoints.Merge(ctx, gitstore.MergeRequest{Rev: theirs.ID, Thesis: "both, " + planted})
	if err != nil {
		t.Fatal(err)
	}
	w.Git("r", "update-ref", "-d", "refs/sage/heads/idea")
	if _, err := s.Fsck.Accept(ctx, "idea"); err != nil {
		t.Fatal(err)
	}
	purge(t, s, gitstore.PurgeRequest{Revs: []string{m.ID}})
	nowhere(t, w, "r", planted)
	sound(t, w, "r")
	if tip := tipOf(w, "r", mainRef); tip != ours.ID {
		t.Errorf("the line is at %s, not at %s", tip, ours.ID)
	}
	if forks := w.Git("r", "for-each-ref", "--format=%(objectname)", "refs/sage/forks"); forks != theirs.ID {
		t.Errorf("forks: %q, want %s", forks, theirs.ID)
	}
}

// The id of an object stays in a text, whatever it looks like: history would fall
// apart without it. The same signs elsewhere go.
func TestPurgeKeepsIDs(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	s := open(t, w, "r")
	one := save(t, s, "one")
	word := one.ID[10:17]
	two := save(t, s, "it follows "+one.ID+" and not "+word)
	purge(t, s, gitstore.PurgeRequest{Match: word})
	c, err := open(t, w, "r").Commits.Load(ctx, two.ID)
	if err != nil || c.Thesis != "it follows "+one.ID+" and not [PURGED]" {
		t.Errorf("%+v %v", c, err)
	}
	if _, err := open(t, w, "r").Commits.Load(ctx, one.ID); err != nil {
		t.Error(err)
	}
	sound(t, w, "r")
}
