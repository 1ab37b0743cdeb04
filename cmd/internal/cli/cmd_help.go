package cli

import (
	"io"

	"github.com/spf13/cobra"
)

func newHelpCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "help [<command>...]",
		Short: "Explain a command",
		RunE: func(c *cobra.Command, args []string) error {
			at := c.Root()
			for _, name := range args {
				next := child(at, name)
				if next == nil && !at.HasParent() {
					return a.unknown(at, []string{name})
				}
				if next == nil {
					return unknownVerb(at, []string{name})
				}
				at = next
			}
			return a.write(func(w io.Writer) { writeHelp(w, at) })
		},
	}
}

func child(c *cobra.Command, name string) *cobra.Command {
	for _, v := range c.Commands() {
		if v.Name() == name {
			return v
		}
	}
	return nil
}
