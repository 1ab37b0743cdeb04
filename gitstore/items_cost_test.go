package gitstore_test

import (
	"fmt"
	"testing"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

// filled is a store with n items, packed as upkeep leaves them.
func filled(b *testing.B, n int) (*storetest.World, *gitstore.Store) {
	w := storetest.New(b)
	w.Repo("r")
	w.Git("r", "config", "sage.durable", "false")
	s := open(b, w, "r")
	var changes []gitstore.ItemChange
	for i := range n {
		changes = append(changes, add(fmt.Sprintf("item-%d", i), fmt.Sprintf("# Item %d\n\nWhat is known of the %d-th thing, in a few words more than one line has.", i, i)))
	}
	if _, err := s.Knowledge.WriteItems(ctx, "fill", changes...); err != nil {
		b.Fatal(err)
	}
	w.Git("r", "repack", "-adq")
	w.Git("r", "config", "--unset", "sage.durable")
	return w, open(b, w, "r")
}

var nth int // of all saves, whose ids must differ

// BenchmarkSaveItem is the save of one item in a store opened for it, as a command
// does; beside it that of a template, the least that a change of the tree costs.
func BenchmarkSaveItem(b *testing.B) {
	for _, n := range []int{100, 10_000} {
		w, _ := filled(b, n)
		b.Run(fmt.Sprintf("item/%d", n), func(b *testing.B) {
			for range b.N {
				nth++
				s := open(b, w, "r")
				writeItems(b, s, add(fmt.Sprintf("new-%d", nth), "One more thing."))
				_ = s.Close()
			}
		})
		b.Run(fmt.Sprintf("template/%d", n), func(b *testing.B) {
			for range b.N {
				nth++
				s := open(b, w, "r")
				writeFile(b, s, fmt.Sprintf("templates/t-%d.yaml", nth%20), fmt.Sprintf("name: t%d\n", nth))
				_ = s.Close()
			}
		})
	}
}

func BenchmarkItems(b *testing.B) {
	_, s := filled(b, 10_000)
	tip, _ := s.History.KnowledgeTip(ctx)
	b.Run("all", func(b *testing.B) {
		for range b.N {
			if list, err := s.Knowledge.Items(ctx); err != nil || len(list) != 10_000 {
				b.Fatal(len(list), err)
			}
		}
	})
	b.Run("links", func(b *testing.B) {
		for range b.N {
			if _, err := s.Knowledge.ItemLinks(ctx, "item-77"); err != nil {
				b.Fatal(err)
			}
		}
	})
	writeItems(b, s, edit("item-7", func(it *sage.Item) { it.Content = "other" }))
	b.Run("since", func(b *testing.B) {
		for range b.N {
			if list, _, _, err := s.Knowledge.ItemsSince(ctx, tip); err != nil || len(list) != 1 {
				b.Fatal(len(list), err)
			}
		}
	})
}
