package review

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/cmd/internal/item"
	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/cmd/internal/wire"
	"github.com/git-sage/git-sage/recall"
)

// NewRefuse makes 'git sage refuse'.
func NewRefuse(a *app.App) *cobra.Command {
	var list, undo, quiet bool
	c := &cobra.Command{
		Use:   "refuse [-q] (--list | [--undo] <id>...)",
		Short: "Refuse items from elsewhere",
		Long: `Refuse what somebody elsewhere wrote: it is no longer recalled, listed or found,
also when it is fetched again or comes under another id. The repository keeps
it, so others still have it; 'git sage forget' removes it for everybody.

Refusals are sums of texts in your own store, ~/.sage/memory.git, which you can
sync to your other machines. --undo takes one back, --list lists them. An agent
cannot refuse.`,
		Example: "git sage refuse mirror-tip\ngit sage refuse --undo mirror-tip",
	}
	c.Args = func(c *cobra.Command, args []string) error {
		if list && (undo || len(args) > 0) {
			return usage.Errorf("--list takes no <id> and no --undo")
		}
		if list {
			return nil
		}
		return usage.RangeArgs(1, -1, "id")(c, args)
	}
	c.RunE = func(c *cobra.Command, args []string) error {
		m, err := a.Open(c.Context())
		if err != nil {
			return err
		}
		if list {
			return listRefused(c.Context(), a, m)
		}
		return refuse(c.Context(), a, m, args, !undo, quiet)
	}
	c.ValidArgsFunction = item.Complete(a)
	c.Flags().BoolVar(&list, "list", false, "list what you refused")
	c.Flags().BoolVar(&undo, "undo", false, "take a refusal back")
	c.Flags().BoolVarP(&quiet, "quiet", "q", false, "print only warnings")
	return c
}

func refuse(ctx context.Context, a *app.App, m *recall.Memory, ids []string, refused, quiet bool) error {
	if err := usage.NoEmpty(ids); err != nil {
		return err
	}
	var items []recall.Known
	for _, id := range ids {
		k, err := m.Knowledge.Item(ctx, id)
		switch {
		case err != nil:
			return item.Missing(ctx, m, err)
		case m.Provenance.IsTrusted(k):
			return exit.WithHint(fmt.Errorf("'%s' is yours", id), "'git sage forget %s' removes it", id)
		}
		items = append(items, k)
	}
	if err := m.Provenance.Refuse(ctx, refused, items...); err != nil {
		return err
	}
	did := map[bool]string{true: "refused", false: "no longer refused:"}[refused]
	for _, k := range items {
		switch {
		case a.JSON:
			if err := a.PrintJSON(map[string]any{"act": map[bool]string{true: "refused", false: "unrefused"}[refused], "id": k.Key, "title": wire.ListTitle(k)}); err != nil {
				return err
			}
		case !quiet:
			fmt.Fprintf(a.Out, "%s %s %s\n", did, term.Visible(k.Key), term.Visible(wire.ListTitle(k)))
		}
	}
	return nil
}

// listRefused lists the refusals of the user, whichever repository they were of.
func listRefused(ctx context.Context, a *app.App, m *recall.Memory) error {
	sums, err := m.Provenance.Refusals(ctx)
	if err != nil {
		return err
	}
	for _, sum := range slices.Sorted(maps.Keys(sums)) {
		if a.JSON {
			if err := a.PrintJSON(map[string]any{"id": sums[sum], "sum": sum}); err != nil {
				return err
			}
			continue
		}
		fmt.Fprintf(a.Out, "%s\t%s\n", term.Visible(sums[sum]), sum[:12])
	}
	if len(sums) == 0 && !a.JSON {
		a.Say("nothing was refused")
	}
	return nil
}
