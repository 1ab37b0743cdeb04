package gitstore_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

// fetchSage is the plain fetch that the documentation names.
func fetchSage(w *storetest.World, dir string) {
	w.Git(dir, "fetch", "-q", "hub", "+refs/sage/heads/*:refs/sage/remotes/hub/heads/*", "+refs/sage/forks/*:refs/sage/remotes/hub/forks/*",
		"+refs/sage/tags/*:refs/sage/remotes/hub/tags/*", "+refs/sage/knowledge*:refs/sage/remotes/hub/knowledge*")
}

func pushSage(w *storetest.World, dir string, force ...string) {
	w.Git(dir, append(append([]string{"push", "-q"}, force...), "hub", "refs/sage/heads/*:refs/sage/heads/*", "refs/sage/tags/*:refs/sage/tags/*", "refs/sage/knowledge:refs/sage/knowledge")...)
}

// clones makes a hub and repositories that know it.
func clones(t testing.TB, w *storetest.World, names ...string) {
	t.Helper()
	w.Repo("seed")
	w.Git("", "clone", "-q", "--bare", "seed", "hub.git")
	for _, n := range names {
		w.Git("", "clone", "-q", "-o", "hub", "hub.git", n)
	}
}

func mergeFetched(t testing.TB, s *gitstore.Store) {
	t.Helper()
	out, err := s.Exchange.MergeFetched(ctx)
	if err != nil {
		t.Fatalf("merge: %v", err)
	}
	for _, f := range out {
		if f.Act == gitstore.FetchedRefused {
			t.Errorf("refused: %+v", f)
		}
	}
}

// A teammate has the old history, has gone on from it, and even copied the secret
// into new text. Fetched and merged, nothing of it comes back; what is new stays.
func TestPurgeTeammate(t *testing.T) {
	for _, c := range []struct {
		name string
		req  func(ids []string) gitstore.PurgeRequest
		word string
		want []string
	}{
		{"match", func([]string) gitstore.PurgeRequest { return gitstore.PurgeRequest{Match: planted} }, planted,
			[]string{"Theirs says [PURGED] too.", "theirs", "last", "after it", "before it"}},
		{"checkpoint", func(ids []string) gitstore.PurgeRequest { return gitstore.PurgeRequest{Revs: ids[1:2]} }, "It is weak",
			[]string{"Theirs says zebra crossing nine too.", "theirs", "last", "after it", "before it"}},
		{"path", func([]string) gitstore.PurgeRequest { return gitstore.PurgeRequest{Path: "skills"} }, "Say " + planted,
			[]string{"Theirs says zebra crossing nine too.", "theirs", "last", "after it", "before it"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := storetest.New(t)
			clones(t, w, "a", "b")
			a, b := open(t, w, "a"), open(t, w, "b")
			ids := plant(t, w, a, "a")
			pushSage(w, "a")
			fetchSage(w, "b")
			mergeFetched(t, b)
			save(t, b, "theirs")
			if _, err := b.Checkpoints.Save(ctx, gitstore.Draft{Checkpoint: sage.Checkpoint{Thesis: "Theirs says " + planted + " too."}}); err != nil {
				t.Fatal(err)
			}
			name := "skills/" + strings.ReplaceAll(planted, " ", "-") + ".md"
			if err := b.Tree.WriteFiles(ctx, "edit", map[string][]byte{name: []byte("---\nid: x\n---\n\nedited: Say " + planted + " again"), "templates/b.yaml": []byte("name: b\noptional_fields: [kept]\n")}); err != nil {
				t.Fatal(err)
			}
			purge(t, a, c.req(ids))
			pushSage(w, "b")
			fetchSage(w, "a")
			mergeFetched(t, a)
			nowhere(t, w, "a", c.word)
			sound(t, w, "a")
			wantList(t, subjects(t, open(t, w, "a"), gitstore.Query{All: true}), c.want...)
			if _, err := a.Tree.ReadFile(ctx, "templates/b.yaml"); err != nil {
				t.Errorf("what is theirs: %v", err)
			}
			theirs(t, w, c.req(ids), c.word, c.want)
		})
	}
}

// theirs goes on: the purge is pushed, the teammate fetches it and merges, and has
// the same commits; purging there is finished by one command.
func theirs(t *testing.T, w *storetest.World, req gitstore.PurgeRequest, word string, want []string) {
	a, b := open(t, w, "a"), open(t, w, "b")
	pushes, err := a.Purge.Push(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range pushes {
		if p.Err != nil {
			t.Errorf("push %+v", p)
		}
	}
	pushSage(w, "a")
	fetchSage(w, "b")
	mergeFetched(t, b)
	wantList(t, subjects(t, open(t, w, "b"), gitstore.Query{All: true}), want...)
	for _, ref := range []string{"refs/sage/heads/main", "refs/sage/knowledge"} {
		if x, y := w.Git("a", "rev-parse", ref), w.Git("b", "rev-parse", ref); x != y {
			t.Errorf("%s: %s and %s", ref, x, y)
		}
	}
	purge(t, b, gitstore.PurgeRequest{})
	nowhere(t, w, "b", word)
	sound(t, w, "b")
	w.Git("hub.git", "gc", "--quiet", "--prune=now")
	if out := w.Git("hub.git", "cat-file", "--batch-all-objects", "--batch"); strings.Contains(out, word) {
		t.Error("the hub still has it")
	}
	_ = req
}

// A merge that was made from old history after the purge, and a pull of the old
// tag, are cleansed as well. Merging twice changes nothing.
func TestPurgeMergeTwice(t *testing.T) {
	w := storetest.New(t)
	clones(t, w, "a", "b")
	a := open(t, w, "a")
	plant(t, w, a, "a")
	pushSage(w, "a")
	purge(t, a, gitstore.PurgeRequest{Match: planted})
	for range 2 {
		fetchSage(w, "a")
		tips := w.Git("a", "for-each-ref", "refs/sage/heads", "refs/sage/knowledge", "refs/sage/tags")
		mergeFetched(t, a)
		if now := w.Git("a", "for-each-ref", "refs/sage/heads", "refs/sage/knowledge", "refs/sage/tags"); now != tips {
			t.Errorf("merging old history moved refs:\n%s\n%s", tips, now)
		}
		nowhere(t, w, "a", planted)
		sound(t, w, "a")
	}
}

// Where a ref lost what was saved on it, a purge waits: it would make the loss final.
func TestPurgeRefusesLoss(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	s := open(t, w, "r")
	one := save(t, s, "one")
	save(t, s, "two")
	w.Git("r", "update-ref", "refs/sage/heads/main", one.ID)
	var lost *gitstore.LostError
	if _, err := s.Purge.Run(ctx, gitstore.PurgeRequest{Match: "whatever"}); !errors.As(err, &lost) {
		t.Errorf("got %v", err)
	}
}

// A remote that has checkpoints and no knowledge gets the records of a purge, since
// a teammate who goes by the names alone would bring the old history back, and no
// file that was never pushed there. Afterwards all share as before.
func TestPurgePushesRecords(t *testing.T) {
	t.Parallel()
	w := storetest.New(t)
	clones(t, w, "a", "b")
	a, b := open(t, w, "a"), open(t, w, "b")
	save(t, a, "It is "+planted)
	w.Git("a", "push", "-q", "hub", "refs/sage/heads/*:refs/sage/heads/*")
	fetchSage(w, "b")
	mergeFetched(t, b)
	if err := a.Tree.WriteFiles(ctx, "own", map[string][]byte{"templates/own.yaml": []byte("private: 1\n")}); err != nil {
		t.Fatal(err)
	}
	purge(t, a, gitstore.PurgeRequest{Match: planted})
	for i, want := range []int{2, 0} {
		if pushes, err := a.Purge.Push(ctx); err != nil || len(pushes) != want {
			t.Fatalf("push %d: %+v, %v", i, pushes, err)
		}
	}
	if got := w.Git("hub.git", "ls-tree", "-r", "--name-only", "refs/sage/knowledge"); strings.Contains(got, "own") || !strings.HasPrefix(got, "purged/") {
		t.Errorf("the hub's knowledge: %s", got)
	}
	save(t, b, "theirs")
	fetchSage(w, "b")
	mergeFetched(t, b)
	purge(t, b, gitstore.PurgeRequest{})
	nowhere(t, w, "b", planted)
	pushSage(w, "b")
	fetchSage(w, "a")
	mergeFetched(t, a)
	pushSage(w, "a")
	wantList(t, subjects(t, open(t, w, "a"), gitstore.Query{All: true}), "theirs", "It is [PURGED]")
}

// Where the remote's knowledge went on meanwhile nothing is lost there: whoever
// purged is told to fetch first.
func TestPurgePushFetchesFirst(t *testing.T) {
	t.Parallel()
	w := storetest.New(t)
	clones(t, w, "a", "b")
	a, b := open(t, w, "a"), open(t, w, "b")
	save(t, a, "It is "+planted)
	if err := b.Tree.WriteFiles(ctx, "theirs", map[string][]byte{"templates/b.yaml": []byte("name: b\noptional_fields: [kept]\n")}); err != nil {
		t.Fatal(err)
	}
	pushSage(w, "b")
	w.Git("a", "push", "-q", "hub", "refs/sage/heads/*:refs/sage/heads/*")
	purge(t, a, gitstore.PurgeRequest{Match: planted})
	pushes, err := a.Purge.Push(ctx)
	if err != nil || len(pushes) != 2 || pushes[0].Err == nil || pushes[1].Err != nil {
		t.Fatalf("%+v, %v", pushes, err)
	}
	fetchSage(w, "a")
	mergeFetched(t, a)
	if pushes, err = a.Purge.Push(ctx); err != nil || len(pushes) != 1 || pushes[0].Err != nil {
		t.Fatalf("%+v, %v", pushes, err)
	}
}

// What somebody removed stays so for clones that never had it by the id that its tombstone
// names: a purge elsewhere took along what it continued, and the tombstone lies on a line
// that the purge left alone.
func TestPurgeElsewhereKeepsRemovals(t *testing.T) {
	w := storetest.New(t)
	clones(t, w, "a", "b", "c")
	a, b, c := open(t, w, "a"), open(t, w, "b"), open(t, w, "c")
	one := save(t, a, "one")
	pushSome(w, "a")
	fetchSage(w, "b")
	mergeFetched(t, b)
	two := save(t, b, "two")
	if _, err := b.Checkpoints.Save(ctx, gitstore.Draft{Line: "side", Checkpoint: sage.Checkpoint{Thesis: "beside"}}); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Lines.Switch(ctx, "side", false, ""); err != nil {
		t.Fatal(err)
	}
	remove(t, b, two.ID)
	save(t, a, "by a")
	purge(t, a, gitstore.PurgeRequest{Revs: []string{one.ID}})
	if _, err := a.Purge.Push(ctx); err != nil {
		t.Fatal(err)
	}
	fetchSage(w, "b")
	mergeFetched(t, b)
	w.Git("b", append([]string{"push", "-q", "hub"}, teamPush...)...)
	fetchSage(w, "c")
	mergeFetched(t, c)
	for _, s := range []*gitstore.Store{b, c} {
		for _, thesis := range subjects(t, s, gitstore.Query{All: true}) {
			if thesis == "two" {
				t.Errorf("%s lists what was removed", s.Repo.Where.GitDir)
			}
		}
	}
}
