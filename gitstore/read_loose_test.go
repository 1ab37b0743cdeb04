package gitstore

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/knowledge"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

// What loose objects say of a name is what git says of it: all there, one missing, and all
// packed.
func TestObjectsAreReadAsGitReadsThem(t *testing.T) {
	ctx := context.Background()
	w := storetest.New(t)
	s, err := Open(ctx, repo.Options{Dir: w.Repo("r"), Env: w.Env, Now: storetest.Clock()})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, err := s.Knowledge.WriteItems(ctx, "", knowledge.ItemChange{Key: "one", Item: &sage.Item{Content: "one"}}, knowledge.ItemChange{Key: "two", Item: &sage.Item{Content: "two"}}); err != nil {
		t.Fatal(err)
	}
	at, file := s.History.Knowledge(), knowledge.ItemPath("one")
	dir, rest, _ := strings.Cut(file, "/")
	if _, ok, err := s.Repo.LooseAt(at + ":" + file); !ok || err != nil {
		t.Errorf("what was just written is not read here: %v", err)
	}
	blob := w.Git("r", "rev-parse", at+":"+file)
	names := []string{
		at, at + ":", at + ":" + dir, at + ":" + file, blob, w.Git("r", "rev-parse", at+"^{tree}") + ":" + dir, "HEAD", "refs/sage/knowledge", "",
		at + ":none", at + ":" + dir + "/none", at + ":none/none", at + ":" + file + "/below", blob + ":x", at[:10], strings.ToUpper(at),
		s.Repo.Objects.Zero(), s.Repo.Objects.Zero() + ":" + dir, strings.Repeat("1", len(at)), at + ":/" + dir, at + ":" + dir + "/", at + ":" + dir + "//" + rest, at + ":./" + dir, at + ":" + dir + "/..",
	}
	compare := func(how string) {
		for _, name := range names {
			want, err := s.Repo.Batch.Get(name)
			got, err2 := s.Repo.Object(name)
			if (err == nil) != (err2 == nil) || errors.Is(err, git.ErrMissing) != errors.Is(err2, git.ErrMissing) || got.ID != want.ID || got.Type != want.Type || string(got.Data) != string(want.Data) {
				t.Errorf("%s, %q: %s '%s' %v, git says %s '%s' %v", how, name, got.Type, got.ID, err2, want.Type, want.ID, err)
			}
		}
	}
	compare("loose")
	lost := filepath.Join(w.Path("r/.git/objects"), blob[:2], blob[2:])
	b, err := os.ReadFile(lost)
	if err == nil {
		err = os.Remove(lost)
	}
	if err != nil {
		t.Fatal(err)
	}
	compare("one is missing")
	if err := os.WriteFile(lost, b, 0o444); err != nil {
		t.Fatal(err)
	}
	w.Git("r", "gc", "-q")
	if _, ok, _ := s.Repo.LooseAt(at + ":" + file); ok {
		t.Error("nothing was packed")
	}
	compare("packed")
}
