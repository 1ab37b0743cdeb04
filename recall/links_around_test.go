package recall_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/recall"
	"github.com/git-sage/git-sage/recall/sidecar"
)

// What the sidecar tells of links is what all items tell.
func TestLinksAround(t *testing.T) {
	m := newMemory(t, "")
	m.Stores.Indexes = &sidecar.Indexes{}
	with := func(id string, links ...sage.Link) recall.ItemChange {
		c := item(id, sage.Knowledge, "About "+id+".")
		c.Item.Links = links
		return c
	}
	replaced := with("old")
	replaced.Item.Status, replaced.Item.Replacement = sage.Deprecated, "new"
	write(t, m, with("new", sage.Link{Kind: sage.Supersedes, To: "older"}, sage.Link{Kind: sage.Related, To: "gone"}), with("older"), with("alone"), replaced,
		with("other", sage.Link{Kind: sage.Contradicts, To: "new"}))
	check := func() {
		t.Helper()
		items, err := m.Knowledge.Items(t.Context(), recall.ItemQuery{})
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range items {
			want, err := m.Store.Knowledge.ItemLinks(t.Context(), k.Item.ID)
			if err != nil {
				t.Fatal(err)
			}
			got, err := m.Knowledge.LinksAround(t.Context(), k)
			if d := cmp.Diff(want, got, cmp.Comparer(func(a, b *sage.Item) bool { return (a == nil) == (b == nil) })); err != nil || d != "" {
				t.Errorf("%s: %v %s", k.Item.ID, err, d)
			}
		}
	}
	check()
	write(t, m, recall.ItemChange{ItemChange: gitstore.ItemChange{Key: "other", Remove: true}})
	write(t, m, recall.ItemChange{ItemChange: gitstore.ItemChange{Item: with("older", sage.Link{Kind: sage.Extends, To: "alone"}).Item, Replace: true}})
	check()
}

// A kept index follows what others do to its files.
func TestKeptIndexes(t *testing.T) {
	m := newMemory(t, "")
	m.Stores.Indexes = &sidecar.Indexes{}
	write(t, m, item("a", sage.Knowledge, "one"))
	if got := held(t, m); len(got) != 1 {
		t.Errorf("%q", got)
	}
	other := recall.New(recall.Options{Store: m.Store, Home: m.Stores.Home, OpenOwn: m.Stores.OpenOwn})
	write(t, other, item("b", sage.Knowledge, "two"))
	if got := held(t, m); len(got) != 2 {
		t.Errorf("behind another's save: %q", got)
	}
	must(t, other.Stores.Drop(t.Context()))
	if got := held(t, m); len(got) != 2 || m.Stores.Indexes.Len() != 1 {
		t.Errorf("behind a removal: %q, %d are open", got, m.Stores.Indexes.Len())
	}
}
