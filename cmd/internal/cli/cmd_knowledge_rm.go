package cli

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/recall"
)

func newKnowledgeRmCmd(a *app) *cobra.Command {
	var quiet bool
	c := &cobra.Command{
		Use:   "rm [-q] <id>...",
		Short: "Remove items",
		Long: `Removes items, in one commit. Nothing is rewritten: they are still in the history of
the knowledge, and can be added again. 'git sage knowledge archive' keeps an item and
recalls it no longer.`,
		Args:              itemArgs(1, -1, "id"),
		RunE:              func(c *cobra.Command, args []string) error { return a.removeItems(c.Context(), args, quiet) },
		ValidArgsFunction: a.completeItems,
	}
	c.Flags().BoolVarP(&quiet, "quiet", "q", false, "print only warnings")
	return c
}

// removeItems removes what has these keys, and says how each comes back.
func (a *app) removeItems(ctx context.Context, keys []string, quiet bool) error {
	m, err := a.open(ctx)
	if err != nil {
		return err
	}
	var changes []recall.ItemChange
	for _, key := range keys {
		changes = append(changes, recall.ItemChange{ItemChange: gitstore.ItemChange{Key: key, Remove: true}})
	}
	written, err := m.WriteItems(ctx, "", changes...)
	if err != nil {
		return a.missingItem(ctx, m, err)
	}
	if err := a.printWritten("changed", keys, written, quiet); err != nil || quiet || a.json {
		return err
	}
	for _, w := range written {
		for _, key := range w.Removed {
			a.sayRemoved(ctx, m, w, key)
		}
	}
	return nil
}

// sayRemoved says whose an item was that was just removed, which one counts in its
// place, and how it comes back to where it lay.
func (a *app) sayRemoved(ctx context.Context, m *recall.Memory, w recall.Written, key string) {
	global, shared := "", ""
	if w.Own {
		global = " --global"
	}
	if w.Own && !a.global {
		a.say("'%s' was your own, in every repository", keyName(key))
	}
	if k, err := m.Item(ctx, key); err == nil && k.Own && !w.Own {
		a.say("an item '%s' of your own counts now; 'git sage knowledge rm --global %s' removes that", keyName(key), keyName(key))
	}
	log, err := m.ItemLogIn(ctx, w.Own, key, 1)
	if err != nil || len(log) == 0 || len(log[0].Parents) == 0 || shelfCommand(key) != "knowledge" {
		return
	}
	if !w.Own && strings.HasPrefix(log[0].Description, "remove preference") {
		shared = " --shared"
	}
	a.hint("git sage knowledge show%s --raw '%s@{%s}' | git sage knowledge add%s%s -", global, key, a.short(log[0].Parents[0]), global, shared)
}
