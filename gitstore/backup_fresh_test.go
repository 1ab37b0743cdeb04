package gitstore

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/loose"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

// freshStore is a store with one checkpoint, and the objects of that.
func freshStore(t *testing.T) (*Store, []loose.Object) {
	t.Helper()
	w := storetest.New(t)
	w.Repo("r")
	s, err := Open(ctx, Options{Dir: w.Path("r"), Env: w.Env, Now: storetest.Clock()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	id := kept(t, s, "one").ID
	var out []loose.Object
	for _, rev := range []string{id, id + "^{tree}", id + ":checkpoint.md"} {
		o, err := s.batch.Get(rev)
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
	if err := os.Remove(s.freshFile()); err != nil {
		t.Fatal(err)
	}
	for _, o := range objects[1:] {
		if err := os.Remove(s.objectFile(o.ID)); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.verify(ctx, objects...); err != nil {
		t.Fatal(err)
	}
	if got := s.fresh(freshTail); !slices.Equal(got, []string{objects[1].ID, objects[2].ID}) {
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
			s.noteFresh([]loose.Object{late})
		}
		return nil
	})()
	if !s.pruneFresh(func([]string) []string { return []string{objects[0].ID} }) || !written {
		t.Fatal("the list was not written")
	}
	if got := s.fresh(freshTail); !slices.Equal(got, []string{objects[0].ID, late.ID}) {
		t.Errorf("looked for: %q", got)
	}
}

// Who reads a checkpoint whose text is gone has it back, however long ago it was saved.
func TestLoadTakesBack(t *testing.T) {
	s, objects := freshStore(t)
	for range 6 {
		kept(t, s, "more")
	}
	if err := os.Remove(s.freshFile()); err != nil {
		t.Fatal(err)
	}
	for _, o := range objects[1:] {
		if err := os.Remove(s.objectFile(o.ID)); err != nil {
			t.Fatal(err)
		}
	}
	c, err := s.Load(ctx, objects[0].ID)
	if err != nil || c.Thesis != "one" {
		t.Errorf("%+v %v", c, err)
	}
}

// Who reads the knowledge has back what a prune took since the store was opened.
func TestReadersOfKnowledgeTakeBack(t *testing.T) {
	s, _ := freshStore(t)
	if _, err := s.WriteItems(ctx, "", ItemChange{Item: &sage.Item{ID: "rule", Type: sage.Knowledge, Content: "a rule"}}); err != nil {
		t.Fatal(err)
	}
	tip, err := s.KnowledgeTip(ctx)
	if err != nil {
		t.Fatal(err)
	}
	text, err := s.batch.Get(tip + ":" + itemPath("rule"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		gone   string
		listed bool
	}{{text.ID, true}, {tip, true}, {tip, false}} {
		if err := os.Remove(s.objectFile(c.gone)); err != nil {
			t.Fatal(err)
		}
		if !c.listed {
			if err := os.Remove(s.freshFile()); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := s.Item(ctx, "rule"); err != nil || got.Item.Content != "a rule" {
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
		if err := os.Remove(s.objectFile(id)); err != nil {
			t.Fatal(err)
		}
		if err := os.Remove(s.freshFile()); err != nil {
			t.Fatal(err)
		}
		if !backed {
			if err := os.RemoveAll(s.backupDir()); err != nil {
				t.Fatal(err)
			}
		}
		l, err := s.Switch(ctx, "side", true, "")
		if backed && (err != nil || l.Tip != id) || !backed && (err == nil || !strings.Contains(err.Error(), "git sage fsck")) {
			t.Errorf("backup %v: %+v %v", backed, l, err)
		}
	}
}
