package sidecar

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
)

// How vectors are found is what vector_index says, in a process that lives so long that
// building a graph is worth it, and a scan in any other.
func TestVectorIndexIsObeyed(t *testing.T) {
	s := newStore(t)
	if _, err := s.Checkpoints.Save(t.Context(), gitstore.Draft{Checkpoint: sage.Checkpoint{Thesis: "It is."}}); err != nil { // else it has no folder
		t.Fatal(err)
	}
	for _, tt := range []struct {
		long bool
		set  string
		want string
	}{
		{false, "hnsw", ""}, {true, "hnsw", "hnsw"}, {true, "auto", "auto"}, {true, "flat", "flat"},
	} {
		all := &Indexes{Long: tt.long}
		sc := New(s, false, nil, Options{Indexes: all, VectorIndex: func() string { return tt.set }})
		if err := sc.Open(); err != nil {
			t.Fatal(err)
		}
		sc.Close()
		for _, name := range slices.Collect(maps.Keys(all.open)) {
			if !strings.HasSuffix(name, " "+tt.want) {
				t.Errorf("%+v: opened as %s", tt, name)
			}
		}
		if len(all.open) == 0 {
			t.Errorf("%+v: nothing is open", tt)
		}
	}
}
