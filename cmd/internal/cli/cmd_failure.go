package cli

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/recall"
)

func newFailureCmd(a *app) *cobra.Command {
	return group("failure", "Keep what did not work, and why", `A failure is an item of knowledge that says what was tried, why it did not work and
what that taught, so that nobody tries it again.`,
		newFailureAddCmd(a),
		&cobra.Command{
			Use:   "list",
			Short: "List what did not work",
			Long: `Lists failures: in a table on a terminal, separated by tabs in a pipe (id, status,
time of the last change, keywords, what was tried, what it taught), as objects with
--json.`,
			Args: noArgs,
			RunE: func(c *cobra.Command, _ []string) error { return a.failureList(c.Context()) },
		},
	)
}

func newFailureAddCmd(a *app) *cobra.Command {
	var o addOptions
	c := &cobra.Command{
		Use:   "add --approach <text> [<options>]",
		Short: "Add something that did not work",
		Long: `Adds what was tried, why it did not work and what that taught. What else there is to
say comes from -m, from a file (-F) or from your editor (-e). Without an id one is
made of what was tried, and said.`,
		Example: `git sage failure add --approach 'Lock the table while migrating' \
    --why-failed 'Writers waited' --learned 'Copy in batches'`,
		Args: noArgs,
		RunE: func(c *cobra.Command, args []string) error {
			return a.addTyped(c.Context(), &o, sage.Failure, args)
		},
	}
	f := c.Flags()
	f.SortFlags = false
	o.typedFlags(c, append(tryTexts, sourceText)...)
	return c
}

func (a *app) failureList(ctx context.Context) error {
	m, err := a.open(ctx)
	if err != nil {
		return err
	}
	items, err := m.Items(ctx, recall.ItemQuery{Types: []sage.ItemType{sage.Failure}})
	if err != nil {
		return err
	}
	if len(items) == 0 {
		a.say("no failure is known: 'git sage failure add --approach <text>' adds one")
	}
	defer a.page()()
	return a.printFailures(items)
}

func (a *app) printFailures(items []recall.Known) error {
	t := table{head: []string{"id", "status", "changed", "keywords", "tried", "learned"}}
	for _, k := range items {
		if a.json {
			if err := a.printJSON(toItemJSON(k)); err != nil {
				return err
			}
			continue
		}
		it := k.Item
		tried, learned := it.Approach, it.Learned
		if a.isTTY {
			tried, learned = clip(visible(tried), 40), visible(learned)
		}
		t.add(it.ID, itemStatus(k), a.when(it.Updated), strings.Join(it.Keywords, ", "), tried, learned)
	}
	if a.json {
		return nil
	}
	return t.print(a)
}
