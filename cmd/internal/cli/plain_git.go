package cli

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/usage"
)

const (
	howToPush  = "plain git carries the memory: {git} push origin 'refs/sage/heads/*' 'refs/sage/forks/*' 'refs/sage/tags/*' 'refs/sage/knowledge*'"
	howToFetch = "plain git fetches the memory, and a merge takes it in: for kind in heads/ forks/ tags/ knowledge; do" +
		" {git} fetch origin \"+refs/sage/$kind*:refs/sage/remotes/origin/$kind*\"; done && git sage merge --fetched origin"
)

// plainGit says of commands that git has and we leave to it what to type, with {git}
// for how git is called there.
var plainGit = map[string][]string{
	"push":  {howToPush},
	"share": {howToPush},
	"fetch": {howToFetch},
	"pull":  {howToFetch},
	"sync":  {howToFetch, howToPush},
	"clone": {"a git clone carries no memory; in the clone, " + howToFetch},
}

// doneElsewhere says of words that are no command what does what they mean.
var doneElsewhere = sync.OnceValue(func() map[string]string {
	return map[string]string{
		"add":       "'git sage remember <text>' keeps a fact, 'git sage todo add <text>' a todo, 'git sage save' a checkpoint",
		"delete":    howToRemove,
		"remove":    howToRemove,
		"rm":        howToRemove,
		"disable":   howToDisable,
		"off":       howToDisable,
		"enable":    howToEnable,
		"on":        howToEnable,
		"uninstall": "'git sage hooks uninstall; git sage mcp uninstall' disconnects Claude Code; 'make uninstall' removes the program",
		"ui":        howToBrowse,
		"gui":       howToBrowse,
		"web":       howToBrowse,
		"browse":    howToBrowse,
		"dashboard": howToBrowse,
	}
})

const (
	howToRemove  = "'git sage forget <id>' removes an item of knowledge, 'git sage checkpoint rm <id>' a checkpoint"
	howToDisable = "'git sage config set enabled false' switches git-sage off in this repository"
	howToEnable  = "'git sage config set enabled true' switches git-sage on in this repository"
	howToBrowse  = "there is no web page: 'git sage log --graph' draws the lines, 'git sage export --all <folder>' writes all checkpoints as files"
)

// unknownCommand says that the first word of a command line is no command, and what does what it
// means: git, a command of another name, or one that is spelt nearly so.
func unknownCommand(a *app.App, c *cobra.Command, args []string) error {
	var hints []string
	if word := strings.ToLower(args[0]); plainGit[word] != nil {
		hints = howGit(c.Context(), a, word)
	} else if doneElsewhere()[word] != "" {
		hints = []string{doneElsewhere()[word]}
	} else {
		return usage.UnknownVerb(c, args)
	}
	return &usage.Error{Msg: usage.NotACommand(c, args[0]), Hints: hints}
}

// howGit lets what is said to type work on the user's own store, where git does
// not find it by itself; remotes are rare there, so it says how to add one.
func howGit(ctx context.Context, a *app.App, verb string) (hints []string) {
	git := "git"
	if m, err := a.Open(ctx); err == nil && verb != "clone" {
		git = m.Store.Repo.PlainGit()
		if git != "git" && !slices.Contains(m.Store.Repo.ConfigKeys("remote."), "remote.origin.url") {
			hints = []string{"your own memory has no remote 'origin' yet; add one first: " + git + " remote add origin <url>"}
		}
	}
	for _, how := range plainGit[verb] {
		hints = append(hints, strings.ReplaceAll(how, "{git}", git))
	}
	return hints
}
