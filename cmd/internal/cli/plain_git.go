package cli

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

const howToFetch = "plain git fetches the memory, and a merge takes it in: for kind in heads/ forks/ tags/ knowledge; do" +
	" {git} fetch origin \"+refs/sage/$kind*:refs/sage/remotes/origin/$kind*\"; done && git sage merge --fetched origin"

// plainGit says of commands that git has and we leave to it what to type, with {git}
// for how git is called there.
var plainGit = map[string]string{
	"push":  "plain git carries the memory: {git} push origin 'refs/sage/heads/*' 'refs/sage/forks/*' 'refs/sage/tags/*' 'refs/sage/knowledge*'",
	"fetch": howToFetch,
	"pull":  howToFetch,
	"clone": "a clone is git's, and carries no memory; in it, " + howToFetch,
}

// unknown says that the first word of a command line is no command, and of those that
// git has how it does them.
func (a *app) unknown(c *cobra.Command, args []string) error {
	if len(args) == 0 || plainGit[args[0]] == "" {
		return unknownVerb(c, args)
	}
	hints := a.plainGit(c.Context(), args[0])
	return &usageError{msg: notACommand(c, args[0]), hints: hints}
}

// plainGit lets what is said to type work on the user's own store, where git does
// not find it by itself; remotes are rare there, so it says how to add one.
func (a *app) plainGit(ctx context.Context, verb string) (hints []string) {
	git := "git"
	if m, err := a.open(ctx); err == nil && verb != "clone" {
		git = m.Store.PlainGit()
		if git != "git" && !slices.Contains(m.Store.ConfigKeys("remote."), "remote.origin.url") {
			hints = []string{"your own memory has no remote 'origin' yet; add one first: " + git + " remote add origin <url>"}
		}
	}
	return append(hints, strings.ReplaceAll(plainGit[verb], "{git}", git))
}
