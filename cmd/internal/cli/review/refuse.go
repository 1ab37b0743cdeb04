package review

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/cmd/internal/item"
	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/cmd/internal/wire"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/recall"
)

// NewRefuse makes 'git sage refuse'.
func NewRefuse(a *app.App) *cobra.Command {
	var list, undo, quiet bool
	c := &cobra.Command{
		Use:   "refuse [-q] (--list | [--undo] <id>...)",
		Short: "Refuse items and checkpoints from elsewhere",
		Long: `Refuse what somebody elsewhere wrote: it is no longer recalled, listed or found,
also when it is fetched again or comes under another id. The repository keeps
it, so others still have it; 'git sage forget' and 'git sage checkpoint rm'
remove it for everybody. The line of a checkpoint goes on from the one before.
An item of yours that somebody changed or removed is put back as you left it.

Refusals are sums of texts in your own store, ~/.sage/memory.git, which you can
sync to your other machines. --undo takes one back, --list lists them, and
'git sage show' still shows a checkpoint. An agent cannot refuse.

An <id> is the id of an item, or of a checkpoint.`,
		Example: "git sage refuse mirror-tip 3f2a91c0\ngit sage refuse --undo mirror-tip",
	}
	c.Args = func(c *cobra.Command, args []string) error {
		if list && (undo || len(args) > 0) {
			return usage.Errorf("--list takes no <id> and no --undo")
		}
		if list {
			return nil
		}
		return usage.RangeArgs(1, -1, "id")(c, args)
	}
	c.RunE = func(c *cobra.Command, args []string) error {
		m, err := a.Open(c.Context())
		if err != nil {
			return err
		}
		if list {
			return listRefused(c.Context(), a, m)
		}
		return refuse(c.Context(), a, m, args, !undo, quiet)
	}
	c.ValidArgsFunction = item.Complete(a)
	c.Flags().BoolVar(&list, "list", false, "list what you refused")
	c.Flags().BoolVar(&undo, "undo", false, "take a refusal back")
	c.Flags().BoolVarP(&quiet, "quiet", "q", false, "print only warnings")
	return c
}

// A refusable is an item or a checkpoint that somebody elsewhere wrote.
type refusable struct {
	item       recall.Known
	checkpoint *sage.Checkpoint // nil of an item
}

func refuse(ctx context.Context, a *app.App, m *recall.Memory, ids []string, refused, quiet bool) error {
	if err := usage.NoEmpty(ids); err != nil {
		return err
	}
	var list []refusable
	var items []recall.Known
	var checkpoints []*sage.Checkpoint
	var names []string // that were refused, and that nothing of others here has now
	known, err := m.Provenance.Refusals(ctx)
	if err != nil {
		return err
	}
	for _, id := range ids {
		r, err := findRefusable(ctx, m, id)
		if err != nil && !refused && slices.Contains(slices.Collect(maps.Values(known)), id) {
			names = append(names, id)
			list = append(list, refusable{item: recall.Known{ItemEntry: gitstore.ItemEntry{Key: id, Item: &sage.Item{}}}})
			continue
		}
		if err != nil {
			return err
		}
		if list = append(list, r); r.checkpoint == nil {
			items = append(items, r.item)
		} else {
			checkpoints = append(checkpoints, r.checkpoint)
		}
	}
	var back []recall.Written
	if refused {
		back, err = m.Review.Refuse(ctx, items, checkpoints...)
	} else if err = m.Provenance.Refuse(ctx, false, items, checkpoints...); err == nil {
		err = m.Provenance.Unrefuse(ctx, names...)
	}
	if err != nil {
		return err
	}
	var mine []string
	for _, r := range list {
		if refused && r.checkpoint == nil && r.item.Changed != nil {
			mine = append(mine, r.item.Key)
		} else if err := r.print(a, refused, quiet); err != nil {
			return err
		}
	}
	if len(mine) == 0 {
		return nil
	}
	return item.PrintWritten(a, "put back your version of", mine, back, quiet)
}

// findRefusable is the item, or else the checkpoint, with an id.
func findRefusable(ctx context.Context, m *recall.Memory, id string) (refusable, error) {
	k, err := m.Knowledge.Item(ctx, id)
	switch {
	case err == nil && m.Provenance.IsTrusted(k):
		return refusable{}, exit.WithHint(fmt.Errorf("'%s' is yours", id), "'git sage forget %s' removes it", id)
	case err == nil:
		return refusable{item: k}, nil
	case !exit.IsNotFound(err):
		return refusable{}, err
	}
	c, cerr := m.Store.Commits.Load(ctx, id)
	switch {
	case exit.IsNotFound(cerr):
		return refusable{}, exit.WithHint(fmt.Errorf("no such item or checkpoint: '%s'", id), "'git sage list' and 'git sage log --all' list what there is")
	case cerr == nil && !c.Elsewhere:
		return refusable{}, exit.WithHint(fmt.Errorf("'%s' is yours", id), "'git sage checkpoint rm %s' removes it", id)
	}
	return refusable{checkpoint: c}, cerr
}

// print says what became of it.
func (r refusable) print(a *app.App, refused, quiet bool) error {
	id, name, title := r.item.Key, r.item.Key, ""
	if r.checkpoint != nil {
		id, name, title = r.checkpoint.ID, a.Short(r.checkpoint.ID), sage.Describe(r.checkpoint, r.checkpoint.MessageCount)
	} else {
		title = wire.ListTitle(r.item)
	}
	act, did := "refused", "refused"
	if !refused {
		act, did = "unrefused", "no longer refused:"
	}
	var err error
	switch {
	case a.JSON:
		err = a.PrintJSON(map[string]any{"act": act, "id": id, "title": title})
	case !quiet:
		_, err = fmt.Fprintln(a.Out, strings.TrimSpace(fmt.Sprintf("%s %s %s", did, term.Visible(name), term.Visible(title))))
	}
	return err
}

// listRefused lists the refusals of the user, whichever repository they were of.
func listRefused(ctx context.Context, a *app.App, m *recall.Memory) error {
	sums, err := m.Provenance.Refusals(ctx)
	if err != nil {
		return err
	}
	for _, sum := range slices.Sorted(maps.Keys(sums)) {
		name, id := sums[sum], cmp.Or(m.Provenance.RefusedCheckpoint(sums[sum]), sums[sum])
		if name != id {
			name = a.Short(id)
		}
		if a.JSON {
			if err := a.PrintJSON(map[string]any{"id": id, "sum": sum}); err != nil {
				return err
			}
			continue
		}
		fmt.Fprintf(a.Out, "%s\t%s\n", term.Visible(name), sum[:12])
	}
	if len(sums) == 0 && !a.JSON {
		a.Say("nothing was refused")
	}
	return nil
}
