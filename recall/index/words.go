package index

import (
	"math"
	"slices"

	"github.com/git-sage/git-sage/recall/index/terms"
)

// A keywordLeg scores units by the terms of a query. All that it computes is the same
// however the documents are spread over segments.
type keywordLeg struct {
	p      BM25
	segs   []*segment
	kinds  [][]bool // by segment and kind: whether it counts
	terms  []Term
	lists  [][][]posting // by segment and term
	scores [][]float64   // by segment and unit; nil if no term is there
	units  int
	avg    float64 // length of a unit
	best   float64
}

func newKeywordLeg(segs []*segment, q *Query) (*keywordLeg, error) {
	k := &keywordLeg{p: DefaultBM25, segs: segs}
	if q.BM25 != nil {
		k.p = *q.BM25
	}
	k.count(q.Kinds)
	k.terms = termsOf(q.Text)
	if err := k.look(); err != nil {
		return nil, err
	}
	for s := range segs {
		k.score(s)
	}
	k.best = k.own()
	return k, nil
}

func termsOf(text string) []Term {
	var out []Term
	at := map[string]int{}
	for _, t := range terms.Of(text) {
		i, ok := at[t]
		if !ok {
			i = len(out)
			at[t] = i
			out = append(out, Term{Text: t})
		}
		out[i].Count++
	}
	return out
}

// count sums up the units of the kinds that count.
func (k *keywordLeg) count(kinds []string) {
	var all lengths
	for _, s := range k.segs {
		in := make([]bool, len(s.kinds))
		for i, name := range s.kinds {
			in[i] = len(kinds) == 0 || slices.Contains(kinds, name)
			if in[i] {
				all.plus(s.totalIn[i], 1)
				all.plus(s.deadIn[i], -1)
			}
		}
		k.kinds = append(k.kinds, in)
	}
	k.units = all.units
	k.avg = k.length(all.body, all.title, all.keywords) / float64(max(1, all.units))
}

func (l *lengths) plus(o lengths, sign int) {
	l.units += sign * o.units
	l.body += sign * o.body
	l.title += sign * o.title
	l.keywords += sign * o.keywords
}

func (k *keywordLeg) length(body, title, keywords int) float64 {
	return float64(body) + k.p.Title*float64(title) + k.p.Keywords*float64(keywords)
}

// look finds the postings of the terms and how many units have each.
func (k *keywordLeg) look() error {
	k.lists = make([][][]posting, len(k.segs))
	for i, s := range k.segs {
		k.lists[i] = make([][]posting, len(k.terms))
		for j := range k.terms {
			list, err := s.postings(k.terms[j].Text)
			if err != nil {
				return err
			}
			k.lists[i][j] = list
			k.terms[j].Units += k.living(i, list)
		}
	}
	for j := range k.terms {
		n := float64(k.terms[j].Units)
		k.terms[j].IDF = math.Log(1 + (float64(k.units)-n+0.5)/(n+0.5))
	}
	return nil
}

func (k *keywordLeg) living(seg int, list []posting) int {
	s := k.segs[seg]
	if s.dead == nil && !slices.Contains(k.kinds[seg], false) {
		return len(list)
	}
	n := 0
	for _, p := range list {
		if k.counts(seg, s.units[p.Unit].Doc) {
			n++
		}
	}
	return n
}

// counts reports whether a document may be found at all.
func (k *keywordLeg) counts(seg int, doc uint32) bool {
	s := k.segs[seg]
	return !s.isDead(doc) && k.kinds[seg][s.docs[doc].Kind]
}

// score fills in the scores of the units of a segment.
func (k *keywordLeg) score(seg int) {
	s := k.segs[seg]
	k.scores = append(k.scores, nil)
	for j, list := range k.lists[seg] {
		if len(list) > 0 && k.scores[seg] == nil {
			k.scores[seg] = make([]float64, len(s.units))
		}
		weight := float64(k.terms[j].Count) * k.terms[j].IDF
		for _, p := range list {
			u := &s.units[p.Unit]
			tf := k.length(int(p.Body), int(p.Title), int(p.Keywords))
			k.scores[seg][p.Unit] += k.part(weight, tf, k.length(int(u.Body), int(u.Title), int(u.Keywords)))
		}
	}
}

// part is what a term adds to the score of a unit.
func (k *keywordLeg) part(weight, tf, length float64) float64 {
	return weight * tf * (k.p.K1 + 1) / (tf + k.p.K1*(1-k.p.B+k.p.B*length/k.avg))
}

// own is the score of a unit that is the query itself.
func (k *keywordLeg) own() float64 {
	if k.units == 0 {
		return 0
	}
	length, sum := 0, 0.0
	for _, t := range k.terms {
		length += t.Count
	}
	for _, t := range k.terms {
		sum += k.part(float64(t.Count)*t.IDF, float64(t.Count), float64(length))
	}
	return sum
}

// of is the score of a document: that of its best unit.
func (k *keywordLeg) of(seg int, doc uint32) (score float64, unit int) {
	scores, s := k.scores[seg], k.segs[seg]
	if scores == nil {
		return 0, 0
	}
	from := s.docs[doc].Unit
	for u := from; u < s.docs[doc+1].Unit; u++ {
		if scores[u] > score {
			score, unit = scores[u], int(u-from)
		}
	}
	return score, unit
}

// matched are the terms that a document has.
func (k *keywordLeg) matched(seg int, doc uint32) []int {
	s := k.segs[seg]
	from, to := s.docs[doc].Unit, s.docs[doc+1].Unit
	var out []int
	for j, list := range k.lists[seg] {
		i, _ := slices.BinarySearchFunc(list, from, func(p posting, u uint32) int { return int(p.Unit) - int(u) })
		if i < len(list) && list[i].Unit < to {
			out = append(out, j)
		}
	}
	return out
}

// ranked are all documents with a term, the best last.
func (k *keywordLeg) ranked() *ranking {
	r := &ranking{segs: k.segs}
	for seg, scores := range k.scores {
		s := k.segs[seg]
		if scores == nil {
			continue
		}
		for doc := range uint32(s.len()) {
			if score, _ := k.of(seg, doc); score > 0 && k.counts(seg, doc) {
				r.add(place{seg, doc}, score)
			}
		}
	}
	return r
}
