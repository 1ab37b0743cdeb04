package prompts

import (
	"context"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/recall/index"
	"github.com/git-sage/git-sage/recall/internal/knowledge"
	"github.com/git-sage/git-sage/recall/internal/stores"
	"github.com/git-sage/git-sage/recall/rank"
)

// Takes reports whether an item is looked at: one that may be recalled, or else one
// that may not.
func (o RecallOptions) Takes(d *index.Meta) bool {
	return (len(o.Types) == 0 || slices.Contains(o.Types, sage.ItemType(d.Type))) && (o.Bar(d) != "") == o.barred
}

// Bar is why an item may not be recalled, whatever fits it; "" if it may. What is put
// away or too old may not, nor what no longer holds if nobody here stands for it; what belongs
// to a skill only with it.
func (o RecallOptions) Bar(d *index.Meta) string {
	switch status := sage.Status(d.Status); {
	case status == sage.Archived, status == sage.Done:
		return "it is " + d.Status
	case d.Part > 0 && (status == sage.Deprecated || status == sage.Superseded): // and no review lists it
		return "it is " + d.Status + " and not reviewed"
	case len(d.Skills) > 0 && !slices.Contains(d.Skills, o.skill()):
		return "only with the skill '" + strings.Join(d.Skills, "' or '") + "'"
	case o.oldest != nil && knowledge.IsAged(o.oldest(), d):
		return knowledge.AgedText(d)
	}
	return ""
}

// barred are the items that fit and may not be recalled, each with the reason.
func barred(ctx context.Context, l stores.Sources, r *rank.Ranking, q rank.Question, o RecallOptions) ([]rank.Scored, error) {
	o.barred = true
	list, err := ranked(ctx, l, r, q, o)
	list = slices.DeleteFunc(list, func(s rank.Scored) bool { _, ok := r.Fits(&s); return !ok && !s.Meta.Always })
	for i := range list {
		s := &list[i]
		s.Threshold, _ = r.Threshold(s)
		s.Why = o.Bar(s.Meta)
	}
	return list, err
}
