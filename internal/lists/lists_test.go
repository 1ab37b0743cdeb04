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

func TestOrder(t *testing.T) {
	if got := lists.PutFirst([]int{1, 2, 3, 4}, func(n int) bool { return n%2 == 0 }); !slices.Equal(got, []int{2, 4, 1, 3}) {
		t.Errorf("even ones first: %v", got)
	}
	behind := map[int][]int{0: {2, 1}, 1: {0}}
	if got := lists.Behind([]string{"a", "b", "c", "d"}, func(i int) []int { return behind[i] }); !slices.Equal(got, []string{"c", "b", "a", "d"}) {
		t.Errorf("behind others: %q", got)
	}
}
