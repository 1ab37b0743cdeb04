package rank

import (
	"cmp"
	"slices"

	"github.com/git-sage/git-sage/recall/index"
)

// A Ranking says how candidates are ordered and which of them are recalled. Its
// methods are pure: the same in, the same out.
type Ranking struct {
	Weights      Weights            // zero is DefaultWeights
	Calibration  *Calibration       // of the model; nil if there is none: words stand alone
	Thresholds   map[string]float64 // by type of item; what is not there is in DefaultThresholds
	Learned      float64            // threshold of knowledge that the store's prompts tell of; 0 goes by its size
	LearnedTitle float64            // likewise, of a title
	Proactive    bool               // nobody asked: proactiveThreshold counts for all types
	Asked        bool               // somebody asks outright: if nothing reaches its threshold, what comes nearest
	MaxItems     int                // 0 is DefaultMaxItems
	MaxTokens    int                // 0 is DefaultMaxTokens
	Withhold     bool               // what was written for code that changed or is gone is not recalled
}

// A Question is what candidates are ranked for.
type Question struct {
	Text   string
	Vector []float32 // of the text; nil asks by words alone

	patterns *patterns // that were held against the text; nil is none yet
}

// Rank returns all candidates, the best first. See [Ranking.Choose] for those that
// are recalled.
//
// The order is that of min-max scaled legs: the best candidate of a leg counts 1 and
// the worst 0, so that neither leg drowns the other whatever the question. In nDCG@10
// on LoCoMo knowledge and turns (macro; e5-small-v2 in float32) that gives .593 and
// .511, the same with bare cosines .584 and .509, words alone .520 and .43, the model
// alone .498 and .431. Scores take the place of order nowhere: ordering by them gives
// .577 and .485.
func (r *Ranking) Rank(q Question, found *index.Result) []Scored {
	c := r.centre(q, found)
	out := make([]Scored, 0, len(found.Hits))
	paths, l := onPath(q, found), lexiconOf(q.Text, found)
	if q.patterns != nil {
		l.patterns = q.patterns
	}
	for i := range found.Hits {
		out = append(out, r.score(q, l, &found.Hits[i], c, paths))
	}
	r.order(out, c != nil)
	slices.SortStableFunc(out, func(a, b Scored) int { return cmp.Compare(b.Order, a.Order) })
	if c != nil && !dated().MatchString(q.Text) {
		out = c.newestFirst(out)
	}
	return belowNewer(out)
}

// centre is nil if there is nothing to compare by meaning.
func (r *Ranking) centre(q Question, found *index.Result) *centre {
	if r.Calibration == nil || q.Vector == nil || found.Vectors == 0 || r.weights().Meaning == 0 {
		return nil
	}
	c := newCentre(r.Calibration, found.Mean, found.Vectors)
	return &c
}

func (r *Ranking) order(list []Scored, both bool) {
	w := r.weights()
	if !both {
		w = Weights{0, 1}
	}
	meaning := scaled(list, func(s *Scored) (float64, bool) { return s.cosine, s.Vector })
	words := scaled(list, func(s *Scored) (float64, bool) { return s.keyword, true })
	for i := range list {
		list[i].Order = (w.Meaning*meaning[i] + w.Words*words[i]) / (w.Meaning + w.Words)
	}
}

// scaled maps a number of each candidate to 0 for the least and 1 for the most. One
// that has none counts like the least.
func scaled(list []Scored, of func(*Scored) (float64, bool)) []float64 {
	lo, hi, any := 0.0, 0.0, false
	for i := range list {
		if x, ok := of(&list[i]); ok && !any {
			lo, hi, any = x, x, true
		} else if ok {
			lo, hi = min(lo, x), max(hi, x)
		}
	}
	out := make([]float64, len(list))
	for i := range list {
		if x, ok := of(&list[i]); ok && hi > lo {
			out[i] = (x - lo) / (hi - lo)
		}
	}
	return out
}
