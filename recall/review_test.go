package recall_test

import (
	"fmt"
	"testing"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/recall"
)

// However many items are alike, a review compares so many and says that others are left.
func TestAReviewComparesNoMoreThanItMay(t *testing.T) {
	m := newMemory(t, "")
	withBag(m)
	var told []error
	m.Stores.Warn = func(err error) { told = append(told, err) }
	var changes []recall.ItemChange
	for i := range 700 {
		changes = append(changes, item(fmt.Sprint("k", i), sage.Knowledge, fmt.Sprintf("Deploy service number %d through the blue gateway after the tests ran", i)))
	}
	write(t, m, changes...)
	least := 0
	pairs, err := m.Review.Waiting(t.Context(), nil, func(n int) { least = n })
	if err != nil || len(pairs) == 0 || least < 20 || len(told) != 1 {
		t.Errorf("%d pairs, %d items left, told %v, %v", len(pairs), least, told, err)
	}
}
