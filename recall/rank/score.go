package rank

import (
	"cmp"
	"slices"

	"github.com/git-sage/git-sage/recall/index"
)

// Keywords are the constants of the keyword leg. With k1 .9 and b .4, which Lucene's
// users know as good for short texts, the order is better than with the 1.2 and .75 of
// the textbook on both sets it was tried on (LoCoMo knowledge .584 against .580).
var Keywords = index.BM25{K1: 0.9, B: 0.4, Title: 1, Keywords: 1}

// Candidates is how many of each leg are ranked. With all of a store the order is no
// better (nDCG@10 on LoCoMo turns .511), with 50 a little worse (.509).
const Candidates = 100

// A Scored is a candidate with all that its score was made of.
type Scored struct {
	*index.Hit
	Score     float64  `json:"score"`     // 0 to 1, held against thresholds
	Order     float64  `json:"order"`     // 0 to 1, within one answer
	Meaning   float64  `json:"meaning"`   // calibrated cosine, 0 to 1
	Words     float64  `json:"words"`     // keyword leg, 0 to 1
	Triggers  Triggers `json:"triggers"`  //
	ByWords   float64  `json:"by_words"`  // in Score, its part for words; the rest but Bonus, Fresh and Near is the meaning's
	Bonus     float64  `json:"bonus"`     // in Score, for triggers that do not recall by themselves
	Fresh     float64  `json:"fresh"`     // in Score, for being newer than what speaks of the same thing and has more
	Near      float64  `json:"near"`      // in Score, for a checkpoint whose code is behind HEAD
	Outdated  string   `json:"outdated"`  // why it is no longer right; "" for what is
	Newer     []string `json:"newer"`     // keys of what replaced it, or contradicts it and is newer, among the candidates
	Outlived  string   `json:"outlived"`  // that the code changed or is gone which it was written for; "" is not
	Excerpt   int      `json:"excerpt"`   // tokens that are given of it; 0 is all
	Threshold float64  `json:"threshold"` // that its score is held against
	Chosen    bool     `json:"chosen"`
	Weak      bool     `json:"weak"` // chosen since somebody asks outright, and nothing reaches its threshold
	Why       string   `json:"why"`  // it was chosen, or what it missed

	among    int     // how many texts it was found among
	texts    int     // and of how many there are vectors; 0: it has none, and words stand alone
	cosine   float64 // centred; below 0 for many
	keyword  float64 // keyword leg of the order, 0 to 1
	replaced bool    // by one of Newer
	Later    string  `json:"-"` // of a checkpoint: one of its line that has a later thesis about the same, or that settled it
	Line     string  `json:"-"` // that it lies on, "" is the current one
	Place    int     `json:"-"` // among the checkpoints
	Telling  bool    `json:"-"` // it has a word of the question that few texts have
}

// Weights are those of the two legs, in order and in score.
type Weights struct{ Meaning, Words float64 }

// DefaultWeights are embedding_weight and keyword_weight.
var DefaultWeights = Weights{Meaning: 0.70, Words: 0.30}

// A point of a curve that maps a raw number to a score.
type point struct{ raw, score float64 }

// The curves say how seldom a prompt that has nothing to do with a store gets so much
// of its best item: .30 is reached by half of them, .50 by a fifth, .70 by one in
// twenty, .80 by one in fifty. Measured on LoCoMo knowledge, conversations 26-44,
// with the speakers' names replaced, and prompts put to the store of the next
// conversation; on 47-50, 5% get .68.
var (
	bothCurve = []point{{0, 0}, {.31, .30}, {.43, .50}, {.555, .70}, {.635, .80}, {1, 1}}
	wordCurve = []point{{0, 0}, {.47, .30}, {.615, .50}, {.84, .70}, {.96, .80}, {1, 1}}
)

// at is the score of a raw number.
func at(curve []point, raw float64) float64 {
	raw = min(max(raw, 0), 1)
	i, _ := slices.BinarySearchFunc(curve, raw, func(p point, x float64) int { return cmp.Compare(p.raw, x) })
	if i == 0 {
		return curve[0].score
	}
	a, b := curve[i-1], curve[i]
	return a.score + (b.score-a.score)*(raw-a.raw)/(b.raw-a.raw)
}

const (
	// What a keyword within words and a pattern add to the score, and at most: less
	// than the lowest threshold, so that neither recalls by itself.
	substringBonus, patternBonus, mostBonus = 0.10, 0.20, 0.20
)

// besideMeaning is what words count at least, as a share of meaning: who says the same
// in other words shares none. Prompts without a word of what they ask for are recalled
// from a centred cosine of .51 on and not of .62, at the same share of foreign prompts
// and of right ones (LoCoMo knowledge, 50%).
const besideMeaning = 0.5

// score fills in everything about one candidate but its place.
func (r *Ranking) score(q Question, l *lexicon, h *index.Hit, c *centre, paths map[string]string) Scored {
	s := Scored{Hit: h, Triggers: l.triggers(h), among: l.found.Units}
	if r.Proactive { // the question is names, of the project and its parts
		s.Triggers.Exact, s.Triggers.Common = append(s.Triggers.Exact, s.Triggers.Common...), nil
	}
	if p := paths[h.Meta.Key]; p != "" {
		s.Triggers.Exact = append(s.Triggers.Exact, p)
	}
	s.Words, s.keyword, s.Telling = l.evidence(h), l.share(h), l.telling(h)
	if len(s.Triggers.Exact) > 0 || len(s.Triggers.Common) > 0 && c != nil && h.Vector { // words that stand alone would be enough
		s.Words, s.keyword = 1, 1
	}
	if c != nil && h.Vector {
		s.texts = l.found.Vectors
		s.cosine = c.cosine(q.Vector, h.Nearest)
		s.Meaning = min(max(s.cosine/r.Calibration.Unit(), 0), 1)
	}
	s.Score, s.ByWords = r.raw(&s, c != nil && h.Vector)
	s.Bonus = min(substringBonus*float64(len(s.Triggers.Substring))+patternBonus*float64(len(s.Triggers.Patterns)), mostBonus, 1-s.Score)
	s.Score += s.Bonus
	return s
}

// raw is the score without a bonus, and the part of it that words account for. Without a
// vector, words stand alone.
func (r *Ranking) raw(s *Scored, both bool) (score, byWords float64) {
	w := r.weights()
	if !both || w.Meaning == 0 {
		score = at(wordCurve, s.Words)
		return score, score
	}
	sum := w.Meaning*s.Meaning + w.Words*max(s.Words, s.Meaning*besideMeaning)
	if sum == 0 {
		return 0, 0
	}
	score = at(bothCurve, sum/(w.Meaning+w.Words))
	return score, score * w.Words * s.Words / sum
}

func (r *Ranking) weights() Weights {
	w := Weights{max(r.Weights.Meaning, 0), max(r.Weights.Words, 0)}
	if w.Meaning+w.Words == 0 {
		return DefaultWeights
	}
	return w
}

// CodeWeights are the weights for code, whose model knows more than words do.
var CodeWeights = Weights{Meaning: 0.90, Words: 0.10}
