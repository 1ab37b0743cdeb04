package recall_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/storetest"
	"github.com/git-sage/git-sage/recall"
)

func item(id string, t sage.ItemType, content string) recall.ItemChange {
	return recall.ItemChange{ItemChange: gitstore.ItemChange{Item: &sage.Item{ID: id, Type: t, Content: content}}}
}

func write(t *testing.T, m *recall.Memory, changes ...recall.ItemChange) []recall.Written {
	t.Helper()
	out, err := m.Write.Items(t.Context(), "", changes...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// places lists ids with where they lie.
func places(t *testing.T, m *recall.Memory, q recall.ItemQuery) (out []string) {
	t.Helper()
	items, err := m.Knowledge.Items(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range items {
		where := "here"
		if k.Own {
			where = "own"
		}
		out = append(out, k.Item.ID+" "+where)
	}
	return out
}

func TestPreferencesAreThePersonsOwn(t *testing.T) {
	m := newMemory(t, "")
	if got := places(t, m, recall.ItemQuery{}); got != nil {
		t.Errorf("a new memory knows %q", got)
	}
	if _, err := os.Stat(filepath.Join(m.Stores.Home, "memory.git")); err == nil {
		t.Error("reading made a store")
	}
	shared := item("tabs", sage.Preference, "we indent with tabs")
	shared.Shared = true
	out := write(t, m, item("deploys", sage.Knowledge, "on Mondays"), item("style", sage.Preference, "terse"), shared)
	if len(out) != 2 || out[0].Own || !out[1].Own || len(out[0].Items) != 2 {
		t.Errorf("written: %+v", out)
	}
	if got, want := places(t, m, recall.ItemQuery{}), []string{"deploys here", "style own", "tabs here"}; !slices.Equal(got, want) {
		t.Errorf("%q instead of %q", got, want)
	}
	other := reopen(t, filepath.Join(filepath.Dir(m.Stores.Home), "..", "other"), "")
	other.Stores.Home, other.Stores.OpenOwn = m.Stores.Home, m.Stores.OpenOwn
	if got, want := places(t, other, recall.ItemQuery{}), []string{"style own"}; !slices.Equal(got, want) {
		t.Errorf("another repository knows %q instead of %q", got, want)
	}
}

func TestTheRepositoryWinsOverTheUsersOwn(t *testing.T) {
	m := newMemory(t, "")
	write(t, m, item("style", sage.Preference, "terse"))
	write(t, m, item("style", sage.Knowledge, "of the house"))
	if k, err := m.Knowledge.Item(t.Context(), "style"); err != nil || k.Own || k.Item.Content != "of the house" {
		t.Errorf("%+v, %v", k, err)
	}
	if _, err := m.Write.Items(t.Context(), "", item("style", sage.Preference, "hidden")); !errors.Is(err, gitstore.ErrExists) {
		t.Errorf("what the repository would hide was written: %v", err)
	}
	write(t, m, recall.ItemChange{ItemChange: gitstore.ItemChange{Key: "style", Remove: true}})
	if k, err := m.Knowledge.Item(t.Context(), "style"); err != nil || !k.Own || k.Item.Content != "terse" {
		t.Errorf("%+v, %v", k, err)
	}
}

func TestItemsAreChangedWhereTheyLie(t *testing.T) {
	m := newMemory(t, "")
	write(t, m, item("style", sage.Preference, "terse"), item("ship", sage.Todo, "it"))
	edit := func(id string, f func(*sage.Item) error) recall.ItemChange {
		return recall.ItemChange{ItemChange: gitstore.ItemChange{Key: id, Edit: f}}
	}
	out := write(t, m, edit("style", func(it *sage.Item) error { it.Content = "terser"; return nil }))
	if len(out) != 1 || !out[0].Own {
		t.Errorf("written: %+v", out)
	}
	write(t, m, edit("style", func(it *sage.Item) error { it.Status = sage.Archived; return nil }))
	if got, want := places(t, m, recall.ItemQuery{}), []string{"ship here"}; !slices.Equal(got, want) {
		t.Errorf("%q instead of %q", got, want)
	}
	if got, want := places(t, m, recall.ItemQuery{All: true, Types: []sage.ItemType{sage.Preference}}), []string{"style own"}; !slices.Equal(got, want) {
		t.Errorf("%q instead of %q", got, want)
	}
	if _, err := m.Write.Items(t.Context(), "", edit("none", nil)); !errors.Is(err, gitstore.ErrNotFound) {
		t.Errorf("a missing item was changed: %v", err)
	}
}

// Who adds an item reads its folder and no other, however many there are: that one of those
// is lost keeps nobody from saving.
func TestNewItemReadsItsFolderAlone(t *testing.T) {
	m := newMemory(t, "")
	write(t, m, item("lost", sage.Knowledge, "It was here."))
	dir := m.Store.Repo.CommonDir()
	cmd := exec.Command("git", "--git-dir", dir, "rev-parse", "refs/sage/knowledge:knowledge/76")
	cmd.Env = storetest.Env(m.Stores.Home)
	id, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, objects := range []string{"objects", "sage/backup.git/objects"} {
		must(t, os.Remove(filepath.Join(dir, objects, string(id[:2]), strings.TrimSpace(string(id[2:])))))
	}
	write(t, m, item("new", sage.Knowledge, "It is here."))
}
