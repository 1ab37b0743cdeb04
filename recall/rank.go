package recall

import (
	"cmp"
	"math"
	"slices"

	"github.com/git-sage/git-sage/recall/index"
)

// A Score says how well something fits, and why. Value is absolute, 0 to 1, and held
// against thresholds; Order puts one answer in order and means nothing beyond it.
type Score struct {
	Value    float64
	Order    float64
	Keyword  float64  // share of the query's own best possible score, 0 to 1
	Meaning  float64  // calibrated cosine, 0 to 1
	Cosine   float64  // as the model has it; 0 without a vector
	Exact    []string // keywords of the item that stand in the query
	ByItself bool     // such a keyword recalls it by itself
}

// score is what a hit is worth by itself.
func (m *Memory) score(query string, r *index.Result, h *index.Hit) Score {
	s := Score{Cosine: h.Cosine}
	if r.Best > 0 {
		s.Keyword = math.Min(1, h.Keyword/r.Best)
	}
	if h.Vector {
		s.Meaning = math.Min(1, math.Max(0, (h.Cosine-0.70)/(0.92-0.70)))
	}
	w := m.settings()
	s.Value = w.EmbeddingWeight*s.Meaning + w.KeywordWeight*s.Keyword
	if !h.Vector {
		s.Value = s.Keyword
	}
	for _, i := range h.Exact {
		s.Exact = append(s.Exact, r.Keywords[i].Phrase)
		s.ByItself = s.ByItself || r.Keywords[i].Docs <= manyShare
	}
	return s
}

// order puts candidates in order.
func order(list []candidate, w Settings) {
	lo, hi := [2]float64{math.Inf(1), math.Inf(1)}, [2]float64{math.Inf(-1), math.Inf(-1)}
	for _, c := range list {
		for i, x := range []float64{c.hit.Cosine, c.hit.Keyword} {
			lo[i], hi[i] = math.Min(lo[i], x), math.Max(hi[i], x)
		}
	}
	share := func(i int, x float64) float64 {
		if hi[i] <= lo[i] {
			return 0
		}
		return (x - lo[i]) / (hi[i] - lo[i])
	}
	for i, c := range list {
		list[i].score.Order = w.EmbeddingWeight*share(0, c.hit.Cosine) + w.KeywordWeight*share(1, c.hit.Keyword)
	}
	slices.SortStableFunc(list, func(a, b candidate) int { return cmp.Compare(b.score.Order, a.score.Order) })
}
