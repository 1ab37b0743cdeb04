package search

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/prose/cut"
	"github.com/git-sage/git-sage/recall/doc"
	"github.com/git-sage/git-sage/recall/index"
	"github.com/git-sage/git-sage/recall/internal/stores"
	"github.com/git-sage/git-sage/recall/rank"
)

// SearchOptions narrow a search. The zero SearchOptions is all that lists show.
type SearchOptions struct {
	Limit       int  // of each kind; 0 is DefaultFound
	Checkpoints bool // these alone, and
	Knowledge   bool // these alone; both and neither are both
	All         bool // also checkpoints that lists hide for their age

	// What is found has all of these. Items have no line, no trigger and no confidence:
	// one of those leaves checkpoints.
	Line       string
	Skill      string
	Author     string // regular expression, as lists take it
	Since      string // as git log takes it
	Until      string
	Trigger    sage.Trigger
	Confidence float64 // at least
	File       string  // explored, changed, cited or in scope, or below that
}

// A Found is a checkpoint that answers a query.
type Found struct {
	*sage.Checkpoint
	rank.Scored
	Line string // that it is on
	Here bool   // which is the current one
}

// Findings are what a search found, of each kind the best.
type Findings struct {
	Checkpoints []Found    // those of the current line first
	Items       []Recalled // also what is archived, done, or no longer right
	Words       bool       // words alone were compared: there is no model, or no vector yet
	Hidden      int        // checkpoints that were left out for their age
	More        bool       // of a kind there are more than were wanted
	Weak        bool       // nothing is a good match: this is what comes nearest
}

// DefaultFound is how many of each kind a search shows when nobody says.
const DefaultFound = 5

const (
	// leastFound is the score of what is shown whatever words it has: half of all queries
	// that have nothing to do with a store get so much of something in it, and who searches
	// can judge.
	leastFound = 0.30
	// nearestFound is how many are shown where nothing is a good match.
	nearestFound = 3
)

// maxAsked is how much of a query is looked at, in bytes; a model reads 512 tokens.
const maxAsked = 8 << 10

// Find looks for checkpoints by question, thesis and what they rest on, on every
// line, and for items of the repository and of the person, the best first.
func (se *Searcher) Find(ctx context.Context, query string, o SearchOptions) (*Findings, error) {
	sources, err := se.stores.Sources(ctx)
	if err != nil {
		return nil, err
	}
	defer sources.Close()
	asked := Embed(ctx, strings.ToValidUTF8(query[:min(maxAsked, len(query))], ""), sources.Vector)
	f, err := se.newFilter(ctx, sources[0], o)
	q, err2 := asked()
	se.stores.Complain(err2)
	if err == nil {
		err = se.bring(ctx, sources, o)
	}
	if err != nil {
		return nil, err
	}
	out := &Findings{Words: q.Vector == nil}
	for {
		if o.checkpoints() {
			if err := se.findCheckpoints(ctx, sources[0], q, f, out); err != nil {
				return nil, err
			}
		}
		if o.items() {
			if err := se.findItems(ctx, sources, q, f, out); err != nil {
				return nil, err
			}
		}
		if f.nearest == anything || len(out.Checkpoints)+len(out.Items) > 0 {
			out.Weak = f.nearest > good && len(out.Checkpoints)+len(out.Items) > 0
			if f.nearest == anything {
				out.keepNearest(min(o.limit(), nearestFound))
			}
			return out, nil
		}
		f.nearest++
	}
}

// keepNearest leaves the best so many of both kinds.
func (f *Findings) keepNearest(most int) {
	var scores []float64
	for _, c := range f.Checkpoints {
		scores = append(scores, c.Score)
	}
	for _, r := range f.Items {
		scores = append(scores, r.Scored.Score)
	}
	f.More = false
	for len(scores) > most {
		least := slices.Min(scores)
		i := len(scores) - 1 - slices.Index(reversed(scores), least) // of those that are as good the last
		scores = slices.Delete(scores, i, i+1)
		if n := len(f.Checkpoints); i < n {
			f.Checkpoints = slices.Delete(f.Checkpoints, i, i+1)
		} else {
			f.Items = slices.Delete(f.Items, i-n, i-n+1)
		}
	}
}

func reversed[T any](list []T) []T {
	list = slices.Clone(list)
	slices.Reverse(list)
	return list
}

func (o SearchOptions) checkpoints() bool { return o.Checkpoints || !o.Knowledge }

func (o SearchOptions) items() bool {
	return (o.Knowledge || !o.Checkpoints) && o.Line == "" && o.Trigger == "" && o.Confidence == 0
}

func (o SearchOptions) limit() int {
	if o.Limit > 0 {
		return o.Limit
	}
	return DefaultFound
}

// bring brings the sidecars up to date. What fails there leaves what is there to search.
func (se *Searcher) bring(ctx context.Context, l stores.Sources, o SearchOptions) error {
	for i, src := range l {
		err := src.CatchUp(ctx, i == 0 && o.checkpoints())
		if err == nil {
			err = src.Fill(ctx, false)
		}
		se.stores.Complain(err)
		se.stores.Complain(src.Unread())
	}
	return ctx.Err()
}

// rankIn asks a sidecar for what passes, and orders it. What may be too little is left
// out, but nothing that has every word of the query: one word says little, and who
// types one looks for it. Where nothing else is found, a word that few texts have is
// enough, and at last what comes nearest, whatever it is: who asked can judge. Without a
// model nothing is near that has no word of the query, and the newest comes.
func rankIn(ctx context.Context, src *stores.Source, q rank.Question, r *rank.Ranking, kind string, f *filter, only []string, pass func(*index.Meta) bool) ([]rank.Scored, error) {
	var hits *index.Result
	err := src.Whole(ctx, func() (err error) {
		hits, err = src.Index.Search(ctx, index.Query{
			Text: q.Text, Vector: q.Vector, Kinds: []string{kind}, Only: only, Filter: pass, Limit: max(rank.Candidates, f.o.limit()+1), BM25: &rank.Keywords,
		})
		return err
	})
	if err == nil && len(hits.Hits) == 0 && f.nearest == anything {
		hits, err = newest(ctx, src, q, kind, only, pass)
	}
	if err != nil {
		return nil, err
	}
	var out []rank.Scored
	for _, s := range r.Rank(q, hits) {
		s.Threshold = leastFound
		switch {
		case s.Score >= leastFound:
			s.Why = fmt.Sprintf("found from %.2f on", leastFound)
		case len(s.Triggers.Exact) > 0, len(hits.Terms) > 0 && len(s.Matched) == len(hits.Terms):
			s.Why = "it has every word of the query"
		case f.nearest >= telling && s.Telling:
			s.Weak, s.Why = true, "it has a word of the query, and nothing fits better"
		case f.nearest == anything && len(out) < nearestFound:
			s.Weak, s.Why = true, fmt.Sprintf("nothing is a good match; the nearest is %.2f", s.Score)
		default:
			continue
		}
		out = append(out, s)
	}
	return out, nil
}

// newest are the documents of a kind that changed last.
func newest(ctx context.Context, src *stores.Source, q rank.Question, kind string, only []string, pass func(*index.Meta) bool) (*index.Result, error) {
	var list []*index.Meta
	err := src.Index.Each(func(d *index.Meta) bool {
		if d.Kind == kind && (only == nil || slices.Contains(only, d.Key)) && pass(d) {
			list = append(list, d)
		}
		return true
	})
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(list, func(a, b *index.Meta) int { return b.Updated.Compare(a.Updated) })
	var keys []string
	for _, d := range cut.First(list, nearestFound) {
		keys = append(keys, d.Key)
	}
	if len(keys) == 0 {
		return &index.Result{}, nil
	}
	return src.Index.Search(ctx, index.Query{Text: q.Text, Vector: q.Vector, Kinds: []string{kind}, Also: keys, Only: keys, Limit: nearestFound, BM25: &rank.Keywords})
}

// findCheckpoints reads the best of what there is. One that is gone meanwhile is left
// out. The person's own store has none of this repository.
func (se *Searcher) findCheckpoints(ctx context.Context, src *stores.Source, q rank.Question, f *filter, out *Findings) error {
	ranked, err := rankIn(ctx, src, q, se.Ranking(ctx, src, false), doc.Checkpoint, f, f.only, f.checkpoint)
	if err != nil {
		return err
	}
	most := f.o.limit()
	if src.Store.Follow.GitBranch() != "" {
		most += nearerMost
	}
	for _, s := range ranked {
		if len(out.Checkpoints) == most {
			break
		}
		id := doc.ID(s.Meta.Key)
		c, err := src.Store.Commits.LoadBeginning(ctx, id)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err == nil {
			line, here := f.place(id)
			out.Checkpoints = append(out.Checkpoints, Found{c, s, line, here})
		}
	}
	out.Checkpoints = nearer(ctx, src.Store, out.Checkpoints, f.o.limit())
	rank.ByScore(out.Checkpoints, func(f *Found) *rank.Scored { return &f.Scored })
	slices.SortStableFunc(out.Checkpoints, func(a, b Found) int { return truth(b.Here) - truth(a.Here) })
	out.Checkpoints = belowSynthesis(ctx, src.Store, out.Checkpoints)
	out.Hidden, out.More = f.hidden, len(ranked) > f.o.limit()
	return nil
}

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}

// findItems finds those of the repository and of the person. Of equal ids the
// repository's counts.
func (se *Searcher) findItems(ctx context.Context, l stores.Sources, q rank.Question, f *filter, found *Findings) error {
	var out []Recalled
	r := se.Ranking(ctx, l[0], false)
	var lists [][]rank.Scored
	for _, src := range l {
		pass, err := f.items(ctx, src)
		if err != nil {
			return err
		}
		list, err := rankIn(ctx, src, q, r, doc.Item, f, nil, pass)
		if err != nil {
			return err
		}
		lists = append(lists, list)
	}
	for _, s := range rank.Braid(lists) {
		if len(out) == f.o.limit() {
			found.More = true
			break
		}
		k, err := se.knowledge.Item(ctx, doc.ID(s.Meta.Key))
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err == nil && k.Err == nil && len(k.Withheld) == 0 {
			out = append(out, Recalled{k, s})
		}
	}
	rank.ByScore(out, func(r *Recalled) *rank.Scored { return &r.Scored })
	found.Items = out
	return nil
}
