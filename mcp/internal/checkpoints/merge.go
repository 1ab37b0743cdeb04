package checkpoints

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/mcp/internal/texts"
	"github.com/git-sage/git-sage/mcp/internal/tool"
	"github.com/git-sage/git-sage/recall"
	"github.com/git-sage/git-sage/recall/brief"
	"github.com/git-sage/git-sage/recall/provenance"
)

func runMerge(ctx context.Context, c *tool.Call) (string, error) {
	if strings.TrimSpace(c.Text("thesis")) == "" { // as if it was not given
		delete(c.Args, "thesis")
	}
	thought, err := checkpointOf(c, "checkpoint_id", "thesis", "confidence")
	if err != nil {
		return "", err
	}
	m, err := c.Memory(ctx)
	if err != nil {
		return "", err
	}
	revs, err := toMerge(ctx, m.Store, c.Text("checkpoint_id"), c.Text("thesis") != "")
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for i, rev := range revs {
		r := gitstore.MergeRequest{Rev: rev}
		r.Draft.Automatic = true
		if i == len(revs)-1 { // the last one says what holds of all
			r.Thesis, r.Draft.Checkpoint = c.Text("thesis"), *thought
			if f, ok := c.Args["confidence"].(float64); ok {
				r.Confidence = &f
			}
		}
		merged, err := m.Save.Merge(ctx, r)
		if err != nil {
			return "", mergeError(b.String(), rev, err)
		}
		report(ctx, &b, m, rev, merged, i == len(revs)-1)
	}
	return b.String(), nil
}

func mergeError(done, rev string, err error) error {
	if done != "" {
		return fmt.Errorf("%smerge %s: %w", done, rev, err)
	}
	return err
}

// toMerge is what to bring in, one after another: what is named, else, with a
// thesis, the unsettled merge of the line (""), else its open forks.
func toMerge(ctx context.Context, s *gitstore.Store, rev string, thesis bool) ([]string, error) {
	if rev != "" {
		return []string{rev}, nil
	}
	st, err := s.Status(ctx)
	if err != nil {
		return nil, err
	}
	var open []string
	for _, f := range st.Forks {
		if f.Of == st.Line {
			open = append(open, f.Name)
		}
	}
	settles := slices.ContainsFunc(st.Unsettled, func(r gitstore.Record) bool { // of one behind the tip, open forks come first
		return slices.Contains(r.Names, st.Line) && (len(open) == 0 || st.Parent != nil && r.ID == st.Parent.ID)
	})
	switch {
	case settles && thesis:
		return []string{""}, nil
	case settles:
		return nil, fmt.Errorf("thesis: is required, since a merge on %s needs a synthesis", st.Line)
	case len(open) == 0:
		return nil, fmt.Errorf("%w: line %s has no open fork and no pending merge; name what to merge with checkpoint_id", gitstore.ErrNothing, st.Line)
	}
	return open, nil
}

// report says what became of a merge.
func report(ctx context.Context, b *strings.Builder, m *recall.Memory, rev string, r gitstore.Merged, last bool) {
	switch {
	case r.UpToDate:
		fmt.Fprintf(b, "Line %s already has %s: nothing to merge.\n", r.Line, rev)
	case r.FastForward:
		fmt.Fprintf(b, "Line %s moved on to %s: %s\n", r.Line, brief.ShortID(r.ID), made(ctx, m, r.ID, r.Description))
	case rev == "":
		fmt.Fprintf(b, "Settled as %s on %s: %s\n", brief.ShortID(r.ID), r.Line, texts.OneLine(r.Description, 100))
	default:
		fmt.Fprintf(b, "Merged %s into %s as %s: %s\n", rev, r.Line, brief.ShortID(r.ID), made(ctx, m, r.ID, r.Description))
	}
	for _, f := range r.Folded {
		fmt.Fprintf(b, "Merged fork %s into the line.\n", f)
	}
	aftermath(b, r.Saved)
	if !last {
		return
	}
	if r.Unsettled {
		b.WriteString("NEEDS SYNTHESIS: the sides hold different theses. Weigh them, then call sage_merge(thesis: ..., confidence: ...).\n")
		b.WriteString(sides(ctx, m, r.ID))
	}
	fmt.Fprintf(b, "The next save continues %s.", brief.ShortID(r.ID))
}

// made is what a merge came to, with who wrote it in brackets before it if it holds what came
// from elsewhere.
func made(ctx context.Context, m *recall.Memory, id, description string) string {
	r, err := m.Store.Commits.Record(ctx, id)
	if err != nil {
		r.Own = true
	}
	return provenance.Byline(r) + texts.OneLine(provenance.Said(r.Own, description), 100)
}

// sides are the theses that a merge has to bring together.
func sides(ctx context.Context, m *recall.Memory, id string) string {
	c, err := m.Store.Commits.Load(ctx, id)
	if err != nil || c.Thesis != sage.NeedsSynthesis {
		return ""
	}
	var b strings.Builder
	for _, t := range c.ComponentTheses {
		by := ""
		if r, err := m.Store.Commits.Record(ctx, t.From); err == nil {
			by = provenance.Aside(r, brief.Age(m.Stores.Now().Sub(r.Time)))
		} else if c.Elsewhere {
			by = provenance.AsideOf(c)
		}
		fmt.Fprintf(&b, "%s%s holds: %s\n", brief.ShortID(t.From), by, provenance.Said(by == "", t.Thesis))
	}
	return texts.Fenced("git-sage merge "+brief.ShortID(id), b.String(), texts.MaxChars/2, "sage_load_checkpoint shows them") + "\n"
}
