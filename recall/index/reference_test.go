package index

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/prose/terms"
	"github.com/git-sage/git-sage/recall/index/internal/segment"
	"github.com/git-sage/git-sage/recall/index/internal/vectors"
)

// A reference is the index as plainly as it can be written: it keeps documents and
// vectors in maps and computes everything anew.
type reference struct {
	o       Options
	docs    map[string]segment.Doc
	vectors map[segment.ChunkID][]float32
}

type refUnit struct {
	counts                map[string]segment.Posting
	body, title, keywords int
	in                    terms.Lang
}

// of is what a unit has of a term of a query.
func (u refUnit) of(k *keywordLeg, term int) (p segment.Posting, ok bool) {
	add := func(t string) {
		if c, has := u.counts[t]; has {
			p.Body, p.Title, p.Keywords, ok = p.Body+c.Body, p.Title+c.Title, p.Keywords+c.Keywords, true
		}
	}
	add(k.terms[term].Text)
	for l, other := range k.others[term] {
		if other != "" && k.languages[l] == u.in {
			add(other)
		}
	}
	return p, ok
}

func (r *reference) units(d segment.Doc) []refUnit {
	var out []refUnit
	in := segment.LanguageOf(&d)
	title, keywords := terms.Indexed(d.Title, in), terms.Indexed(strings.Join(d.Keywords, "\n"), in)
	for _, text := range d.Units() {
		u := refUnit{map[string]segment.Posting{}, 0, len(title), len(keywords), in}
		count := func(ts []string, add func(*segment.Posting)) {
			for _, t := range ts {
				p := u.counts[t]
				add(&p)
				u.counts[t] = p
			}
		}
		body := terms.Indexed(text, in)
		u.body = len(body)
		count(body, func(p *segment.Posting) { p.Body++ })
		count(title, func(p *segment.Posting) { p.Title++ })
		count(keywords, func(p *segment.Posting) { p.Keywords++ })
		out = append(out, u)
	}
	return out
}

func (r *reference) search(q Query) *Result {
	p := DefaultBM25
	if q.BM25 != nil {
		p = *q.BM25
	}
	length := func(b, t, k int) float64 { return float64(b) + p.Title*float64(t) + p.Keywords*float64(k) }
	all := map[string][]refUnit{}
	n, body, title, keywords := 0, 0, 0, 0
	for key, d := range r.docs {
		if len(q.Kinds) > 0 && !slices.Contains(q.Kinds, d.Kind) {
			continue
		}
		all[key] = r.units(d)
		for _, u := range all[key] {
			n, body, title, keywords = n+1, body+u.body, title+u.title, keywords+u.keywords
		}
	}
	avg := length(body, title, keywords) / float64(max(1, n))
	leg := &keywordLeg{}
	for _, in := range terms.Languages {
		for _, us := range all {
			if len(us) > 0 && us[0].in == in && !slices.Contains(leg.languages, in) {
				leg.languages = append(leg.languages, in)
			}
		}
	}
	leg.termsOf(q.Text)
	out := &Result{Terms: leg.terms, Units: n}
	for i := range out.Terms {
		t := &out.Terms[i]
		for _, us := range all {
			for _, u := range us {
				if _, ok := u.of(leg, i); ok {
					t.Units++
				}
			}
		}
		t.IDF = math.Log(1 + (float64(n)-float64(t.Units)+0.5)/(float64(t.Units)+0.5))
	}
	part := func(weight, tf, l float64) float64 { // in the same order, to be equal to the last bit
		return weight * (p.K1 + 1) * tf / (tf + (p.K1*(1-p.B) + p.K1*p.B/avg*l))
	}
	hits := map[string]*Hit{}
	for key, us := range all {
		d := r.docs[key]
		h := &Hit{Meta: &d.Meta}
		matched := map[int]bool{}
		for i, u := range us {
			score := 0.0
			for j, t := range out.Terms {
				if c, ok := u.of(leg, j); ok {
					matched[j] = true
					score += part(float64(t.Count)*t.IDF, length(int(c.Body), int(c.Title), int(c.Keywords)), length(u.body, u.title, u.keywords))
				}
			}
			if score > h.Keyword {
				h.Keyword, h.Unit = score, i
			}
		}
		for j := range out.Terms {
			if matched[j] {
				h.Matched = append(h.Matched, j)
			}
		}
		if q.Vector != nil {
			spans := r.o.cutter().Chunks(&d)
			h.Chunks = len(spans)
			for i, s := range spans {
				v, ok := r.vectors[segment.HashOf(segment.ChunkText(d.Title, d.Body[s.From:s.To])).ID()]
				if !ok {
					continue
				}
				if c := vectors.Dot(q.Vector, v); !h.Vector || c > h.Cosine {
					h.Vector, h.Cosine, h.Chunk, h.Nearest = true, c, i, v
				}
			}
		}
		hits[key] = h
	}
	total := 0
	for _, t := range out.Terms {
		total += t.Count
	}
	if n > 0 {
		for _, t := range out.Terms {
			out.Best += part(float64(t.Count)*t.IDF, float64(t.Count), float64(total))
		}
	}
	found := map[string]bool{}
	r.exact(q, out, hits, found)
	passes := func(h *Hit) bool { return q.Filter == nil || q.Filter(h.Meta) }
	best := func(score func(*Hit) float64, has func(*Hit) bool) {
		var list []*Hit
		for _, h := range hits {
			if has(h) && passes(h) {
				list = append(list, h)
			}
		}
		slices.SortFunc(list, func(a, b *Hit) int {
			return cmp.Or(cmp.Compare(score(b), score(a)), segment.HashOf(a.Meta.Key).Compare(segment.HashOf(b.Meta.Key)))
		})
		for _, h := range list[:min(len(list), q.Limit)] {
			found[h.Meta.Key] = true
		}
	}
	best(func(h *Hit) float64 { return h.Keyword }, func(h *Hit) bool { return h.Keyword > 0 })
	best(func(h *Hit) float64 { return h.Cosine }, func(h *Hit) bool { return h.Vector })
	for _, key := range q.Also {
		if h := hits[key]; h != nil && passes(h) {
			found[key] = true
		}
	}
	for _, key := range slices.Sorted(func(yield func(string) bool) {
		for k := range found {
			if !yield(k) {
				return
			}
		}
	}) {
		out.Hits = append(out.Hits, *hits[key])
	}
	return out
}

// exact looks for each keyword of each document in the query.
func (r *reference) exact(q Query, out *Result, hits map[string]*Hit, found map[string]bool) {
	words := terms.Words(q.Text)
	seen := map[string]bool{}
	languages := []terms.Lang{"", segment.LanguageOf(&segment.Doc{Body: q.Text})}
	for _, h := range hits {
		languages = append(languages, segment.LanguageOf(&segment.Doc{Meta: *h.Meta, Body: r.docs[h.Meta.Key].Body}))
	}
	slices.Sort(languages)
	languages = slices.Compact(languages)
	for i := range words {
		for j := i + 1; j <= min(len(words), i+longestPhrase(words[i:])); j++ {
			phrase := strings.Join(words[i:j], " ")
			var with []string
			for key, h := range hits {
				if slices.ContainsFunc(h.Meta.Keywords, func(k string) bool {
					own := terms.Phrase(k)
					return own != "" && (own == phrase || slices.ContainsFunc(languages, func(in terms.Lang) bool {
						p := terms.KeyPhrase(words[i:j], in)
						return own == p || terms.KeyPhrase(terms.Words(k), in) == p
					}))
				}) {
					with = append(with, key)
				}
			}
			if seen[phrase] || len(with) == 0 {
				continue
			}
			seen[phrase] = true
			out.Keywords = append(out.Keywords, Keyword{phrase, len(with), len(with)})
			for _, key := range with {
				h := hits[key]
				if (q.Filter == nil || q.Filter(h.Meta)) && len(with) <= maxShared {
					h.Exact = append(h.Exact, len(out.Keywords)-1)
					found[key] = true
				}
			}
		}
	}
}
