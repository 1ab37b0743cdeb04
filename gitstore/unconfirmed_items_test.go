package gitstore_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

func TestUnconfirmedItemsAreListed(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	var changes []gitstore.ItemChange
	for id, it := range map[string]sage.Item{
		"plain": {Content: "A"}, "always": {Content: "B", Scope: sage.Scope{Always: true}}, "gone": {Content: "C", Status: sage.Archived},
	} {
		it.ID, it.Type = id, sage.Knowledge
		changes = append(changes, gitstore.ItemChange{Key: id, Item: &it})
	}
	if _, err := open(t, w, "r", person).Knowledge.WriteItems(t.Context(), "add", changes...); err != nil {
		t.Fatal(err)
	}
	list := func(dir string, want ...string) {
		t.Helper()
		if got, err := open(t, w, dir, person).Knowledge.UnconfirmedItems(t.Context()); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %q, %v, want %q", dir, got, err, want)
		}
	}
	list("r")
	w.Git("", "clone", "-q", w.Path("r"), w.Path("clone"))
	list("clone")
	w.Git("clone", "fetch", "-q", "origin", gitstore.KnowledgeRef+":"+gitstore.KnowledgeRef)
	list("clone", "always", "plain")
	list("clone", "always", "plain") // of what is kept

	file := w.Path("clone", ".git", "sage", "cache", "item-sums")
	b, err := os.ReadFile(file)
	if err != nil || strings.Count(string(b), "\n") != 4 {
		t.Fatalf("%v, %s", err, b)
	}
	for _, damaged := range []string{string(b[:len(b)-5]), "another version\n" + string(b), ""} {
		must(t, os.WriteFile(file, []byte(damaged), 0o644))
		list("clone", "always", "plain")
	}
	s := open(t, w, "clone", person)
	must(t, s.Review.ConfirmItems(t.Context(), item(t, s, "plain")))
	list("clone", "always")
	if got, err := open(t, w, "clone", func(o *gitstore.Options) { o.Global = true }).Knowledge.UnconfirmedItems(t.Context()); err != nil || len(got) > 0 {
		t.Errorf("of one's own store: %q, %v", got, err)
	}

	os.Remove(file)
	restore := fsx.Inject(func(op fsx.Op, path string) error {
		if op.Changes() && strings.Contains(path, filepath.Join("sage", "cache")) {
			return errors.New("broken")
		}
		return nil
	})
	defer restore()
	list("clone", "always") // which cannot be kept
}
