package rank

import (
	"math"
	"testing"

	"github.com/git-sage/git-sage/recall/doc"
	"github.com/git-sage/git-sage/recall/index"
)

// The threshold of knowledge goes by the size of the store until its prompts tell more.
func TestThresholdIsTheStoresOwn(t *testing.T) {
	s := &Scored{Hit: &index.Hit{Meta: &index.Meta{Kind: doc.Item, Type: "knowledge"}}}
	for texts, want := range map[int]float64{0: 0.70, 1: 0.45, 36: 0.45, 60: 0.52, 100: 0.59, 215: 0.70, 10000: 0.70} {
		s.texts = texts
		if got, _ := (&Ranking{}).Threshold(s); math.Abs(got-want) > 0.005 {
			t.Errorf("%d texts: %.2f", texts, got)
		}
	}
	s.texts = 10
	for _, r := range []struct {
		r    Ranking
		want float64
	}{{Ranking{Learned: 0.6}, 0.6}, {Ranking{Learned: 0.6, Thresholds: map[string]float64{"knowledge": 0.1}}, 0.1}} {
		if got, _ := r.r.Threshold(s); got != r.want {
			t.Errorf("%.2f instead of %.2f", got, r.want)
		}
	}
	s.Triggers.Common = []string{"test"}
	if got, _ := (&Ranking{Learned: 0.5}).Threshold(s); got != mostThreshold {
		t.Errorf("a common word as a keyword: %.2f", got)
	}
}
