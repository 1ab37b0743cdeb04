package prompts

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/recall/brief"
	"github.com/git-sage/git-sage/recall/search"
)

// Text is what an agent is shown of what was recalled, in a fence; "" if nothing
// was.
func (re *Recaller) Text(ctx context.Context, items []search.Recalled) string {
	if len(items) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("Knowledge from earlier work" + brief.Caution)
	for _, r := range items {
		fmt.Fprintf(&b, "\n## %s (%s)\n%s\n", r.Item.ID, re.AboutItem(ctx, r), r.Shown())
		for _, note := range r.Notes() {
			fmt.Fprintf(&b, "%s\n", note)
		}
	}
	return brief.Fence("git-sage knowledge", b.String())
}

// AboutItem says what an item is, whose, how old, and how far it may be trusted: what was not
// made here names its author.
func (re *Recaller) AboutItem(ctx context.Context, r search.Recalled) string {
	k, whose := r.Known, "of this repository"
	if k.Own {
		whose = "of the user"
	}
	s := brief.Line(k.Item.Type.Kind(), 20) + ", " + whose
	if !k.Item.Updated.IsZero() {
		s += ", " + brief.Age(re.stores.Now().Sub(k.Item.Updated))
	}
	if t := re.provenance.Trust(ctx, k); t != "" {
		s += ", " + t
	}
	if k.Item.IsPrivate() {
		s += ", private: keep it out of checkpoints"
	}
	if k.Item.Source != "" {
		s += ", from " + brief.Line(k.Item.Source, 80)
	}
	return s
}

// Notice tells a person in a line what an agent was given; "" if nothing.
func Notice(items []search.Recalled, conclusions ...Conclusion) string {
	if len(items)+len(conclusions) == 0 {
		return ""
	}
	var names []string
	for _, r := range items {
		names = append(names, fmt.Sprintf("%s %d tokens", brief.Line(r.Item.ID, 60), cmp.Or(r.Excerpt, r.Item.Tokens())))
	}
	for _, c := range conclusions {
		names = append(names, fmt.Sprintf("checkpoint %s %d tokens", brief.ShortID(c.ID), legible.EstimateTokens(strings.Join(c.Says, "\n"))))
	}
	return fmt.Sprintf("Knowledge recalled (%d): %s", len(names), strings.Join(names, ", "))
}
