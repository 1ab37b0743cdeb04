package recall

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/recall/index"
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
	Scored
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
}

// DefaultFound is how many of each kind a search shows when nobody says.
const DefaultFound = 5

// leastFound is the score of what is shown whatever words it has: half of all queries
// that have nothing to do with a store get so much of something in it, and who searches
// can judge.
const leastFound = 0.30

// maxAsked is how much of a query is looked at, in bytes; a model reads 512 tokens.
const maxAsked = 8 << 10

// Search looks for checkpoints by question, thesis and what they rest on, on every
// line, and for items of the repository and of the person, the best first.
func (m *Memory) Search(ctx context.Context, query string, o SearchOptions) (*Findings, error) {
	shelves, err := m.shelves(ctx)
	if err != nil {
		return nil, err
	}
	defer shelves.close()
	asked := embedding(ctx, strings.ToValidUTF8(query[:min(maxAsked, len(query))], ""), shelves.vector)
	sieve, err := shelves[0].sieve(ctx, o)
	q, err2 := asked()
	m.complain(err2)
	if err == nil {
		err = shelves.bring(ctx, o)
	}
	if err != nil {
		return nil, err
	}
	out := &Findings{Words: q.Vector == nil}
	for {
		if o.checkpoints() {
			if err := shelves[0].findCheckpoints(ctx, q, sieve, out); err != nil {
				return nil, err
			}
		}
		if o.items() {
			if err := shelves.findItems(ctx, q, sieve, out); err != nil {
				return nil, err
			}
		}
		if sieve.weak || len(out.Checkpoints)+len(out.Items) > 0 {
			return out, nil
		}
		sieve.weak = true
	}
}

func (o SearchOptions) checkpoints() bool { return o.Checkpoints || !o.Knowledge }

func (o SearchOptions) items() bool {
	return (o.Knowledge || !o.Checkpoints) && o.Line == "" && o.Trigger == "" && o.Confidence == 0
}

func (o SearchOptions) limit() int { return cmpOr(o.Limit, DefaultFound) }

// embedding makes the question, while its caller does other things: the model takes longer
// than all else of a prompt.
func embedding(ctx context.Context, query string, vector func(context.Context, string) ([]float32, error)) (asked func() (Question, error)) {
	done := make(chan struct{})
	q, err := Question{Text: query}, error(nil)
	go func() {
		defer close(done)
		defer func() {
			if p := recover(); p != nil { // who guards its caller does not guard this
				err = fmt.Errorf("embed the query: %v", p)
			}
		}()
		q.Vector, err = vector(ctx, query)
	}()
	return func() (Question, error) { <-done; return q, err }
}

// bring brings the sidecars up to date. What fails there leaves what is there to search.
func (l shelves) bring(ctx context.Context, o SearchOptions) error {
	for i, sh := range l {
		err := sh.catchUp(ctx, i == 0 && o.checkpoints())
		if err == nil {
			err = sh.fill(ctx, false)
		}
		sh.m.complain(err)
		sh.m.complain(sh.unread())
	}
	return ctx.Err()
}

// rank asks a sidecar for what passes, and orders it. What may be too little is left
// out, but nothing that has every word of the query: one word says little, and who
// types one looks for it. Where nothing else is found, weak, a word that few texts have
// is enough.
func (sh *shelf) rank(ctx context.Context, q Question, r *Ranking, kind string, f *sieve, only []string, pass func(*index.Meta) bool) ([]Scored, error) {
	var hits *index.Result
	err := sh.whole(ctx, func() (err error) {
		hits, err = sh.index.Search(ctx, index.Query{
			Text: q.Text, Vector: q.Vector, Kinds: []string{kind}, Only: only, Filter: pass, Limit: max(Candidates, f.o.limit()+1), BM25: &Keywords,
		})
		return err
	})
	if err != nil {
		return nil, err
	}
	var out []Scored
	for _, s := range r.Rank(q, hits) {
		s.Threshold = leastFound
		switch {
		case s.Score >= leastFound:
			s.Why = fmt.Sprintf("found from %.2f on", leastFound)
		case len(s.Triggers.Exact) > 0, len(hits.Terms) > 0 && len(s.Matched) == len(hits.Terms):
			s.Why = "it has every word of the query"
		case f.weak && s.telling:
			s.Why = "it has a word of the query, and nothing else fits"
		default:
			continue
		}
		out = append(out, s)
	}
	return out, nil
}

// findCheckpoints reads the best of what there is. One that is gone meanwhile is left
// out. The person's own store has none of this repository.
func (sh *shelf) findCheckpoints(ctx context.Context, q Question, f *sieve, out *Findings) error {
	ranked, err := sh.rank(ctx, q, sh.ranking(ctx, RecallOptions{}), kindCheckpoint, f, f.only, f.checkpoint)
	if err != nil {
		return err
	}
	most := f.o.limit()
	if sh.store.GitBranch() != "" {
		most += nearerMost
	}
	for _, s := range ranked {
		if len(out.Checkpoints) == most {
			break
		}
		id := keyID(s.Meta.Key)
		c, err := sh.store.LoadBeginning(ctx, id)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err == nil {
			line, here := f.place(id)
			out.Checkpoints = append(out.Checkpoints, Found{c, s, line, here})
		}
	}
	out.Checkpoints = sh.nearer(ctx, out.Checkpoints, f.o.limit(), asksForNow(q.Text))
	if !asksForNow(q.Text) {
		byScore(out.Checkpoints, func(f *Found) *Scored { return &f.Scored })
	}
	slices.SortStableFunc(out.Checkpoints, func(a, b Found) int { return truth(b.Here) - truth(a.Here) })
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
func (l shelves) findItems(ctx context.Context, q Question, f *sieve, found *Findings) error {
	var out []Recalled
	r := l[0].ranking(ctx, RecallOptions{})
	var lists [][]Scored
	for _, sh := range l {
		pass, err := f.items(ctx, sh)
		if err != nil {
			return err
		}
		list, err := sh.rank(ctx, q, r, kindItem, f, nil, pass)
		if err != nil {
			return err
		}
		lists = append(lists, list)
	}
	for _, s := range braid(lists) {
		if len(out) == f.o.limit() {
			found.More = true
			break
		}
		k, err := l[0].m.Item(ctx, keyID(s.Meta.Key))
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err == nil && k.Err == nil {
			out = append(out, Recalled{k, s})
		}
	}
	if !asksForNow(q.Text) {
		byScore(out, func(r *Recalled) *Scored { return &r.Scored })
	}
	found.Items = out
	return nil
}
