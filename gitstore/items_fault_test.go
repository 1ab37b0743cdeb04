package gitstore_test

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

// reads are all ways to read items.
func reads(s *gitstore.Store) map[string]func(context.Context) error {
	return map[string]func(context.Context) error{
		"one":   func(ctx context.Context) error { _, err := s.Knowledge.Item(ctx, "x"); return err },
		"all":   func(ctx context.Context) error { _, err := s.Knowledge.Items(ctx); return err },
		"notes": func(ctx context.Context) error { _, err := s.Knowledge.ItemsUnder(ctx, "system"); return err },
		"since": func(ctx context.Context) error { _, _, _, err := s.Knowledge.ItemsSince(ctx, ""); return err },
		"links": func(ctx context.Context) error { _, err := s.Knowledge.ItemLinks(ctx, "x"); return err },
		"then":  func(ctx context.Context) error { _, err := s.Knowledge.ItemAt(ctx, "x", "now"); return err },
		"core":  func(ctx context.Context) error { _, err := s.Knowledge.CoreFiles(ctx); return err },
	}
}

func TestItemsOfANewerFormat(t *testing.T) {
	_, s := store(t)
	writeItems(t, s, add("x", "x"), gitstore.ItemChange{Key: "system/n", Item: &sage.Item{Content: "n"}})
	writeFile(t, s, "format.yaml", "min_reader: 99\n")
	for name, read := range reads(s) {
		if err := read(ctx); !errors.Is(err, gitstore.ErrNewer) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := s.Knowledge.WriteItems(ctx, "", add("y", "y")); !errors.Is(err, gitstore.ErrNewer) {
		t.Errorf("written: %v", err)
	}
}

// What is damaged is named, and nothing is written over it.
func TestItemsOfADamagedTree(t *testing.T) {
	for name, tt := range map[string]struct {
		lost  string
		fails string // the reads that fail
	}{
		"file":   {"knowledge/2d/x.md", "one links then"},
		"shard":  {"knowledge/2d", "all links one since then"},
		"folder": {"knowledge", "one then"},
		"root":   {"", "core one then"},
		"core":   {"core.yaml", "core"},
	} {
		t.Run(name, func(t *testing.T) {
			w, s := store(t)
			writeItems(t, s, add("x", "x"), add("y", "y"), gitstore.ItemChange{Key: "system/n", Item: &sage.Item{Content: "n"}})
			if err := s.Knowledge.MarkCore(ctx, "a.go", "a"); err != nil {
				t.Fatal(err)
			}
			id := strings.TrimSpace(w.Git("r", "rev-parse", "refs/sage/knowledge:"+tt.lost))
			lose(w, id)
			if err := os.RemoveAll(w.Path("r/.git/sage/backup.git")); err != nil { // who writes would take it from there
				t.Fatal(err)
			}
			s = open(t, w, "r")
			for what, read := range reads(s) {
				err := read(ctx)
				if err != nil && strings.Contains(err.Error(), "\n") {
					t.Errorf("%s: more than a line: %v", what, err)
				}
				if tt.fails != "" && err == nil && strings.Contains(" "+tt.fails+" ", " "+what+" ") {
					t.Errorf("%s says nothing of it", what)
				}
			}
			if list, err := s.Knowledge.Items(ctx); name == "file" && (err != nil || len(list) != 2 || list[0].Err == nil && list[1].Err == nil) {
				t.Errorf("all but one are there: %v %v", list, err)
			}
			_, edited := s.Knowledge.WriteItems(ctx, "", edit("x", func(it *sage.Item) { it.Content = "z" }))
			_, added := s.Knowledge.WriteItems(ctx, "", add("x", "z"))
			if name != "core" && (edited == nil || added == nil) {
				t.Errorf("what cannot be read was written over: %v %v", edited, added)
			}
			if err := s.Knowledge.MarkCore(ctx, "b.go", "b"); err == nil && (name == "core" || name == "root") {
				t.Error("a list that cannot be read was written over")
			}
		})
	}
}

func TestItemsStopWhenAsked(t *testing.T) {
	_, s := store(t)
	writeItems(t, s, add("x", "x"), gitstore.ItemChange{Key: "system/n", Item: &sage.Item{Content: "n"}})
	stopped, stop := context.WithCancel(ctx)
	stop()
	for name, read := range reads(s) {
		if err := read(stopped); err == nil {
			t.Errorf("%s went on", name)
		}
	}
	if _, err := s.Knowledge.WriteItems(stopped, "", add("y", "y")); err == nil {
		t.Error("and wrote")
	}
}

func TestItemsAreNotWrittenWhereSageIsOff(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	w.Git("r", "config", "sage.enabled", "false")
	if _, err := open(t, w, "r").Knowledge.WriteItems(ctx, "", add("x", "x")); !errors.Is(err, gitstore.ErrDisabled) {
		t.Errorf("got %v", err)
	}
}

// An item that was wrong before can be edited all the same, and not made worse.
func TestWhatWasWrongCanBeEdited(t *testing.T) {
	_, s := store(t)
	writeFile(t, s, "knowledge/2d/x.md", "---\nid: x\ntype: dream\n---\n\ntext\n")
	writeItems(t, s, edit("x", func(it *sage.Item) { it.Status = sage.Archived }))
	if got := item(t, s, "x").Item; got.Type != "dream" || got.Status != sage.Archived {
		t.Errorf("%+v", got)
	}
	if _, err := s.Knowledge.WriteItems(ctx, "", edit("x", func(it *sage.Item) { it.Status = "asleep" })); err == nil || strings.Contains(err.Error(), "dream") || !strings.Contains(err.Error(), "asleep") {
		t.Errorf("%v", err)
	}
}

// Many items come in one commit, and are found again one by one.
func TestManyItemsInOneCommit(t *testing.T) {
	_, s := store(t)
	var changes []gitstore.ItemChange
	for _, c := range "abcdefghij" {
		changes = append(changes, add(string(c), "item "+string(c), func(it *sage.Item) { it.Links = []sage.Link{{Kind: sage.Extends, To: "a2"}} }))
	}
	out := writeItems(t, s, append(changes, add("a2", "what they extend"))...)
	if len(out.Items) != 11 || len(out.Warnings) != 0 {
		t.Errorf("%+v", out)
	}
	if links, err := s.Knowledge.ItemLinks(ctx, "a2"); err != nil || len(links) != 10 || links[0].Kind != gitstore.ExtendedBy || !links[0].From {
		t.Errorf("%+v %v", links, err)
	}
}
