// Package cli is the command line: one file a command. It is the only place that knows exit
// codes and the signals of the process.
//
// A command is a function newXCmd(a *app.App) *cobra.Command, listed in root.go. It prints
// data on a.Out, and says everything else with a.Warn and a.Say. It returns an error and
// never exits: nil is status 0, exit.ErrNo is 1, usage.Errorf is 129, anything else is
// fatal, 128. Package exit turns errors into messages and hints.
//
// Size: 14000 lines, for it holds a file a command, and those share nothing with each
// other.
package cli
