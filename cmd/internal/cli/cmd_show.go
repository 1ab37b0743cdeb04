package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/recall"
)

func newShowCmd(a *app) *cobra.Command {
	var raw bool
	c := &cobra.Command{
		Use:   "show [--raw] [<rev>...]",
		Short: "Show a checkpoint with all its fields",
		Long: `Shows each <rev>, or where you stand, in the words of its template: everything
that was recorded. A removed checkpoint is shown, and said to be removed.`,
		RunE:              func(c *cobra.Command, args []string) error { return a.show(c.Context(), raw, args) },
		ValidArgsFunction: a.completeRevs,
	}
	c.Flags().BoolVar(&raw, "raw", false, "print the Markdown as it is stored")
	return c
}

func (a *app) show(ctx context.Context, raw bool, revs []string) error {
	m, err := a.open(ctx)
	if err != nil {
		return err
	}
	if len(revs) == 0 {
		revs = []string{"@"}
	}
	defer a.page()()
	for i, rev := range revs {
		if i > 0 && !raw && !a.json {
			fmt.Fprintln(a.out)
		}
		if err := a.showOne(ctx, m, raw, rev); err != nil {
			return err
		}
	}
	return nil
}

func (a *app) showOne(ctx context.Context, m *recall.Memory, raw bool, rev string) error {
	r, err := m.Store.Record(ctx, rev)
	if err != nil {
		return err
	}
	if r.Kind == gitstore.KindTombstone {
		return a.showTombstone(r)
	}
	c, err := m.Store.Load(ctx, r.ID)
	if err != nil {
		return err
	}
	switch {
	case raw:
		return a.showRaw(c)
	case a.json:
		return a.showJSON(c, r)
	}
	text, err := m.Brief(ctx, c, recall.BriefOptions{Full: true})
	if err != nil {
		return err
	}
	r.Thesis = ""
	_, err = fmt.Fprintf(a.out, "%s\n\n%s\n", a.fullEntry(r, a.palette()), visibleLines(strings.TrimRight(text, "\n")))
	return err
}

// showTombstone shows a commit that removes others or brings them back.
func (a *app) showTombstone(r gitstore.Record) error {
	if a.json {
		return a.printJSON(toRecordJSON(r))
	}
	fmt.Fprintln(a.out, a.fullEntry(r, a.palette()))
	for _, id := range r.Removes {
		fmt.Fprintf(a.out, "    removes %s\n", a.short(id))
	}
	for _, id := range r.Restores {
		fmt.Fprintf(a.out, "    brings back %s\n", a.short(id))
	}
	return nil
}

func (a *app) showRaw(c *sage.Checkpoint) error {
	_, err := a.out.Write(sage.Marshal(c))
	return err
}
