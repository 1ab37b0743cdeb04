package gitstore

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/git-sage/git-sage/gitstore/internal/backup"
	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/knowledge"
	"github.com/git-sage/git-sage/gitstore/internal/loose"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/storetest"
	"github.com/git-sage/git-sage/internal/hint"
)

// freshStore is a store with one checkpoint, and the objects of that.
func freshStore(t *testing.T) (*Store, []loose.Object) {
	t.Helper()
	w := storetest.New(t)
	w.Repo("r")
	s, err := Open(ctx, repo.Options{Dir: w.Path("r"), Env: w.Env, Now: storetest.Clock()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	id := kept(t, s, "one").ID
	var out []loose.Object
	for _, rev := range []string{id, id + "^{tree}", id + ":checkpoint.md"} {
		o, err := s.Repo.Batch.Get(rev)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, loose.Object{ID: o.ID, Type: o.Type, Data: o.Data})
	}
	return s, out
}

// What is written again after the ref moved is looked for again, though somebody took it
// for settled meanwhile: a prune that looked before may come by a second time.
func TestWhatIsWrittenAgainIsLookedForAgain(t *testing.T) {
	s, objects := freshStore(t)
	if err := os.Remove(s.Backup.FreshFile()); err != nil {
		t.Fatal(err)
	}
	for _, o := range objects[1:] {
		if err := os.Remove(s.Repo.ObjectFile(o.ID)); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Backup.Verify(ctx, objects...); err != nil {
		t.Fatal(err)
	}
	if got := s.Backup.Fresh(backup.FreshTail); !slices.Equal(got, []string{objects[1].ID, objects[2].ID}) {
		t.Errorf("looked for: %q", got)
	}
}

// What another process notes while the list is written anew stays in it.
func TestListOfWhatIsNewKeepsWhatOthersNote(t *testing.T) {
	s, objects := freshStore(t)
	late := loose.Object{ID: strings.Repeat("ab", 20)}
	written := false
	defer fsx.Inject(func(op fsx.Op, path string) error {
		if op == fsx.OpRename && strings.HasSuffix(path, "/cache/fresh") && !written {
			written = true
			s.Backup.NoteFresh([]loose.Object{late})
		}
		return nil
	})()
	if !s.Backup.PruneFresh(func([]string) []string { return []string{objects[0].ID} }) || !written {
		t.Fatal("the list was not written")
	}
	if got := s.Backup.Fresh(backup.FreshTail); !slices.Equal(got, []string{objects[0].ID, late.ID}) {
		t.Errorf("looked for: %q", got)
	}
}

// Who reads a checkpoint whose text is gone has it back, however long ago it was saved.
func TestLoadTakesBack(t *testing.T) {
	s, objects := freshStore(t)
	for range 6 {
		kept(t, s, "more")
	}
	if err := os.Remove(s.Backup.FreshFile()); err != nil {
		t.Fatal(err)
	}
	for _, o := range objects[1:] {
		if err := os.Remove(s.Repo.ObjectFile(o.ID)); err != nil {
			t.Fatal(err)
		}
	}
	c, err := s.Commits.Load(ctx, objects[0].ID)
	if err != nil || c.Thesis != "one" {
		t.Errorf("%+v %v", c, err)
	}
}

// Who reads the knowledge has back what a prune took since the store was opened.
func TestReadersOfKnowledgeTakeBack(t *testing.T) {
	s, _ := freshStore(t)
	if _, err := s.Knowledge.WriteItems(ctx, "", knowledge.ItemChange{Item: &sage.Item{ID: "rule", Type: sage.Knowledge, Content: "a rule"}}); err != nil {
		t.Fatal(err)
	}
	tip, err := s.History.KnowledgeTip(ctx)
	if err != nil {
		t.Fatal(err)
	}
	text, err := s.Repo.Batch.Get(tip + ":" + knowledge.ItemPath("rule"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		gone   string
		listed bool
	}{{text.ID, true}, {tip, true}, {tip, false}} {
		if err := os.Remove(s.Repo.ObjectFile(c.gone)); err != nil {
			t.Fatal(err)
		}
		if !c.listed {
			if err := os.Remove(s.Backup.FreshFile()); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := s.Knowledge.Item(ctx, "rule"); err != nil || got.Item.Content != "a rule" {
			t.Errorf("%+v: %+v %v", c, got, err)
		}
	}
}

// A line whose commit is gone is not taken for one without checkpoints: a new line begins
// there, or nowhere.
func TestLostTipIsNoEmptyLine(t *testing.T) {
	for _, backed := range []bool{true, false} {
		s, objects := freshStore(t)
		id := objects[0].ID
		if err := os.Remove(s.Repo.ObjectFile(id)); err != nil {
			t.Fatal(err)
		}
		if err := os.Remove(s.Backup.FreshFile()); err != nil {
			t.Fatal(err)
		}
		if !backed {
			if err := os.RemoveAll(s.Backup.BackupDir()); err != nil {
				t.Fatal(err)
			}
		}
		l, err := s.Lines.Switch(ctx, "side", true, "")
		if backed && (err != nil || l.Tip != id) || !backed && (err == nil || !strings.Contains(hint.Error(err), "git sage fsck")) {
			t.Errorf("backup %v: %+v %v", backed, l, err)
		}
	}
}
