package index

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/git-sage/git-sage/prose/terms"
	"github.com/git-sage/git-sage/recall/index/internal/segment"
	"github.com/git-sage/git-sage/recall/index/internal/vectors"
)

// Search returns the candidates of both legs for q: the best Limit by words, the best
// by meaning, those with a keyword that stands in the query, and q.Also.
//
// Damaged vectors are left out; damaged documents are an ErrDamaged, after which the
// index is empty and has no tips.
func (x *Index) Search(ctx context.Context, q Query) (*Result, error) {
	if q.Vector != nil && (x.o.Model == "" || !vectors.IsUnit(q.Vector, x.o.Dim)) {
		return nil, fmt.Errorf("search: the vector is not a unit vector of %d numbers", x.o.Dim)
	}
	for try := 0; ; try++ {
		var out *Result
		err := x.read(ctx, func() (err error) {
			s := &searching{x: &x.segments, q: &q, metas: map[place]*segment.Meta{}, passed: map[place]bool{}}
			out, err = s.run()
			return err
		})
		if err == nil {
			return out, nil
		}
		if err = x.healed(err); try > 0 || !x.survived(err) {
			return nil, fmt.Errorf("search: %w", err)
		}
	}
}

// survived reports whether documents are left after damage.
func (x *Index) survived(err error) bool {
	if !errors.Is(err, ErrDamaged) {
		return false
	}
	tips, err := x.Tips()
	return err == nil && len(tips) > 0
}

// searching is one search.
type searching struct {
	x      *segments
	q      *Query
	words  *keywordLeg
	near   *meaningLeg
	metas  map[place]*segment.Meta
	passed map[place]bool
	open   [][]bool // by segment and document: whether it is of a kind that counts, and among those that may be found
}

func (s *searching) run() (*Result, error) {
	segs := s.x.segs
	any := slices.ContainsFunc(segs, func(seg *segment.Segment) bool { return seg.HasKind(s.q.Kinds) })
	if !any { // as checkpoints, where nobody saves any: 3 ms beside 100,000 items
		segs = nil
	}
	words, err := newKeywordLeg(segs, s.q)
	if err != nil {
		return nil, err
	}
	if !any {
		return &Result{Terms: words.terms, Units: words.units, Best: words.best}, nil
	}
	s.words = words
	if err := s.choose(); err != nil {
		return nil, err
	}
	out := &Result{Terms: words.terms, Units: words.units, Best: words.best}
	limit := s.q.Limit
	if limit <= 0 {
		limit = DefaultLimit
	}
	found := map[place][]int{} // with the keywords that stand in the query
	if err := s.byKeyword(out, found); err != nil {
		return nil, err
	}
	rankings := []*ranking{words.ranked()}
	if s.q.Vector != nil {
		s.near = &meaningLeg{q: s.q.Vector, segs: s.x.segs, vsegs: s.x.vsegs, graphs: s.x.graphs, open: s.open, pass: s.pass}
		out.Vectors, out.Mean = s.near.mean()
		r, err := s.near.ranked(limit)
		if err != nil {
			return nil, err
		}
		rankings = append(rankings, r)
	}
	for _, r := range rankings {
		best, err := r.take(limit, s.pass, s.isForeign)
		if err != nil {
			return nil, err
		}
		for _, p := range best {
			found[p] = append(found[p], nil...)
		}
	}
	if err := s.also(found); err != nil {
		return nil, err
	}
	return out, s.fill(out, found)
}

// byKeyword finds the documents whose keywords stand in the query, each as a whole.
func (s *searching) byKeyword(out *Result, found map[place][]int) error {
	words, languages := terms.Words(s.q.Text), append([]terms.Lang{""}, s.words.languages...)
	if in := segment.LanguageOf(&segment.Doc{Body: s.q.Text}); in != "" && !slices.Contains(languages, in) {
		languages = append(languages, in)
	}
	without := make([][]string, len(languages)) // the words, as each has them uninflected
	for l, in := range languages {
		for _, w := range words {
			without[l] = append(without[l], terms.KeyWord(w, in))
		}
	}
	seen := map[string]bool{}
	for i := range words {
		for j := i + 1; j <= min(len(words), i+longestPhrase(words[i:])); j++ {
			phrase := strings.Join(words[i:j], " ")
			if seen[phrase] {
				continue
			}
			seen[phrase] = true
			rows := []segment.PhraseRow{segment.PhraseOf(phrase)}
			for l, in := range languages {
				p := strings.Join(without[l][i:j], " ") // as [terms.KeyPhrase]
				if rows = append(rows, segment.Inflected(p, in)); p != phrase {
					rows = append(rows, segment.PhraseOf(p))
				}
			}
			places := s.withKeyword(rows...)
			if len(places) == 0 {
				continue
			}
			ours, err := s.ours(places)
			if err != nil {
				return err
			}
			out.Keywords = append(out.Keywords, Keyword{phrase, len(places), len(ours)})
			if len(places) > maxShared { // to read them took two thirds of a search among 12,000 items
				places = ours
			}
			if len(places) > maxShared {
				continue
			}
			for _, p := range places {
				if ok, err := s.pass(p); err != nil {
					return err
				} else if ok {
					found[p] = append(found[p], len(out.Keywords)-1)
				}
			}
		}
	}
	return nil
}

// maxPhrase is how many words a keyword may have to be found as a whole, and maxLetters how
// many letters where each is a word: マイグレーション has eight.
const maxPhrase, maxLetters = 6, 16

// longestPhrase is how many of the first words may be a keyword.
func longestPhrase(words []string) int {
	n := 0
	for n < len(words) && n < maxLetters && words[n][0] >= utf8.RuneSelf && utf8.RuneCountInString(words[n]) == 1 {
		n++
	}
	return max(n, maxPhrase)
}

// withKeyword are the documents with a keyword that has any of some rows.
func (s *searching) withKeyword(rows ...segment.PhraseRow) []place {
	var out []place
	for i, seg := range s.x.segs {
		from := len(out)
		for _, row := range rows {
			seg.WithPhrase(row, func(doc uint32) {
				if s.words.counts(i, doc) {
					out = append(out, place{i, doc})
				}
			})
		}
		slices.SortFunc(out[from:], func(a, b place) int { return cmp.Compare(a.doc, b.doc) })
		out = out[:from+len(slices.Compact(out[from:]))]
	}
	return out
}

// also adds the documents that were asked for.
func (s *searching) also(found map[place][]int) error {
	return s.keyed(s.q.Also, func(p place) error {
		ok, err := s.pass(p)
		if ok {
			found[p] = append(found[p], nil...)
		}
		return err
	})
}

// pass reports whether a document may be a candidate.
func (s *searching) pass(p place) (bool, error) {
	if !s.open[p.seg][p.doc] {
		return false, nil
	}
	if s.q.Filter == nil {
		return true, nil
	}
	if ok, known := s.passed[p]; known {
		return ok, nil
	}
	m, err := s.meta(p)
	if err != nil {
		return false, err
	}
	s.passed[p] = s.q.Filter(m)
	return s.passed[p], nil
}

// isForeign reports whether nobody here stands for a document.
func (s *searching) isForeign(p place) (bool, error) {
	if m := s.metas[p]; m != nil {
		return m.IsForeign(), nil
	}
	return s.x.segs[p.seg].IsForeign(p.doc)
}

// ours are those of some places that somebody here stands for.
func (s *searching) ours(places []place) (out []place, err error) {
	if len(places) > mostShared {
		return places, nil
	}
	for _, p := range places {
		foreign, err := s.isForeign(p)
		if err != nil {
			return nil, err
		}
		if !foreign {
			out = append(out, p)
		}
	}
	return out, nil
}

// choose opens the documents that may be found.
func (s *searching) choose() error {
	s.open = make([][]bool, len(s.x.segs))
	for i, seg := range s.x.segs {
		s.open[i] = make([]bool, seg.Len())
		for doc := range s.open[i] {
			s.open[i][doc] = s.q.Only == nil && s.words.counts(i, uint32(doc))
		}
	}
	return s.keyed(s.q.Only, func(p place) error {
		s.open[p.seg][p.doc] = s.words.counts(p.seg, p.doc)
		return nil
	})
}

// keyed calls yield with the documents of some keys, dead or not.
func (s *searching) keyed(keys []string, yield func(place) error) error {
	for _, key := range keys {
		name := segment.HashOf(key)
		for i, seg := range s.x.segs {
			doc, ok, err := seg.Doc(name)
			if err == nil && ok {
				err = yield(place{i, doc})
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *searching) meta(p place) (*segment.Meta, error) {
	if m := s.metas[p]; m != nil {
		return m, nil
	}
	m, err := s.x.segs[p.seg].Meta(p.doc)
	if err == nil {
		s.metas[p] = m
	}
	return m, err
}

// fill makes the hits, with all numbers, whichever leg found them.
func (s *searching) fill(out *Result, found map[place][]int) error {
	for p, exact := range found {
		m, err := s.meta(p)
		if err != nil {
			return err
		}
		h := Hit{Meta: m, Exact: exact, Matched: s.words.matched(p.seg, p.doc)}
		h.Keyword, h.Unit = s.words.of(p.seg, p.doc)
		if s.near != nil {
			if err := s.near.of(s.x.segs[p.seg], p.doc, &h); err != nil {
				return err
			}
		}
		out.Hits = append(out.Hits, h)
	}
	slices.SortFunc(out.Hits, func(a, b Hit) int { return strings.Compare(a.Meta.Key, b.Meta.Key) })
	return nil
}
