package cli

import (
	"context"

	"github.com/spf13/cobra"
)

func newKnowledgeConfirmCmd(a *app) *cobra.Command {
	var quiet bool
	c := &cobra.Command{
		Use:   "confirm [-q] <id>...",
		Short: "Stand for items that came from elsewhere",
		Long: `Stands for items that were fetched. Until somebody here confirms or changes one, an
agent is told with it that nobody did, and its --always does not count. Read it
first: 'git sage knowledge show' shows it. The id of a pinned note is system/<name>,
that of a skill skills/<name>.`,
		Example:           "git sage knowledge confirm staging-wipe",
		Args:              itemArgs(1, -1, "id"),
		RunE:              func(c *cobra.Command, args []string) error { return a.knowledgeConfirm(c.Context(), args, quiet) },
		ValidArgsFunction: a.completeItems,
	}
	c.Flags().BoolVarP(&quiet, "quiet", "q", false, "print only warnings")
	return c
}

func (a *app) knowledgeConfirm(ctx context.Context, ids []string, quiet bool) error {
	m, err := a.open(ctx)
	if err != nil {
		return err
	}
	written, known, err := m.Confirm(ctx, ids)
	if err != nil {
		return a.missingItem(ctx, m, err)
	}
	if !quiet && !a.json {
		for _, id := range known {
			a.say("'%s' was written or confirmed here", id)
		}
	}
	if len(written) == 0 {
		return nil
	}
	return a.printWritten("confirmed", ids, written, quiet)
}
