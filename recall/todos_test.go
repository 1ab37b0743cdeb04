package recall_test

import (
	"slices"
	"testing"

	"github.com/git-sage/git-sage/gitstore/sage"
)

// The sidecar names what is pending, whether it is up to date or not there at all.
func TestPendingTodosWithAndWithoutTheSidecar(t *testing.T) {
	m := newMemory(t, "")
	done := item("done", sage.Todo, "It is done.")
	done.Item.Status = sage.Done
	write(t, m, item("b", sage.Todo, "Second."), item("a", sage.Todo, "First."), done, item("fact", sage.Knowledge, "A todo that is none."))
	pending := func() (ids []string) {
		t.Helper()
		list, err := m.Knowledge.PendingTodos(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range list {
			ids = append(ids, k.Item.ID)
		}
		return ids
	}
	if got := pending(); !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("by the sidecar: %q", got)
	}
	if _, err := m.Store.Knowledge.WriteItems(t.Context(), "", edited("a", func(it *sage.Item) { it.Status = sage.Done }).ItemChange); err != nil {
		t.Fatal(err)
	}
	if got := pending(); !slices.Equal(got, []string{"b"}) {
		t.Errorf("beside one that is behind: %q", got)
	}
	must(t, m.Stores.Drop(t.Context()))
	if got := pending(); !slices.Equal(got, []string{"b"}) {
		t.Errorf("without one: %q", got)
	}
}
