package rank

import "math"

// Where nothing fits a prompt well enough to be given, the titles of what may fit are: a few
// words each, once in a session. Of 60 prompts that share no word with what they need 24 are
// given that, and 12 more its title, where items have requests that want them; of 60 that
// need nothing 3 are given something, and 7 more titles (testdata/facts).
//
// Of more items the best is better by chance: on LoCoMo knowledge, 250 items a store, about
// one foreign prompt in seven reaches .55 (see the curves in score.go). The step between the
// two is drawn on; beyond 2,000 items it is above the threshold, and no title is told.
const (
	leastTitled = 0.45 // score, among as many items as testdata/facts has
	titledAmong = 60
	titledStep  = 0.07 // more, by each e-fold of items
	mostTitled  = 3

	// belowThreshold is how much less than the threshold a title needs: of 60 facts or statements
	// without requests one foreign prompt in twenty has .30 to .37.
	belowThreshold = 0.10
)

// leastTitle is the score from which a title is told, among n texts.
func leastTitle(n int) float64 {
	return leastTitled + titledStep*math.Log(max(1, float64(n)/titledAmong))
}

// leastTitle is that of one candidate: what the store's prompts tell, or below what it must
// have to be given.
func (r *Ranking) leastTitle(s *Scored) float64 {
	t, _ := r.Threshold(s)
	switch {
	case !s.isLearned():
		return leastTitle(s.among)
	case r.LearnedTitle > 0:
		return min(r.LearnedTitle, t)
	}
	return min(leastTitle(s.among), t-belowThreshold)
}

// MayAnswer reports whether a candidate fits, or its title may be told.
func (r *Ranking) MayAnswer(s *Scored) bool {
	_, fits := r.Fits(s)
	return fits || s.Score >= r.leastTitle(s)
}

// Maybes are the best of what was left out that may fit and whose titles were not seen.
func (r *Ranking) Maybes(ranked []Scored, seen func(key string) bool) (out []Scored) {
	for _, s := range ranked {
		switch {
		case s.Chosen, s.Outdated != "", r.Withhold && s.Outlived != "", s.Score < r.leastTitle(&s), seen(s.Meta.Key), len(out) == mostTitled:
			continue
		}
		out = append(out, s)
	}
	return out
}
