// Package importing has the commands that bring in what was before this memory: sessions, and
// what other tools kept.
package importing

import (
	"errors"
	"os"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/gitstore"
)

// NewImport makes 'git sage import'.
func NewImport(a *app.App) *cobra.Command {
	c := usage.Group("import", "Import earlier sessions, or the memory of another tool", "",
		append([]*cobra.Command{newImportSessionsCmd(a), newImportClaudeSageCmd(a), newImportHistoryCmd(a)}, newOtherCmds(a)...)...)
	c.RunE = func(c *cobra.Command, args []string) error { return unknownTool(a, c, args) }
	return c
}

// unknownTool says what reads the file or folder that was named in place of a tool.
func unknownTool(a *app.App, c *cobra.Command, args []string) error {
	err := usage.UnknownVerb(c, args)
	var u *usage.Error
	if len(args) == 0 || !errors.As(err, &u) {
		return err
	}
	at, word := a.Path(args[0]), gitstore.InShell(args[0])
	switch st, serr := os.Stat(at); {
	case serr != nil:
	case st.IsDir():
		u.Hints = []string{"'git sage import obsidian " + word + "' reads a folder of notes, 'git sage import adr " + word + "' one of decision records"}
	default:
		u.Hints = []string{"'git sage import instructions " + word + "' reads a file of rules for agents"}
	}
	return u
}
