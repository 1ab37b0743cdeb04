package cli

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/usage"
)

func newHelpCmd(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use:   "help [<command>...]",
		Short: "List all commands, or explain one",
		Long: `List all commands, or explain one. Unlike 'git sage --help', which git answers
itself, this needs no manual page.`,
		RunE: func(c *cobra.Command, args []string) error {
			at := c.Root()
			for _, name := range args {
				next := usage.Child(at, name)
				if next == nil && !at.HasParent() {
					return unknownCommand(at, []string{name})
				}
				if next == nil {
					return usage.UnknownVerb(at, []string{name})
				}
				at = next
			}
			return a.Print(func(w io.Writer) { usage.WriteHelp(w, at) })
		},
	}
}
