package line

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/cmd/internal/usage"
)

// NewRevParse makes 'git sage rev-parse'.
func NewRevParse(a *app.App) *cobra.Command {
	var short, quiet bool
	c := &cobra.Command{
		Use:     "rev-parse [--short] [-q] <rev>...",
		Example: "git sage rev-parse --short @~2",
		Short:   "Print the full id of a checkpoint",
		Long: `Print the id of each <rev>: @ for where you stand, @~2 for two before, the name
of a line or tag, the beginning of an id, an id from before an import, or
<line>@{yesterday}.`,
		Args:              usage.RangeArgs(1, -1, "rev"),
		RunE:              func(c *cobra.Command, args []string) error { return runRevParse(c.Context(), a, short, quiet, args) },
		ValidArgsFunction: app.CompleteRevs(a),
	}
	c.Flags().BoolVar(&short, "short", false, "print the short id that lists show")
	c.Flags().BoolVarP(&quiet, "quiet", "q", false, "print nothing and exit with status 1 if there is no such checkpoint")
	return c
}

func runRevParse(ctx context.Context, a *app.App, short, quiet bool, revs []string) error {
	m, err := a.Open(ctx)
	if err != nil {
		return err
	}
	for _, rev := range revs {
		id, err := m.Store.Commits.Resolve(ctx, rev)
		if quiet && exit.IsNotFound(err) {
			return exit.ErrNo
		}
		if err != nil {
			return err
		}
		if short {
			id = a.Short(id)
		}
		if a.JSON {
			err = a.PrintJSON(map[string]string{"rev": rev, "id": id})
		} else {
			_, err = fmt.Fprintln(a.Out, id)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
