package cli

import (
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/cmd/internal/wire"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/internal/lists"
	"github.com/git-sage/git-sage/recall"
)

func newKnowledgeCmd(a *app.App, args []string) *cobra.Command {
	return usage.Group("knowledge", "Add, find and change items of knowledge", knowledgeLong, knowledgeVerbs(a, args)...)
}

const knowledgeLong = `An item of knowledge is a fact, preference, reference, todo or failure: Markdown
with keywords that recall it. Items of the repository are on
refs/sage/knowledge, where every change is a commit, and travel with the memory.
Your preferences are in your own store, ~/.sage/memory.git, unless they are
--shared; with --global, so is everything.`

// knowledgeVerbs are the commands under "git sage knowledge".
func knowledgeVerbs(a *app.App, args []string) []*cobra.Command {
	if len(args) > 0 {
		args = args[1:]
	}
	short := func(make func(*app.App) *cobra.Command) func(*app.App) *cobra.Command {
		return func(a *app.App) *cobra.Command { return takesShortIDs(a, make(a)) }
	}
	return app.Build(a, args, []app.Entry{
		app.Verb("add", newKnowledgeAddCmd),
		app.Verb("edit", short(newKnowledgeEditCmd)),
		app.Verb("update", short(newKnowledgeUpdateCmd)),
		app.Verb("show", short(newKnowledgeShowCmd)),
		app.Verb("list", newKnowledgeListCmd),
		app.Verb("match", newMatchCmd),
		app.Verb("search", newKnowledgeSearchCmd),
		app.Verb("extract", newKnowledgeExtractCmd),
		app.Verb("link", short(newKnowledgeLinkCmd)),
		app.Verb("deprecate", short(newKnowledgeDeprecateCmd)),
		app.Verb("archive", short(newKnowledgeArchiveCmd)),
		app.Verb("confirm", short(newKnowledgeConfirmCmd)),
		app.Verb("rm", short(newKnowledgeRmCmd)),
		app.Verb("log", short(newKnowledgeLogCmd)),
		app.Verb("diff", short(newKnowledgeDiffCmd)),
	})
}

// itemArgs takes ids: from least to most of them; most < 0 is any number.
func itemArgs(least, most int, names ...string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		for i, arg := range args {
			if arg == "" && (i >= len(names) || names[i] == "id" || names[i] == "name") {
				return usage.Errorf("an id is empty")
			}
		}
		if len(args) < least {
			return usage.Errorf("<%s> is missing", names[len(args)])
		}
		return usage.RangeArgs(least, most, append([]string{"item"}, names[1:]...)...)(c, args)
	}
}

// missingItem says which id was perhaps meant by one that is not there.
func missingItem(ctx context.Context, m *recall.Memory, err error) error {
	var missing *gitstore.NoItemError
	if !errors.As(err, &missing) || missing.When != "" || missing.Kind != "" {
		return err
	}
	items, lerr := m.Items(ctx, recall.ItemQuery{All: true})
	var ids []string
	for _, k := range items {
		if ids = append(ids, k.Item.ID); saysTitle(missing.ID, k.Item) {
			return exit.WithHint(err, "did you mean '%s', which says that?", k.Item.ID)
		}
	}
	if near := usage.Nearest(missing.ID, ids); lerr == nil && near != "" {
		return exit.WithHint(err, "did you mean '%s'?", near)
	}
	return err
}

// saysTitle reports whether who named an item typed what it says and not its id.
func saysTitle(typed string, it *sage.Item) bool {
	bare := func(s string) string { return strings.TrimRight(strings.Join(strings.Fields(s), " "), ".!。！ ") }
	return strings.EqualFold(bare(typed), bare(wire.Title(it)))
}

// completeItems offers ids of items.
func completeItems(a *app.App) cobra.CompletionFunc {
	return func(c *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
		return completeItemsOf(a, c, recall.ItemQuery{All: true}, word)
	}
}

func completeItemsOf(a *app.App, c *cobra.Command, q recall.ItemQuery, word string) ([]string, cobra.ShellCompDirective) {
	m, err := a.Open(c.Context())
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	items, _ := m.Items(c.Context(), q)
	return usage.Matching(itemOffers(items), "", word), cobra.ShellCompDirectiveNoFileComp
}

// itemOffers are completions of items, with their titles.
func itemOffers(items []recall.Known) []string {
	return lists.Map(items, func(k recall.Known) string { return usage.Offer(k.Item.ID, wire.Title(k.Item)) })
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
