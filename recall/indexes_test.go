package recall

import (
	"slices"
	"strings"
	"testing"

	"maps"
)

// How vectors are found is what vector_index says, in a process that lives so long that
// building a graph is worth it, and a scan in any other.
func TestVectorIndexIsObeyed(t *testing.T) {
	for _, tt := range []struct {
		long bool
		set  string
		want string
	}{
		{false, "hnsw", ""}, {true, "hnsw", "hnsw"}, {true, "auto", "auto"}, {true, "flat", "flat"},
	} {
		m := newMemory(t, "")
		m.Indexes = &Indexes{Long: tt.long}
		m.Settings = func() Settings { return Settings{VectorIndex: tt.set} }
		if _, err := m.Search(t.Context(), "anything", SearchOptions{}); err != nil {
			t.Fatal(err)
		}
		for _, name := range slices.Collect(maps.Keys(m.Indexes.open)) {
			if !strings.HasSuffix(name, " "+tt.want) {
				t.Errorf("%+v: opened as %s", tt, name)
			}
		}
		if len(m.Indexes.open) == 0 {
			t.Errorf("%+v: nothing is open", tt)
		}
	}
}
