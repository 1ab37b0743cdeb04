package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app"
)

// Completion answers with what exists: lines, tags and ids, each with what it
// is about. It never fails: no answer is an answer.

// completeIDs lets every command whose usage names an <id> or <line> complete
// it, unless it knows better.
func completeIDs(a *app.App, c *cobra.Command) {
	named := strings.Contains(c.Use, "<id>") || strings.Contains(c.Use, "<line>")
	if named && c.ValidArgsFunction == nil && len(c.ValidArgs) == 0 {
		c.ValidArgsFunction = app.CompleteRevs(a)
	}
	for _, v := range c.Commands() {
		completeIDs(a, v)
	}
}
