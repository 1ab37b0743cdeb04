package notes

import (
	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/usage"
)

// New makes 'git sage notes'.
func New(a *app.App) *cobra.Command {
	return usage.Group("notes", "Keep git notes that say why commits were made", "Git notes on refs/notes/sage name the checkpoints that explain your commits.", newRecord(a))
}
