package gitstore_test

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

// atHome opens a store for a person whose home is another than that of who wrote it: all
// that is there came from elsewhere.
func atHome(t *testing.T, w *storetest.World, home string) *gitstore.Store {
	t.Helper()
	return open(t, w, "r", person, func(o *gitstore.Options) { o.Home = w.Path(home, ".sage") })
}

// written is a store with some of all that somebody can stand for.
func written(t *testing.T) (*storetest.World, []gitstore.Saved) {
	t.Helper()
	w := storetest.New(t)
	w.Repo("r")
	w.Write("r/main.go", "package main\n")
	w.Write("r/two.go", "package main\n")
	s := open(t, w, "r", person)
	made := []gitstore.Saved{save(t, s, "the first"), save(t, s, "the second"), save(t, s, "the third")}
	writeItems(t, s,
		gitstore.ItemChange{Item: &sage.Item{ID: "wipe", Content: "Staging is emptied on Sundays.", Scope: sage.Scope{Always: true, Paths: []string{"a path with more words than five in it"}}}},
		gitstore.ItemChange{Item: &sage.Item{ID: "refs", Content: "Where it begins.", CodeRefs: []sage.CodeRef{{File: "main.go", Lines: [2]int{1, 1}, Relevance: "context"}}}},
		gitstore.ItemChange{Key: "system/goal", Item: &sage.Item{Content: "Ship."}})
	for _, file := range []string{"main.go", "two.go"} {
		must(t, s.Knowledge.MarkCore(ctx, file, "where it begins"))
	}
	return w, made
}

func TestConfirmCheckpoints(t *testing.T) {
	w, made := written(t)
	s := atHome(t, w, "other")
	if _, _, err := atHome(t, w, "other").Review.Confirm(ctx, "no-such"); err == nil {
		t.Error("what is not there is confirmed")
	}
	confirmed, known, err := s.Review.Confirm(ctx, made[0].ID, made[1].ID)
	if err != nil || len(confirmed) != 2 || len(known) != 0 {
		t.Fatalf("%v, %v, %v", confirmed, known, err)
	}
	confirmed, known, err = atHome(t, w, "other").Review.Confirm(ctx, made[1].ID, made[2].ID)
	if err != nil || len(confirmed) != 1 || confirmed[0].ID != made[2].ID || len(known) != 1 || known[0].ID != made[1].ID {
		t.Fatalf("%v, %v, %v", confirmed, known, err)
	}
	confirmed, known, err = atHome(t, w, "other").Review.Confirm(ctx, made[2].ID)
	if err != nil || len(confirmed) != 0 || len(known) != 1 {
		t.Fatalf("again: %v, %v, %v", confirmed, known, err)
	}
}

func TestConfirmCoreFiles(t *testing.T) {
	w, _ := written(t)
	s := atHome(t, w, "other")
	core := func(path string) gitstore.CoreFile {
		t.Helper()
		c, err := s.Knowledge.CoreFile(ctx, path)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	if err := s.Review.ConfirmCore(ctx, gitstore.CoreFile{Path: "other.go"}); !errors.Is(err, gitstore.ErrNotFound) {
		t.Errorf("what is none: %v", err)
	}
	shown := core("main.go")
	if err := s.Review.ConfirmCore(ctx, gitstore.CoreFile{Path: "main.go", Summary: "as it was"}); !errors.Is(err, gitstore.ErrChanged) || core("main.go").Own {
		t.Errorf("what was not shown: %v", err)
	}
	if err := s.Review.ConfirmCore(ctx, shown); err != nil || shown.Own || !core("main.go").Own {
		t.Errorf("%+v, %v", shown, err)
	}
	if err := open(t, w, "r", func(o *gitstore.Options) { o.Home = w.Path("third", ".sage") }).Review.ConfirmCore(ctx, core("two.go")); !errors.Is(err, gitstore.ErrNoPerson) {
		t.Errorf("by an agent: %v", err)
	}
}

func TestConfirmAll(t *testing.T) {
	w, made := written(t)
	agent := open(t, w, "r", func(o *gitstore.Options) { o.Home = w.Path("other", ".sage") })
	if n, err := agent.Review.ConfirmAll(ctx, true, true); !errors.Is(err, gitstore.ErrNoPerson) || n != (gitstore.Confirmation{}) {
		t.Fatalf("by an agent: %+v, %v", n, err)
	}
	s := atHome(t, w, "other")
	for _, step := range []struct {
		checkpoints, items bool
		want               gitstore.Confirmation
	}{
		{false, true, gitstore.Confirmation{Items: 3, CoreFiles: 2}},
		{false, true, gitstore.Confirmation{}},
		{true, false, gitstore.Confirmation{Checkpoints: 3}},
		{true, true, gitstore.Confirmation{}},
	} {
		if n, err := s.Review.ConfirmAll(ctx, step.checkpoints, step.items); err != nil || n != step.want {
			t.Fatalf("%+v: %+v, %v", step, n, err)
		}
	}
	s = atHome(t, w, "other")
	if r, err := s.Commits.Record(ctx, made[0].ID); err != nil || !r.Own {
		t.Errorf("%+v, %v", r, err)
	}
	for _, id := range []string{"wipe", "refs"} {
		if e := item(t, s, id); !s.Knowledge.IsOwnItem(e) || id == "wipe" && !s.Ownership.Vouched(gitstore.AlwaysSum(e)) || id == "refs" && gitstore.AlwaysSum(e) != "" {
			t.Errorf("%s is not", id)
		}
	}
	trust, err := s.Ownership.Trust()
	if err != nil || trust.Unclaimed != 0 {
		t.Errorf("%+v, %v", trust, err)
	}
}

// Confirming writes into the home of who confirms. Where that cannot be, they hear why, and
// nothing counts as theirs.
func TestConfirmWithoutHome(t *testing.T) {
	w, made := written(t)
	must(t, os.WriteFile(w.Path("other"), []byte("a file"), 0o600))
	if _, _, err := atHome(t, w, "other").Review.Confirm(ctx, made[0].ID); err == nil || !strings.Contains(err.Error(), "in your home folder") {
		t.Errorf("%v", err)
	}
	if n, err := atHome(t, w, "other").Review.ConfirmAll(ctx, true, true); err == nil || n != (gitstore.Confirmation{}) {
		t.Errorf("%+v, %v", n, err)
	}
	if r, err := atHome(t, w, "other").Commits.Record(ctx, made[0].ID); err != nil || r.Own {
		t.Errorf("%+v, %v", r, err)
	}
}

// A change that says the same in another place is no confirmation; one that says something
// else, by a person, is.
func TestPersonSaysAnew(t *testing.T) {
	w, _ := written(t)
	s := atHome(t, w, "other")
	edit := func(s *gitstore.Store, change func(*sage.Item)) gitstore.ItemEntry {
		t.Helper()
		e := item(t, s, "wipe")
		change(e.Item)
		writeItems(t, s, gitstore.ItemChange{Key: "wipe", Base: e.Blob, Item: e.Item})
		return item(t, s, "wipe")
	}
	if e := edit(s, func(it *sage.Item) { it.Keywords = []string{"staging"} }); s.Knowledge.IsOwnItem(e) {
		t.Error("a keyword makes it theirs")
	}
	if e := edit(s, func(it *sage.Item) { it.Content = "Staging is emptied on Mondays." }); !s.Knowledge.IsOwnItem(e) || !s.Ownership.Vouched(gitstore.AlwaysSum(e)) {
		t.Error("a text of a person's own is not theirs")
	}
}
