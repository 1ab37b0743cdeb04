package gitstore

import (
	"fmt"
	"testing"

	"github.com/git-sage/git-sage/gitstore/internal/knowledge"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

// What it takes a process to know whose one item of 10,000 is, and to list all.
func BenchmarkWhoseItems(b *testing.B) {
	w := storetest.New(b)
	w.Repo("r")
	o := repo.Options{Dir: w.Path("r"), Home: w.Path("home/.sage"), Env: w.Env, Now: storetest.Clock(), Person: true}
	s, err := Open(ctx, o)
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	var changes []knowledge.ItemChange
	for i := range 10_000 {
		changes = append(changes, knowledge.ItemChange{Item: &sage.Item{ID: fmt.Sprint("item-", i), Content: fmt.Sprint("What is known of ", i, ".")}})
	}
	if _, err := s.Knowledge.WriteItems(ctx, "", changes...); err != nil {
		b.Fatal(err)
	}
	b.Run("one", func(b *testing.B) {
		for b.Loop() {
			s, err := Open(ctx, o)
			if err != nil {
				b.Fatal(err)
			}
			if e, err := s.Knowledge.Item(ctx, "item-4711"); err != nil || !s.Knowledge.IsOwnItem(e) {
				b.Fatal(e, err)
			}
			s.Close()
		}
	})
	b.Run("all", func(b *testing.B) {
		for b.Loop() {
			list, err := s.Knowledge.Items(ctx)
			if err != nil || len(list) != 10_000 {
				b.Fatal(err)
			}
			for _, e := range list {
				if !s.Knowledge.IsOwnItem(e) {
					b.Fatal(e.Key)
				}
			}
		}
	})
	b.Run("unconfirmed", func(b *testing.B) {
		for b.Loop() {
			if keys, err := s.Knowledge.UnconfirmedItems(ctx); err != nil || len(keys) > 0 {
				b.Fatal(len(keys), err)
			}
		}
	})
}
