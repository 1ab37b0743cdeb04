package line

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/cmd/internal/wire"
)

type tagOptions struct {
	remove, force, list bool
}

// NewTag makes 'git sage tag'.
func NewTag(a *app.App) *cobra.Command {
	var o tagOptions
	c := &cobra.Command{
		Use:   "tag [<options>] [<name> [<rev>]]",
		Short: "List, create or delete tags for checkpoints",
		Long: `Without a name, list the tags. With a name, tag the checkpoint <rev>, or the one
where you stand. A tagged checkpoint is never hidden or pruned.`,
		Example: `git sage tag decided
git sage tag -d decided`,
		RunE:              func(c *cobra.Command, args []string) error { return runTag(c.Context(), a, o, args) },
		ValidArgsFunction: app.CompleteTags(a),
	}
	f := c.Flags()
	f.SortFlags = false
	f.BoolVarP(&o.list, "list", "l", false, "list the tags, or those matching <pattern>...")
	f.BoolVarP(&o.remove, "delete", "d", false, "delete the tags <name>...")
	f.BoolVarP(&o.force, "force", "f", false, "move the tag if it exists")
	return c
}

func runTag(ctx context.Context, a *app.App, o tagOptions, args []string) error {
	switch {
	case o.remove && (o.list || o.force):
		return usage.Errorf("option '--delete' cannot be used with '--list' or '--force'")
	case o.remove:
		return deleteTags(ctx, a, args)
	case o.list || len(args) == 0:
		return listTags(ctx, a, args)
	case len(args) > 2:
		return usage.Errorf("too many arguments: '%s'", args[2])
	}
	if err := usage.NoEmpty(args[1:]); err != nil {
		return err
	}
	m, err := a.Open(ctx)
	if err != nil {
		return err
	}
	t, err := m.Store.Lines.Tag(ctx, args[0], append(args, "@")[1], o.force)
	if err != nil {
		return err
	}
	if a.JSON {
		return a.PrintJSON(wire.Tag(t))
	}
	return nil
}

func deleteTags(ctx context.Context, a *app.App, names []string) error {
	if len(names) == 0 {
		return usage.Errorf("<name> is missing")
	}
	m, err := a.Open(ctx)
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := m.Store.Lines.DeleteTag(ctx, name); err != nil {
			return err
		}
		a.Say("Deleted tag '%s'", name)
	}
	return nil
}

func listTags(ctx context.Context, a *app.App, patterns []string) error {
	m, err := a.Open(ctx)
	if err != nil {
		return err
	}
	tags, err := m.Store.Lines.Tags(ctx)
	if err != nil {
		return err
	}
	for _, t := range tags {
		if !usage.MatchesAny(patterns, t.Name) {
			continue
		}
		if a.JSON {
			err = a.PrintJSON(wire.Tag(t))
		} else {
			_, err = fmt.Fprintln(a.Out, t.Name)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
