package app

import (
	"slices"

	"github.com/spf13/cobra"
)

// An Entry is a command that is built when it is wanted.
type Entry struct {
	Name string
	Make func(*App) *cobra.Command
}

// Verb is the entry of a command.
func Verb(name string, make func(*App) *cobra.Command) Entry { return Entry{name, make} }

// Build builds the command that args begin with, or all when they begin with
// none: help, completion and mistakes need to know every name.
func Build(a *App, args []string, all []Entry) []*cobra.Command {
	var built []*cobra.Command
	for _, e := range all {
		if len(args) > 0 && args[0] == e.Name && !slices.Contains(args, "--help") && e.Name != "man" && e.Name != "completion" && e.Name != "help" {
			return []*cobra.Command{e.Make(a)}
		}
	}
	for _, e := range all {
		built = append(built, e.Make(a))
	}
	return built
}
