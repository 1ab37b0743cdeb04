// Package importing has the commands that bring in what was before this memory: sessions, and
// what other tools kept.
package importing

import (
	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/usage"
)

// NewImport makes 'git sage import'.
func NewImport(a *app.App) *cobra.Command {
	return usage.Group("import", "Import earlier sessions, or the memory of another tool", "",
		append([]*cobra.Command{newImportSessionsCmd(a), newImportClaudeSageCmd(a), newImportHistoryCmd(a)}, newOtherCmds(a)...)...)
}
