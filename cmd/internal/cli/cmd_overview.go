package cli

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/cli/health"
	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/cmd/internal/usage"
)

// essential are the commands that 'git sage' alone shows: those of a day's work.
var essential = []string{"init", "remember", "recall", "forget", "list", "search", "save", "log", "review", "undo"}

// printOverview is what 'git sage' alone prints: where you stand, and the commands to go on with.
func printOverview(a *app.App, c *cobra.Command) error {
	if err := health.Status(c.Context(), a, false); err != nil || a.JSON {
		return err
	}
	return a.Print(func(w io.Writer) {
		fmt.Fprintln(w)
		for _, name := range essential {
			if v := usage.Child(c, name); v != nil {
				fmt.Fprintf(w, "    %-9s %s\n", name, term.LowerFirst(v.Short))
			}
		}
		fmt.Fprintln(w, "\n'git sage help' lists all commands, 'git sage help <command>' explains one.")
	})
}
