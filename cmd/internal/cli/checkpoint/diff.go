package checkpoint

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/cmd/internal/history"
	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/recall"
)

// NewDiff makes 'git sage diff'.
func NewDiff(a *app.App) *cobra.Command {
	var exitCode bool
	c := &cobra.Command{
		Use:   "diff [--exit-code] [<rev> [<rev>] | <a>..<b>]",
		Short: "Compare checkpoints by meaning",
		Long: `Compare two checkpoints by meaning: the thesis before and after, and the
evidence, sources, questions and tensions that were added or removed. With one
<rev>, or none, compare that checkpoint with each of its parents.`,
		Example: `git sage diff main cookies
git sage diff @~3..@
git sage diff`,
		Args:              usage.RangeArgs(0, 2),
		RunE:              func(c *cobra.Command, args []string) error { return runDiff(c.Context(), a, exitCode, args) },
		ValidArgsFunction: app.CompleteRevs(a),
	}
	c.Flags().BoolVar(&exitCode, "exit-code", false, "exit with status 1 if they differ")
	return c
}

func runDiff(ctx context.Context, a *app.App, exitCode bool, args []string) error {
	m, err := a.Open(ctx)
	if err != nil {
		return err
	}
	pairs, err := diffPairs(ctx, m, args)
	if err != nil {
		return err
	}
	defer a.Page()()
	differs := false
	for i, p := range pairs {
		d, err := history.Compare(ctx, m, p[0], p[1])
		if err != nil {
			return err
		}
		differs = differs || !d.Empty()
		if err := printDiff(a, d, len(pairs) > 1, i > 0); err != nil {
			return err
		}
	}
	if exitCode && differs {
		return exit.ErrNo
	}
	return nil
}

// diffPairs are the checkpoints to compare. The first of a pair is "" for a
// checkpoint without a parent: all of it is new.
func diffPairs(ctx context.Context, m *recall.Memory, args []string) ([][2]string, error) {
	if len(args) == 1 {
		if from, to, ok := strings.Cut(args[0], ".."); ok {
			args = []string{orHere(from), orHere(strings.TrimPrefix(to, "."))}
		}
	}
	if len(args) == 2 {
		return [][2]string{{args[0], args[1]}}, nil
	}
	r, err := m.Store.Commits.Record(ctx, append(args, "@")[0])
	if err != nil {
		return nil, err
	}
	before, err := m.Session.Before(ctx, r.ID, r.Parents)
	if err != nil {
		return nil, err
	}
	if len(before) == 0 {
		return [][2]string{{"", r.ID}}, nil
	}
	var pairs [][2]string
	for _, p := range before {
		pairs = append(pairs, [2]string{p, r.ID})
	}
	return pairs, nil
}

func orHere(rev string) string {
	if rev == "" {
		return "@"
	}
	return rev
}

// printDiff prints one comparison, under a line that names the sides if there are several,
// or one is marked.
func printDiff(a *app.App, d history.Comparison, named, apart bool) error {
	if a.JSON {
		return a.PrintJSON(d)
	}
	if apart {
		fmt.Fprintln(a.Out)
	}
	if named || d.FromUnconfirmed || d.ToUnconfirmed {
		head := "diff"
		for i, id := range []string{d.From, d.To} {
			if id != "" {
				head += " " + a.Short(id) + d.Asides[i]
			}
		}
		fmt.Fprintf(a.Out, "%s\n", a.Palette().Paint("bold", head))
	}
	_, err := io.WriteString(a.Out, d.Text(a.Colored()))
	return err
}
