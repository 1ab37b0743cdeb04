package knowledge

import (
	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/item"
)

func newKnowledgeEditCmd(a *app.App) *cobra.Command {
	return item.Knowledge.Edit(a, &cobra.Command{
		Use:   "edit [-F <file>] <id>",
		Short: "Edit an item",
		Long: `Open an item in your editor as it is stored: front matter and content. If
somebody changes it meanwhile, both changes are merged field by field, and what
does not merge is marked as a conflict. Text without front matter replaces only
the content.`,
	})
}
