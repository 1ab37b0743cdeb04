package knowledge

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/history"
	"github.com/git-sage/git-sage/cmd/internal/item"
	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/recall"
)

func newKnowledgeLogCmd(a *app.App) *cobra.Command {
	var o history.Options
	c := &cobra.Command{
		Use:     "log [<options>] [<id>]",
		Example: "git sage knowledge log staging-wipe",
		Short:   "Show the changes of an item, or of all, newest first",
		Long: `Show the changes of an item, or of all items here, newest first, as commits of
refs/sage/knowledge. 'git sage knowledge show <id>@{<commit>}' shows an item as
it was, 'git sage knowledge diff' what changed.`,
		Args:              item.Args(0, 1, "id"),
		RunE:              func(c *cobra.Command, args []string) error { return runKnowledgeLog(a, c, o, args) },
		ValidArgsFunction: item.Complete(a),
	}
	f := c.Flags()
	f.SortFlags = false
	f.IntVarP(&o.Query.Max, "max-count", "n", 0, "show at most this `number`")
	f.BoolVar(&o.Oneline, "oneline", false, "print commit and change on one line")
	f.StringVar(&o.Format, "format", "", "print in this `format`: git's %h %s %an %ar")
	f.Var((*term.DateMode)(&a.Date), "date", "show dates in this `style`: relative, iso, short, ...; log.date is the default")
	return c
}

func runKnowledgeLog(a *app.App, c *cobra.Command, o history.Options, args []string) error {
	switch {
	case o.Query.Max < 0:
		return usage.Errorf("a number of changes cannot be negative")
	case o.Query.Max == 0 && c.Flags().Changed("max-count"):
		return nil
	}
	m, err := a.Open(c.Context())
	if err != nil {
		return err
	}
	records, err := itemRecords(c.Context(), m, o.Query.Max, args)
	if err != nil {
		return err
	}
	if len(records) == 0 {
		a.Say("no items yet: 'git sage knowledge add -m <text>' adds an item")
	}
	defer a.Page()()
	if a.JSON {
		return history.PrintRecords(a, records, "")
	}
	return history.PrintEntries(a, records, o)
}

// itemRecords are the changes of the item that args name, or of all, as whoever asks may see them.
func itemRecords(ctx context.Context, m *recall.Memory, max int, args []string) ([]gitstore.Record, error) {
	key := append(args, "")[0]
	records, err := m.Knowledge.ItemLog(ctx, key, max)
	for i := range records {
		records[i] = m.Provenance.Admitted(records[i])
		records[i].Kind = "knowledge"
	}
	return records, item.Missing(ctx, m, err)
}
