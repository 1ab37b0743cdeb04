package knowledge

import (
	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/item"
)

// NewForget makes 'git sage forget'.
func NewForget(a *app.App) *cobra.Command {
	c := newKnowledgeRmCmd(a)
	c.Use, c.Short = "forget [-q] <id>...", "Remove items and notes"
	c.Example = "git sage forget staging-wipe"
	return c
}

func newKnowledgeRmCmd(a *app.App) *cobra.Command {
	return item.Knowledge.Rm(a, &cobra.Command{
		Use:   "rm [-q] <id>...",
		Short: "Remove items",
		Long: `Remove items and notes, in one commit. Nothing is rewritten: they stay in the
history of the knowledge, and 'git sage undo' restores them. To keep an item and
stop recalling it, use 'git sage knowledge archive'.`,
		Example: "git sage knowledge rm staging-wipe",
	})
}
