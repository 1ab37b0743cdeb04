package recall_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/recall"
)

// nearOf lists what written items are near to, with what differs.
func nearOf(written []recall.Written) (out []string) {
	for _, w := range written {
		for _, n := range w.Near {
			out = append(out, n.To+" "+n.Item.ID+" "+n.Differs)
		}
	}
	return out
}

func edited(id string, f func(*sage.Item)) recall.ItemChange {
	return recall.ItemChange{ItemChange: gitstore.ItemChange{Key: id, Edit: func(it *sage.Item) error { f(it); return nil }}}
}

func TestASaveNamesWhatSaysTheSameOrOtherwise(t *testing.T) {
	for name, prepare := range map[string]func(*recall.Memory){"by meaning": func(m *recall.Memory) {
		withBag(m)
		m.Stores.Options.Settings = func() recall.Settings { return recall.Settings{Dedup: 0.7} } // the bag knows no topic
	}, "by words": func(*recall.Memory) {}} {
		t.Run(name, func(t *testing.T) {
			m := newMemory(t, "")
			prepare(m)
			write(t, m, item("wipe", sage.Knowledge, "The staging database is wiped on Sunday night"),
				item("moon", sage.Knowledge, "The moon is far away from here"),
				item("todo", sage.Todo, "The staging database is wiped on Sunday night"),
				item("style", sage.Preference, "Commit subjects are short and imperative"))
			for text, want := range map[string][]string{
				"the staging database is wiped on Sunday night!":   {"new wipe "},
				"The staging database is wiped on Saturday night":  {"new wipe dates"},
				"The staging database isn't wiped on Sunday night": {"new wipe negation"},
				"Commit subjects are short, and imperative":        {"new style "},
				"The staging cluster has three nodes of 8 GB":      nil,
			} {
				got := nearOf(write(t, m, item("new", sage.Knowledge, text)))
				if !slices.Equal(got, want) {
					t.Errorf("%q: %q instead of %q", text, got, want)
				}
				write(t, m, recall.ItemChange{ItemChange: gitstore.ItemChange{Key: "new", Remove: true}})
			}
		})
	}
}

func TestWhatIsLinkedOrUnchangedIsNotNamed(t *testing.T) {
	m := newMemory(t, "")
	withBag(m)
	write(t, m, item("old", sage.Knowledge, "Deploys need two approvals"), item("put-away", sage.Knowledge, "Releases need a changelog entry"))
	write(t, m, edited("put-away", func(it *sage.Item) { it.Status = sage.Archived }))
	if got := nearOf(write(t, m, item("log", sage.Knowledge, "Releases need a changelog entry"))); got != nil {
		t.Errorf("what is archived: %q", got)
	}
	newer := item("new", sage.Knowledge, "Deploys need three approvals")
	newer.Item.Links = []sage.Link{{Kind: sage.Contradicts, To: "old"}}
	if got := nearOf(write(t, m, newer)); got != nil {
		t.Errorf("what is linked: %q", got)
	}
	write(t, m, edited("new", func(it *sage.Item) { it.Links = nil }))
	if got := nearOf(write(t, m, edited("new", func(it *sage.Item) { it.Keywords = []string{"deploy"} }))); got != nil {
		t.Errorf("where the text did not change: %q", got)
	}
	if got := nearOf(write(t, m, edited("new", func(it *sage.Item) { it.Content = "deploys need two approvals" }))); !slices.Equal(got, []string{"new old "}) {
		t.Errorf("a new text: %q", got)
	}
}

func TestTargetsMustBeThere(t *testing.T) {
	m := newMemory(t, "")
	c := item("a", sage.Knowledge, "one")
	c.Targets = []string{"nothing"}
	var missing *gitstore.NoItemError
	if _, err := m.Write.Items(t.Context(), "", c); !errors.As(err, &missing) || missing.ID != "nothing" {
		t.Errorf("a link to nothing: %v", err)
	}
	if got := places(t, m, recall.ItemQuery{}); got != nil {
		t.Errorf("and it is saved all the same: %q", got)
	}
	if _, err := m.Write.Items(t.Context(), "", item("a", sage.Knowledge, "one"), edited("a", func(it *sage.Item) { it.Status = sage.Done })); err == nil {
		t.Error("a fact is done")
	}
}
