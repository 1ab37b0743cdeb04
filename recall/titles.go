package recall

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/prose/cut"
)

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
	maxTitled      = 48 // characters of id and title: 15 tokens
	maxCure        = 90 // of what a failure taught, where one happened: 25 more
)

// leastTitle is the score from which a title is told, among n texts.
func leastTitle(n int) float64 {
	return leastTitled + titledStep*math.Log(max(1, float64(n)/titledAmong))
}

// leastTitle is that of one candidate: what the store's prompts tell, or below what it must
// have to be given.
func (r *Ranking) leastTitle(s *Scored) float64 {
	t, _ := r.threshold(s)
	switch {
	case !s.isLearned():
		return leastTitle(s.among)
	case r.LearnedTitle > 0:
		return min(r.LearnedTitle, t)
	}
	return min(leastTitle(s.among), t-belowThreshold)
}

// titleKey is what a session's list of what it was given has of a title.
func titleKey(key string) string { return "title " + key }

// NoteTitle is what [gitstore.Store.NoteGiven] takes of a title: it is no item that was given.
func (r *Recalled) NoteTitle(given map[string]string) { given[titleKey(r.Meta.Key)] = "-" }

// NoteTitle is that of a checkpoint.
func (c *Conclusion) NoteTitle(given map[string]string) { given[titleKey(c.Meta.Key)] = "-" }

// maybes are the best of what was left out that may fit and whose titles were not seen.
func (r *Ranking) maybes(ranked []Scored, seen map[string]string) (out []Scored) {
	for _, s := range ranked {
		switch {
		case s.Chosen, s.Outdated != "", s.Score < r.leastTitle(&s), seen[titleKey(s.Meta.Key)] != "", len(out) == mostTitled:
			continue
		}
		out = append(out, s)
	}
	return out
}

// known reads what a title is told of. What came from elsewhere is left out: there is no
// room to say so.
func (l shelves) known(ctx context.Context, query string, list []Scored, out *Recall) error {
	for _, s := range list {
		if s.Meta.Kind == kindCheckpoint {
			if c, err := l[0].conclusion(ctx, query, s); err == nil && !c.Elsewhere && len(c.Says) > 0 && !sage.IsDistilled(c.Extra) {
				out.MaybeConclusions = append(out.MaybeConclusions, c)
			}
			continue
		}
		k, err := l[0].m.Item(ctx, keyID(s.Meta.Key))
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err == nil && k.Err == nil && l[0].m.isTrusted(k) && !isDistilled(k) {
			out.Maybe = append(out.Maybe, Recalled{k, s})
		}
	}
	return ctx.Err()
}

// Titles are those of what may fit, in a line, and the tool that gives it; of failures with
// what they taught, where that is wanted. "" of nothing.
func (r *Recall) Titles(tool string, cures bool) string {
	if len(r.Maybe)+len(r.MaybeConclusions) == 0 {
		return ""
	}
	var parts []string
	for _, r := range r.Maybe {
		title := cut.Runes(r.Item.ID+": "+line(harmless(r.Item.Title()), maxTitled), maxTitled)
		if cure := cmp.Or(r.Item.Learned, r.Item.WhyFailed); cures && cure != "" {
			title += " → " + line(harmless(cure), maxCure)
		}
		parts = append(parts, title)
	}
	for _, c := range r.MaybeConclusions {
		parts = append(parts, c.title())
	}
	return fmt.Sprintf("Maybe of use (%s gives it by id): %s", tool, strings.Join(parts, "; "))
}
