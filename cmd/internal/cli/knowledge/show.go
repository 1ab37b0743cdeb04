package knowledge

import (
	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/item"
)

func newKnowledgeShowCmd(a *app.App) *cobra.Command {
	return item.Knowledge.Show(a, &cobra.Command{
		Use:   "show [--raw] <id>[@{<when>}]...",
		Short: "Show an item",
		Long: `Show items with all their fields, their links in both directions, and what a
merge left in conflict. <when> is a time as git reads it (yesterday,
2026-03-01), a number of changes ago (1), or a commit from
'git sage knowledge log'.`,
		Example: `git sage knowledge show staging-wipe
git sage knowledge show 'staging-wipe@{yesterday}'`,
	})
}
