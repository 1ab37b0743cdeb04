package templates

import (
	"context"
	"fmt"
	"unicode/utf8"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/briefing"
	"github.com/git-sage/git-sage/recall/brief"
	"github.com/git-sage/git-sage/recall/provenance"
)

// BriefOptions say how much of a checkpoint a brief shows.
type BriefOptions struct {
	Full      bool // every field, whatever the template shows
	Summary   bool // the most valuable first, cut at MaxTokens
	MaxTokens int  // 0 is no limit, or SummaryTokens of a summary
	MaxChars  int  // 0 is no limit
}

// SummaryTokens is the length of a summary when nobody says: what a reader
// takes in at a glance, and a hundredth of a small context.
const SummaryTokens = 500

// limit is the number of characters that a brief may have; 0 is any number.
func (o BriefOptions) limit() int {
	tokens := o.MaxTokens
	if o.Summary && tokens == 0 {
		tokens = SummaryTokens
	}
	n := tokens * brief.CharsPerToken
	if n == 0 || o.MaxChars > 0 && o.MaxChars < n {
		n = o.MaxChars
	}
	return n
}

// Brief renders c as the Markdown that puts it back into an agent's context:
// with its template if that has a form of its own and the result fits, else in
// the common form, which knows what to leave out. When a template cannot be
// used, the last line says why. What came from elsewhere says so first, and may say no more to an
// agent, see [provenance.Labeller.AdmitCheckpoint].
func (rd *Renderer) Brief(ctx context.Context, c *sage.Checkpoint, o BriefOptions) (string, error) {
	limit, note := o.limit(), ""
	from := provenance.Provenance(c)
	if said := rd.provenance.AdmitCheckpoint(ctx, c); said != "" {
		return from + said + "\n", nil
	}
	if limit > 0 {
		limit = max(limit-utf8.RuneCountInString(from), 1)
	}
	if !o.Full && !o.Summary {
		text, err := rd.Rendered(ctx, c)
		switch {
		case ctx.Err() != nil:
			return "", ctx.Err()
		case err != nil:
			note = fmt.Sprintf("\nTemplate '%s' could not be used: %s\n", brief.Line(c.Template, 60), brief.Line(err.Error(), 200))
		case text != "" && (limit == 0 || utf8.RuneCountInString(text) <= limit):
			return from + text, nil
		}
	}
	if limit > 0 {
		limit = max(limit-utf8.RuneCountInString(note), 1)
	}
	form := briefing.Options{Full: o.Full, MaxChars: limit, Order: rd.fieldOrder(ctx, c), States: rd.stores.Store.Repo.RefStates(ctx, c.CodeRefs), Asides: rd.asides(ctx, c)}
	for {
		text := brief.Defuse(briefing.Write(c, form)) // which may make it longer
		over := utf8.RuneCountInString(text) - limit
		if limit == 0 || over <= 0 || form.MaxChars <= 1 {
			return from + text + brief.Defuse(note), nil
		}
		form.MaxChars = max(form.MaxChars-over, 1)
	}
}

// asides say who held each of the theses that c has to bring together, and how long ago, where
// that is known.
func (rd *Renderer) asides(ctx context.Context, c *sage.Checkpoint) []string {
	var all []string
	for _, t := range c.ComponentTheses {
		aside := ""
		if r, err := rd.stores.Store.Commits.Record(ctx, t.From); err == nil {
			aside = provenance.Aside(r, brief.Age(rd.stores.Now().Sub(r.Time)))
		}
		all = append(all, aside)
	}
	return all
}
