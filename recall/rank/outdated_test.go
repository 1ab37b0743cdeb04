package rank

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/git-sage/git-sage/recall/doc"
	"github.com/git-sage/git-sage/recall/index"
)

// Whatever the scores: what is outdated never stands above what is newer, is never
// recalled where that replaced it, and hands its place on.
func TestNothingOutdatedStandsAboveWhatIsNewer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 8).Draw(t, "items")
		newer := map[string][]string{} // by what
		var hits []testHit
		for i := range n {
			m := index.Meta{Tokens: rapid.IntRange(1, 900).Draw(t, "tokens"), Updated: time.Unix(int64(i)*1000, 0), Always: rapid.IntRange(0, 6).Draw(t, "always") == 0}
			key := fmt.Sprint("k/", i)
			for j := range n {
				switch other := fmt.Sprint("k/", j); rapid.IntRange(0, 5).Draw(t, "link") {
				case 0:
					if j > i {
						m.ReplacedBy = append(m.ReplacedBy, other)
						newer[key] = append(newer[key], other)
					}
				case 1:
					if j != i {
						m.ReplacedBy = append(m.ReplacedBy, doc.Contradiction(other))
						newer[fmt.Sprint("k/", min(i, j))] = append(newer[fmt.Sprint("k/", min(i, j))], fmt.Sprint("k/", max(i, j)))
					}
				}
			}
			hits = append(hits, testHit{key, rapid.Float64Range(0, 1).Draw(t, "cosine"), rapid.Float64Range(0, 1).Draw(t, "words"), m})
		}
		r := Ranking{Calibration: flat, MaxTokens: 1000}
		q := ask
		q.Text = rapid.SampledFrom([]string{"x", "what was x in 2019"}).Draw(t, "question")
		ranked := r.Rank(q, resultOf(hits...))
		chosen := r.Choose(ranked)
		slices.SortStableFunc(ranked, func(a, b Scored) int { return b.Precedence() - a.Precedence() })
		for _, list := range [][]Scored{ranked, chosen} {
			for i := range list {
				old := &list[i]
				for _, key := range newer[old.Meta.Key] {
					at := slices.IndexFunc(list, func(s Scored) bool { return s.Meta.Key == key })
					if old.Chosen && (at < 0 || at > i || !list[at].Chosen || slices.Contains(old.Meta.ReplacedBy, key)) {
						t.Fatalf("%s is recalled in spite of %s: %s", old.Meta.Key, key, keys(list))
					}
				}
			}
		}
		for i := range ranked {
			if s := &ranked[i]; len(newer[s.Meta.Key]) > 0 && s.Outdated == "" {
				t.Fatalf("%s does not say that it is outdated", s.Meta.Key)
			}
		}
	})
}
