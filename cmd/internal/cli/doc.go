// Package cli is the command line: the tree of commands, help, completion, and how a command
// line begins and ends. It is the only place that knows the signals of the process. The
// commands are in the packages below it, by what they are about, a file a command.
//
// A command is a function NewX(a *app.App) *cobra.Command, listed in root.go or among the
// verbs of its noun. It prints data on a.Out, and says everything else with a.Warn and
// a.Say. It returns an error and never exits: nil is status 0, exit.ErrNo is 1,
// usage.Errorf is 129, anything else is fatal, 128. Package exit turns errors into messages
// and hints.
package cli
