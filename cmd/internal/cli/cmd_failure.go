package cli

import (
	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/gitstore/sage"
)

func newFailureCmd(a *app) *cobra.Command {
	return group("failure", "Keep what did not work, and why", `A failure is an item of knowledge that says what was tried, why it did not work and
what that taught, so that nobody tries it again.`,
		newFailureAddCmd(a),
		newListOf(a, "list", "List what did not work", listOptions{kinds: []string{string(sage.Failure)}}),
	)
}

func newFailureAddCmd(a *app) *cobra.Command {
	o := addOptions{kind: sage.Failure, command: "git sage failure add", empty: "say what was tried: git sage failure add --approach <text>"}
	c := &cobra.Command{
		Use:   "add --approach <text> [<options>]",
		Short: "Add something that did not work",
		Long: `Adds what was tried, why it did not work and what that taught. What else there is to
say comes from -m, from a file (-F) or from your editor (-e). Without an id one is
made of what was tried, and said.`,
		Example: `git sage failure add --approach 'Lock the table while migrating' \
    --why-failed 'Writers waited' --learned 'Copy in batches'`,
		Args: noArgs,
		RunE: func(c *cobra.Command, args []string) error { return a.add(c.Context(), &o, args) },
	}
	o.flags(c, append(tryTexts, sourceText)...)
	return c
}
