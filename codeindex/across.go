package codeindex

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/git-sage/git-sage/codeindex/internal/words"
	"github.com/git-sage/git-sage/codeindex/projects"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
)

// Searched is a project that is searched beside others. It has a Result or an Err.
type Searched struct {
	Project projects.Project
	Index   *Index
	Result  *Result
	Err     error
}

// Note says why a project was not searched, or not all of it; "" is that all was.
func (s *Searched) Note() string {
	name := legible.OneLine(s.Project.Name)
	switch {
	case s.Err != nil:
		return fmt.Sprintf("project '%s' was not searched: %v", name, s.Err)
	case s.Result.Missing > 0:
		return fmt.Sprintf("project '%s' was indexed on %s: %d of its %s changed since and are not searched",
			name, s.Result.Newest.UTC().Format(time.DateOnly), s.Result.Missing, legible.Count(s.Result.Files, "file"))
	}
	return ""
}

// Across searches several indexes, which share a model, and merges what they have, the best
// first; those with an Err are left out. Their scores can be compared: they are of one query
// and one model, so that a cosine means the same in each, and the score by words is a share of
// what a chunk of the same repository would have that had each word as often as can be, each
// word that any of them has. A word that is everywhere in one repository tells less there than
// in the others, and counts less, as it should. Where scores are equal the index that was named
// first comes first.
func Across(ctx context.Context, q Query, list []*Searched) (hits []Hit) {
	q.elsewhere = map[words.Term]bool{}
	for _, s := range list {
		if s.Err == nil { // it could be opened
			if s.Err = s.Index.refresh(); s.Err == nil {
				s.Err = s.Index.noteTerms(words.Of(q.Text), q.elsewhere)
			}
		}
	}
	var vector func() ([]float32, error)
	var all sync.WaitGroup
	for _, s := range list {
		if s.Err != nil {
			continue
		}
		if vector == nil {
			vector = sync.OnceValues(s.Index.askModel(ctx, q.Text))
		}
		all.Go(func() { s.Result, s.Err = s.Index.search(ctx, q, vector) })
	}
	all.Wait()
	for _, s := range list {
		if s.Err != nil {
			continue
		}
		for _, h := range s.Result.Hits {
			h.Project = s.Project
			hits = append(hits, h)
		}
	}
	slices.SortStableFunc(hits, func(a, b Hit) int { return cmp.Compare(b.Score, a.Score) })
	return hits[:min(len(hits), cmp.Or(max(q.Limit, 0), DefaultLimit))]
}

// noteTerms notes which of some terms the index has.
func (x *Index) noteTerms(terms []words.Term, has map[words.Term]bool) error {
	return x.read(func(parts []*part) error {
		for _, t := range terms {
			has[t] = has[t] || slices.ContainsFunc(parts, func(p *part) bool { return p.Count(t) > 0 })
		}
		return nil
	})
}
