package item

import (
	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/cmd/internal/wire"
	"github.com/git-sage/git-sage/internal/lists"
	"github.com/git-sage/git-sage/recall"
)

// Complete offers ids of items.
func Complete(a *app.App) cobra.CompletionFunc {
	return func(c *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
		return CompleteOf(a, c, recall.ItemQuery{All: true}, word)
	}
}

// CompleteOf offers ids of the items that a query finds.
func CompleteOf(a *app.App, c *cobra.Command, q recall.ItemQuery, word string) ([]string, cobra.ShellCompDirective) {
	m, err := a.Open(c.Context())
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	items, _ := m.Knowledge.Items(c.Context(), q)
	return usage.Matching(itemOffers(items), "", word), cobra.ShellCompDirectiveNoFileComp
}

// itemOffers are completions of items, with their titles.
func itemOffers(items []recall.Known) []string {
	return lists.Map(items, func(k recall.Known) string { return usage.Offer(k.Item.ID, wire.Title(k.Item)) })
}
