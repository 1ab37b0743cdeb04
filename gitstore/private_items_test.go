package gitstore_test

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/codec"
	"github.com/git-sage/git-sage/gitstore/storetest"
	"github.com/google/go-cmp/cmp"
)

// Whatever becomes of items in either half of the knowledge, those count that are private, then
// those that are shared; and whoever follows the changes from any earlier state ends where
// whoever reads all of it does.
func TestPrivateItemsCountBeforeShared(t *testing.T) {
	for seed := range uint64(4) {
		w := storetest.New(t)
		w.Repo("r")
		s := open(t, w, "r", func(o *gitstore.Options) { o.Person = true })
		r := rand.New(rand.NewPCG(seed, 7))
		shared, private := map[string]string{}, map[string]string{}
		states := map[string]map[string]string{"": {}} // what was known of each
		for step := range 25 {
			id, text := fmt.Sprint("item-", r.IntN(3)), fmt.Sprintf("text %d", step)
			half, where := shared, func(file string) string { return file }
			if r.IntN(2) == 0 {
				half, where = private, func(file string) string { return "private/" + file }
			}
			file := map[string]string{"item-0": "knowledge/69/item-0.md", "item-1": "knowledge/59/item-1.md", "item-2": "knowledge/77/item-2.md"}[id]
			it := &sage.Item{ID: id, Content: text}
			it.SetPrivate(where("") != "")
			var b []byte
			if delete(half, id); r.IntN(3) > 0 {
				half[id], b = text, codec.MarshalItem(it)
			}
			must(t, s.Tree.WriteFiles(ctx, "change", map[string][]byte{where(file): b}))
			want := maps.Clone(shared)
			maps.Copy(want, private)
			if d := cmp.Diff(want, itemTexts(t, s)); d != "" {
				t.Fatalf("seed %d, step %d: %s", seed, step, d)
			}
			for old, was := range states {
				changed, removed, tip, err := s.Knowledge.ItemsSince(ctx, old)
				if err != nil {
					t.Fatal(err)
				}
				got := maps.Clone(was)
				for _, key := range removed {
					delete(got, key)
				}
				for _, e := range changed {
					got[e.Key] = e.Item.Content
				}
				if d := cmp.Diff(want, got); d != "" {
					t.Fatalf("seed %d, step %d, from %q to %q: %s", seed, step, old, tip, d)
				}
			}
			_, _, tip, err := s.Knowledge.ItemsSince(ctx, "")
			if err != nil {
				t.Fatal(err)
			}
			states[tip] = want
			if report, err := s.Fsck.Check(ctx); err != nil || len(report.Findings) > 0 {
				t.Fatalf("seed %d, step %d: %v, %v", seed, step, report.Findings, err)
			}
		}
	}
}

// Processes that make one item private, let it leave and edit it at once leave it in one half; it
// is there at any time, and nothing that it said while it was private is in what others get.
func TestPrivateItemFlippedAtOnce(t *testing.T) {
	const flipped = "knowledge/bf/flipped.md"
	w := storetest.New(t)
	w.Repo("r")
	person := func(o *gitstore.Options) { o.Person = true }
	s := open(t, w, "r", person)
	if _, err := s.Knowledge.WriteItems(ctx, "", gitstore.ItemChange{Item: &sage.Item{ID: "flipped", Content: "shared"}}); err != nil {
		t.Fatal(err)
	}
	const rounds = 12
	edits := []func(it *sage.Item, n int){
		func(it *sage.Item, n int) { it.SetPrivate(true); it.Content = fmt.Sprint("secret ", n) },
		func(it *sage.Item, n int) { it.SetPrivate(false); it.Content = fmt.Sprint("shared ", n) },
		func(it *sage.Item, n int) {
			if it.Content = fmt.Sprint("shared and edited ", n); it.IsPrivate() {
				it.Content = fmt.Sprint("secret and edited ", n)
			}
		},
	}
	var writers, reader sync.WaitGroup
	for _, edit := range edits {
		own := open(t, w, "r", person)
		writers.Go(func() {
			for n := range rounds {
				_, err := own.Knowledge.WriteItems(ctx, "", gitstore.ItemChange{Key: "flipped", Edit: func(it *sage.Item) error { edit(it, n); return nil }})
				if err != nil && !errors.Is(err, repo.ErrOutraced) {
					t.Error(err)
				}
			}
		})
	}
	done := make(chan bool)
	own := open(t, w, "r", person)
	reader.Go(func() {
		for {
			select {
			case <-done:
				return
			default:
			}
			if e, err := own.Knowledge.Item(ctx, "flipped"); err != nil || e.Item.IsPrivate() != strings.HasPrefix(e.Item.Content, "secret") {
				t.Errorf("read %+v: %v", e.Item, err)
				return
			}
		}
	})
	writers.Wait()
	close(done)
	reader.Wait()
	_, err := s.Tree.ReadFile(ctx, "private/"+flipped)
	_, err2 := s.Tree.ReadFile(ctx, flipped)
	if (err == nil) == (err2 == nil) {
		t.Errorf("it is to lie in one half: %v; %v", err, err2)
	}
	if said := w.Git("r", "log", "-p", "--format=%s", "refs/sage/knowledge"); strings.Contains(said, "secret") || !strings.Contains(said, "shared") {
		t.Errorf("shared is: %s", said)
	}
	if report, err := s.Fsck.Check(ctx); err != nil || len(report.Findings) > 0 {
		t.Errorf("%v, %v", report.Findings, err)
	}
}

func itemTexts(t *testing.T, s *gitstore.Store) map[string]string {
	t.Helper()
	list, err := s.Knowledge.Items(ctx)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, e := range list {
		if one, err := s.Knowledge.Item(ctx, e.Key); err != nil || one.Blob != e.Blob || out[e.Key] != "" {
			t.Fatalf("'%s' is listed as %s, twice or else than it is: %v", e.Key, e.Blob, err)
		}
		out[e.Key] = e.Item.Content
	}
	return out
}
