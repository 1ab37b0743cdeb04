package prompts

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/prose/cut"
	"github.com/git-sage/git-sage/recall/brief"
	"github.com/git-sage/git-sage/recall/doc"
	"github.com/git-sage/git-sage/recall/internal/stores"
	"github.com/git-sage/git-sage/recall/provenance"
	"github.com/git-sage/git-sage/recall/rank"
	"github.com/git-sage/git-sage/recall/search"
)

const (
	maxTitled = 48 // characters of id and title: 15 tokens
	maxCure   = 90 // of what a failure taught, where one happened: 25 more
)

// NoteTitle is that of a checkpoint.
func (c *Conclusion) NoteTitle(given map[string]string) { given[search.TitleKey(c.Meta.Key)] = "-" }

// mayTell reads what a title is told of. What came from elsewhere is left out: there is no
// room to say so.
func (re *Recaller) mayTell(ctx context.Context, l stores.Sources, query string, list []rank.Scored, out *Recall) error {
	for _, s := range list {
		if s.Meta.Kind == doc.Checkpoint {
			if c, err := re.conclusion(ctx, l[0].Store, query, s); err == nil && !c.Elsewhere && len(c.Says) > 0 && !sage.IsDistilled(c.Extra) {
				out.MaybeConclusions = append(out.MaybeConclusions, c)
			}
			continue
		}
		k, err := re.knowledge.Item(ctx, doc.ID(s.Meta.Key))
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err == nil && k.Err == nil && re.provenance.IsTrusted(k) && !provenance.IsDistilled(k) {
			out.Maybe = append(out.Maybe, search.Recalled{Known: k, Scored: s})
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
		title := cut.Runes(r.Item.ID+": "+brief.Line(brief.Harmless(r.Item.Title()), maxTitled), maxTitled)
		if cure := cmp.Or(r.Item.Learned, r.Item.WhyFailed); cures && cure != "" {
			title += " → " + brief.Line(brief.Harmless(cure), maxCure)
		}
		parts = append(parts, title)
	}
	for _, c := range r.MaybeConclusions {
		parts = append(parts, c.title())
	}
	return fmt.Sprintf("May be useful (%s with an id shows it): %s", tool, strings.Join(parts, "; "))
}
