package knowledge

import (
	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/item"
	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/gitstore/sage"
)

// New makes the group, with verbs that are about checkpoints, too: match, search
// and confirm.
func New(a *app.App, args []string, match, search, confirm app.Entry) *cobra.Command {
	return usage.Group("knowledge", "Add, find and change items of knowledge", knowledgeLong, knowledgeVerbs(a, args, match, search, confirm)...)
}

const knowledgeLong = `An item of knowledge is a fact, preference, reference, todo or failure: Markdown
with keywords that recall it. Items of the repository are on
refs/sage/knowledge, where every change is a commit, and travel with the memory.
Your preferences are in your own store, ~/.sage/memory.git, unless they are
--shared; with --global, so is everything.`

// knowledgeVerbs are the commands under "git sage knowledge".
func knowledgeVerbs(a *app.App, args []string, match, search, confirm app.Entry) []*cobra.Command {
	if len(args) > 0 {
		args = args[1:]
	}
	short := func(make func(*app.App) *cobra.Command) func(*app.App) *cobra.Command {
		return func(a *app.App) *cobra.Command { return item.TakeShortIDs(a, make(a)) }
	}
	return app.Build(a, args, []app.Entry{
		app.Verb("add", newKnowledgeAddCmd),
		app.Verb("edit", short(newKnowledgeEditCmd)),
		app.Verb("update", short(newKnowledgeUpdateCmd)),
		app.Verb("show", short(newKnowledgeShowCmd)),
		app.Verb("list", NewList),
		match,
		search,
		app.Verb("extract", newKnowledgeExtractCmd),
		app.Verb("link", short(newKnowledgeLinkCmd)),
		app.Verb("deprecate", short(newKnowledgeDeprecateCmd)),
		app.Verb("archive", short(newKnowledgeArchiveCmd)),
		app.Verb(confirm.Name, short(confirm.Make)),
		app.Verb("rm", short(newKnowledgeRmCmd)),
		app.Verb("log", short(newKnowledgeLogCmd)),
		app.Verb("diff", short(newKnowledgeDiffCmd)),
	})
}

// completeWords offers the words that a field of an item may have, for an option.
func completeWords(c *cobra.Command, option, field string) {
	c.RegisterFlagCompletionFunc(option, func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		if field == "type" {
			return sage.Kinds(), cobra.ShellCompDirectiveNoFileComp
		}
		return sage.ItemWords(field), cobra.ShellCompDirectiveNoFileComp
	})
}
