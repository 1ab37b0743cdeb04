package index

import (
	"math"
	"slices"

	"github.com/git-sage/git-sage/prose/terms"
	"github.com/git-sage/git-sage/recall/index/internal/segment"
)

// A keywordLeg scores units by the terms of a query. All that it computes is the same
// however the documents are spread over segments.
type keywordLeg struct {
	p     BM25
	segs  []*segment.Segment
	kinds [][]bool // by segment and kind: whether it counts

	languages []terms.Lang          // of documents, whose words lose other inflections than those of English
	within    [][][]segment.Posting // by segment and language, the units of those documents
	others    [][]string            // by term, as each of these languages has it

	terms  []Term
	lists  [][][]segment.Posting // by segment and term
	scores [][]float64           // by segment and unit; nil if no term is there
	units  int
	best   float64

	// A term adds weight x tf x gain / (tf + rest + slope x length).
	gain, rest, slope float64
}

func newKeywordLeg(segs []*segment.Segment, q *Query) (*keywordLeg, error) {
	k := &keywordLeg{p: DefaultBM25, segs: segs}
	if q.BM25 != nil {
		k.p = *q.BM25
	}
	k.count(q.Kinds)
	if err := k.lookForLanguages(); err != nil {
		return nil, err
	}
	k.termsOf(q.Text)
	if err := k.look(); err != nil {
		return nil, err
	}
	for s := range segs {
		k.score(s)
	}
	k.best = k.own()
	return k, nil
}

// lookForLanguages finds out in which languages there are documents.
func (k *keywordLeg) lookForLanguages() error {
	k.within = make([][][]segment.Posting, len(k.segs))
	for _, in := range terms.Languages {
		units, lists := 0, make([][]segment.Posting, len(k.segs))
		for i, s := range k.segs {
			list, err := s.Postings(segment.InLanguage(in))
			if err != nil {
				return err
			}
			lists[i] = list
			units += k.living(i, list)
		}
		if units == 0 {
			continue
		}
		k.languages = append(k.languages, in)
		for i := range k.segs {
			k.within[i] = append(k.within[i], lists[i])
		}
	}
	return nil
}

// termsOf are those of a query, as documents in English and in each other language have it.
func (k *keywordLeg) termsOf(text string) {
	at := map[string]int{}
	asked := make([][]string, len(k.languages))
	for i, in := range k.languages {
		asked[i] = terms.Asked(text, in)
	}
	for n, t := range terms.Asked(text, "") {
		i, ok := at[t]
		if !ok {
			i = len(k.terms)
			at[t] = i
			k.terms, k.others = append(k.terms, Term{Text: t}), append(k.others, make([]string, len(k.languages)))
			for l := range k.languages {
				if n < len(asked[l]) && asked[l][n] != t {
					k.others[i][l] = asked[l][n]
				}
			}
		}
		k.terms[i].Count++
	}
}

// postings are those of a term in a segment, with what the documents in another language
// have in its place.
func (k *keywordLeg) postings(seg, term int) ([]segment.Posting, error) {
	out, err := k.segs[seg].Postings(k.terms[term].Text)
	for l, other := range k.others[term] {
		if other == "" || err != nil || len(k.within[seg][l]) == 0 {
			continue
		}
		var list []segment.Posting
		if list, err = k.segs[seg].Postings(other); err == nil {
			out = united(out, list, k.within[seg][l])
		}
	}
	return out, err
}

// united are postings and others of units that are within a list, in the order of units.
func united(a, b, within []segment.Posting) []segment.Posting {
	out := make([]segment.Posting, 0, len(a)+len(b))
	for _, p := range b {
		for len(within) > 0 && within[0].Unit < p.Unit {
			within = within[1:]
		}
		if len(within) == 0 || within[0].Unit != p.Unit {
			continue
		}
		for len(a) > 0 && a[0].Unit < p.Unit {
			out, a = append(out, a[0]), a[1:]
		}
		if len(a) > 0 && a[0].Unit == p.Unit {
			p.Body, p.Title, p.Keywords = p.Body+min(a[0].Body, math.MaxUint16-p.Body), p.Title+min(a[0].Title, math.MaxUint8-p.Title), p.Keywords+min(a[0].Keywords, math.MaxUint8-p.Keywords)
			a = a[1:]
		}
		out = append(out, p)
	}
	return append(out, a...)
}

// count sums up the units of the kinds that count.
func (k *keywordLeg) count(kinds []string) {
	var all segment.Lengths
	for _, s := range k.segs {
		in := make([]bool, len(s.Kinds))
		for i, name := range s.Kinds {
			in[i] = len(kinds) == 0 || slices.Contains(kinds, name)
			if in[i] {
				plus(&all, s.TotalIn[i], 1)
				plus(&all, s.DeadIn[i], -1)
			}
		}
		k.kinds = append(k.kinds, in)
	}
	k.units = all.Units
	avg := k.length(all.Body, all.Title, all.Keywords) / float64(max(1, all.Units))
	k.gain, k.rest, k.slope = k.p.K1+1, k.p.K1*(1-k.p.B), k.p.K1*k.p.B/avg
}

func plus(l *segment.Lengths, o segment.Lengths, sign int) {
	l.Units += sign * o.Units
	l.Body += sign * o.Body
	l.Title += sign * o.Title
	l.Keywords += sign * o.Keywords
}

func (k *keywordLeg) length(body, title, keywords int) float64 {
	return float64(body) + k.p.Title*float64(title) + k.p.Keywords*float64(keywords)
}

// look finds the postings of the terms and how many units have each.
func (k *keywordLeg) look() error {
	k.lists = make([][][]segment.Posting, len(k.segs))
	for i := range k.segs {
		k.lists[i] = make([][]segment.Posting, len(k.terms))
		for j := range k.terms {
			list, err := k.postings(i, j)
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

func (k *keywordLeg) living(seg int, list []segment.Posting) int {
	s := k.segs[seg]
	if s.Dead == nil && !slices.Contains(k.kinds[seg], false) {
		return len(list)
	}
	n := 0
	for _, p := range list {
		if k.counts(seg, s.Units[p.Unit].Doc) {
			n++
		}
	}
	return n
}

// counts reports whether a document may be found at all.
func (k *keywordLeg) counts(seg int, doc uint32) bool {
	s := k.segs[seg]
	return !s.IsDead(doc) && k.kinds[seg][s.Docs[doc].Kind]
}

// score fills in the scores of the units of a segment.
func (k *keywordLeg) score(seg int) {
	s := k.segs[seg]
	var scores, sizes []float64
	for j, list := range k.lists[seg] {
		if len(list) == 0 {
			continue
		}
		if scores == nil {
			scores, sizes = make([]float64, len(s.Units)), k.sizes(s)
		}
		weight := float64(k.terms[j].Count) * k.terms[j].IDF * k.gain
		for i := range list {
			p := &list[i]
			tf := k.length(int(p.Body), int(p.Title), int(p.Keywords))
			scores[p.Unit] += weight * tf / (tf + sizes[p.Unit])
		}
	}
	k.scores = append(k.scores, scores)
}

// sizes are what the lengths of units add below the line.
func (k *keywordLeg) sizes(s *segment.Segment) []float64 {
	out := make([]float64, len(s.Units))
	for i := range s.Units {
		u := &s.Units[i]
		out[i] = k.rest + k.slope*k.length(int(u.Body), int(u.Title), int(u.Keywords))
	}
	return out
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
		tf := float64(t.Count)
		sum += tf * t.IDF * k.gain * tf / (tf + (k.rest + k.slope*float64(length)))
	}
	return sum
}

// of is the score of a document: that of its best unit.
func (k *keywordLeg) of(seg int, doc uint32) (score float64, unit int) {
	scores, s := k.scores[seg], k.segs[seg]
	if scores == nil {
		return 0, 0
	}
	from := s.Docs[doc].Unit
	for u := from; u < s.Docs[doc+1].Unit; u++ {
		if scores[u] > score {
			score, unit = scores[u], int(u-from)
		}
	}
	return score, unit
}

// matched are the terms that a document has.
func (k *keywordLeg) matched(seg int, doc uint32) []int {
	s := k.segs[seg]
	from, to := s.Docs[doc].Unit, s.Docs[doc+1].Unit
	var out []int
	for j, list := range k.lists[seg] {
		i, n := 0, len(list)
		for i < n {
			if m := int(uint(i+n) / 2); list[m].Unit < from {
				i = m + 1
			} else {
				n = m
			}
		}
		if i < len(list) && list[i].Unit < to {
			out = append(out, j)
		}
	}
	return out
}

// ranked are all documents with a term.
func (k *keywordLeg) ranked() *ranking {
	r := &ranking{segs: k.segs}
	n := 0
	for _, scores := range k.scores {
		n += len(scores)
	}
	r.list = make([]scored, 0, n)
	for seg, scores := range k.scores {
		s := k.segs[seg]
		if scores == nil {
			continue
		}
		for doc := range uint32(s.Len()) {
			if score, _ := k.of(seg, doc); score > 0 && k.counts(seg, doc) {
				r.add(place{seg, doc}, score)
			}
		}
	}
	return r
}
