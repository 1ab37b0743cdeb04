package knowledge

import (
	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/gitstore/sage"
)

// NewFailure makes 'git sage failure'.
func NewFailure(a *app.App) *cobra.Command {
	return usage.Listing(usage.Group("failure", "Record what did not work, and why", `A failure is an item of knowledge that says what was tried, why it did not work
and what it taught, so that nobody tries it again.`,
		newFailureAddCmd(a),
		newListOf(a, "list", "List failures", ListOptions{Kinds: []string{string(sage.Failure)}}),
	))
}

func newFailureAddCmd(a *app.App) *cobra.Command {
	o := addOptions{kind: sage.Failure, command: "git sage failure add", empty: "say what was tried: git sage failure add --approach <text>"}
	return o.complete(a, &cobra.Command{
		Use:   "add --approach <text> [<options>]",
		Short: "Add a failure",
		Long: `Add what was tried, why it did not work and what it taught. Add more with -m,
from a file (-F) or in your editor (-e). Without --id, the id is made from what
was tried and printed.`,
		Example: `git sage failure add --approach 'Lock the table while migrating' \
    --why-failed 'Writers waited' --learned 'Copy in batches'`,
		Args: usage.NoArgs,
	}, append(tryTexts, sourceText)...)
}
