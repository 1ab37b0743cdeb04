package lists_test

import (
	"slices"
	"testing"

	"github.com/git-sage/git-sage/internal/lists"
)

func TestUnion(t *testing.T) {
	a := []string{"b", "a"}
	if got := lists.Union(a[:1], []string{"c", "b", "c"}); !slices.Equal(got, []string{"b", "c"}) {
		t.Errorf("union is %q", got)
	}
	if a[1] != "a" {
		t.Error("the first list was written to")
	}
	if got := lists.Union[int](nil, nil); len(got) != 0 {
		t.Errorf("union of nothing is %v", got)
	}
}
