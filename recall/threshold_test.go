package recall

import (
	"math"
	"os"
	"testing"

	"github.com/git-sage/git-sage/recall/index"
)

// The threshold of knowledge goes by the size of the store until its prompts tell more.
func TestThresholdIsTheStoresOwn(t *testing.T) {
	s := &Scored{Hit: &index.Hit{Meta: &index.Meta{Kind: kindItem, Type: "knowledge"}}}
	for texts, want := range map[int]float64{0: 0.70, 1: 0.45, 36: 0.45, 60: 0.52, 100: 0.59, 215: 0.70, 10000: 0.70} {
		s.texts = texts
		if got, _ := (&Ranking{}).threshold(s); math.Abs(got-want) > 0.005 {
			t.Errorf("%d texts: %.2f", texts, got)
		}
	}
	s.texts = 10
	for _, r := range []struct {
		r    Ranking
		want float64
	}{{Ranking{Learned: 0.6}, 0.6}, {Ranking{Learned: 0.6, Thresholds: map[string]float64{"knowledge": 0.1}}, 0.1}} {
		if got, _ := r.r.threshold(s); got != r.want {
			t.Errorf("%.2f instead of %.2f", got, r.want)
		}
	}
	s.Triggers.Common = []string{"test"}
	if got, _ := (&Ranking{Learned: 0.5}).threshold(s); got != mostThreshold {
		t.Errorf("a common word as a keyword: %.2f", got)
	}
}

func TestThresholdIsLearned(t *testing.T) {
	m := newMemory(t, "")
	withBag(m)
	write(t, m, item("when", "knowledge", "release every friday afternoon"))
	ask := func() *Ranking {
		if _, err := m.Recall(t.Context(), "release on friday", RecallOptions{Titles: true, Quick: true}); err != nil {
			t.Fatal(err)
		}
		l, err := m.shelves(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer l.close()
		return l[0].ranking(t.Context(), RecallOptions{})
	}
	for range leastPrompts - 1 {
		if r := ask(); r.Learned != 0 || r.LearnedTitle != 0 {
			t.Fatalf("learned of too few: %+v", r)
		}
	}
	if r := ask(); r.Learned != mostThreshold { // which all of them reach
		t.Errorf("learned %.2f", r.Learned)
	}
	file := (&shelf{m: m, store: m.Store}).promptFile()
	if err := os.WriteFile(file, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if r := ask(); r.Learned != 0 {
		t.Errorf("of a damaged file: %.2f", r.Learned)
	}
}
