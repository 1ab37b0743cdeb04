package recall_test

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/recall"
	"github.com/git-sage/git-sage/recall/similarity"
)

// A model that is measured beside itself gets the scale that the thresholds are of,
// whatever the pairs; fewer than tell are refused.
func TestCalibrateOnItems(t *testing.T) {
	m := newMemory(t, "")
	var changes []recall.ItemChange
	words := []string{"alpha", "bravo", "jinx", "quartz", "vow", "fjord", "hymn", "zebra", "plum", "kudos"}
	for i := range 30 {
		w, v := words[i%10], words[(i*7+i/10)%10]
		c := item(fmt.Sprintf("item-%d", i), sage.Knowledge, w+" "+v)
		c.Item.Keywords = []string{w}
		changes = append(changes, c)
	}
	if _, err := m.Write.Items(t.Context(), "fill", changes[1:]...); err != nil {
		t.Fatal(err)
	}
	if _, _, err := m.Similarity.CalibrateOn(t.Context(), &bag{}, &bag{}); !errors.Is(err, similarity.ErrFewPairs) {
		t.Errorf("one too few: %v", err)
	}
	if _, err := m.Write.Items(t.Context(), "fill", changes[:1]...); err != nil {
		t.Fatal(err)
	}
	c, n, err := m.Similarity.CalibrateOn(t.Context(), &bag{}, &bag{})
	if err != nil {
		t.Fatal(err)
	}
	if n != 30 || math.Abs(c.Pair-0.40) > 1e-9 {
		t.Errorf("%d pairs, pair %.4f", n, c.Pair)
	}
}
