package gitstore_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

func fact(id, text string, change ...func(*sage.Item)) *sage.Item {
	it := &sage.Item{ID: id, Content: text, Keywords: []string{"k"}}
	for _, f := range change {
		f(it)
	}
	return it
}

func add(id, text string, change ...func(*sage.Item)) gitstore.ItemChange {
	return gitstore.ItemChange{Item: fact(id, text, change...)}
}

func edit(id string, f func(*sage.Item)) gitstore.ItemChange {
	return gitstore.ItemChange{Key: id, Edit: func(it *sage.Item) error { f(it); return nil }}
}

func writeItems(t testing.TB, s *gitstore.Store, changes ...gitstore.ItemChange) gitstore.ItemsSaved {
	t.Helper()
	out, err := s.Knowledge.WriteItems(ctx, "", changes...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func item(t testing.TB, s *gitstore.Store, id string) gitstore.ItemEntry {
	t.Helper()
	e, err := s.Knowledge.Item(ctx, id)
	if err != nil || e.Err != nil {
		t.Fatal(err, e.Err)
	}
	return e
}

func TestItems(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	s := open(t, w, "r")
	if list, err := s.Knowledge.Items(ctx); err != nil || list != nil {
		t.Errorf("before the first: %v, %v", list, err)
	}
	out := writeItems(t, s, add("staging-wipe", "Staging is wiped on Sundays."))
	if out.Commit == "" || len(out.Items) != 1 || len(out.Warnings) != 0 {
		t.Errorf("saved %+v", out)
	}
	if got := strings.TrimSpace(w.Git("r", "log", "-1", "--format=%s", "refs/sage/knowledge")); got != "add fact staging-wipe" {
		t.Errorf("subject %q", got)
	}
	got := item(t, s, "staging-wipe")
	if got.Item.Content != "Staging is wiped on Sundays." || got.Item.Status != sage.Active || got.Item.Added.IsZero() || got.Blob != out.Items[0].Blob {
		t.Errorf("read %+v", got)
	}
	if _, err := s.Knowledge.WriteItems(ctx, "", add("staging-wipe", "again")); !errors.Is(err, gitstore.ErrExists) {
		t.Errorf("added twice: %v", err)
	}
	if list, err := s.Knowledge.Items(ctx); err != nil || len(list) != 1 || list[0].Blob != got.Blob {
		t.Errorf("list: %v, %v", list, err)
	}
	writeItems(t, s, gitstore.ItemChange{Key: "staging-wipe", Remove: true})
	if _, err := s.Knowledge.Item(ctx, "staging-wipe"); !errors.Is(err, gitstore.ErrNotFound) {
		t.Errorf("after its removal: %v", err)
	}
}
