package review

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/cmd/internal/item"
	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/cmd/internal/wire"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/recall"
)

// What is confirmed by a command. Items go with core files, and an id that is neither's is a
// checkpoint's.
type confirming struct{ checkpoints, items bool }

const confirmLong = `Confirm what came from elsewhere: by a fetch or clone, in a repository that was
copied, restored or unzipped, or from an older version. Until you confirm it or
save it anew, it is marked wherever it is shown, and an item's --always has no
effect. What you made here is recognized by a secret in ~/.sage/trust, which no
copy of a repository carries.

Records that git-sage saved when a session ended or was cut off are marked in
the same way. Saving a checkpoint on top of one confirms it, and confirming the
last record of a session confirms those it continues.

Read it first, with 'git sage show' or 'git sage knowledge show'. Use --all if
the copy is of your own work. History is not changed: a confirmation holds for
you, in this repository. An agent cannot confirm.`

// NewConfirm makes 'git sage confirm'.
func NewConfirm(a *app.App) *cobra.Command {
	return confirmCmd(a, confirming{true, true}, &cobra.Command{
		Use:   "confirm [-q] (--all | <id>...)",
		Short: "Confirm items and checkpoints from elsewhere",
		Long: confirmLong + `

An <id> is the id of an item, system/<name> for a pinned note, skills/<name> for
a skill, the path of a core file, or a checkpoint.`,
		Example: "git sage confirm staging-wipe 3f2a91c0\ngit sage confirm --all",
	})
}

// NewConfirmCheckpoint makes 'git sage checkpoint confirm'.
func NewConfirmCheckpoint(a *app.App) *cobra.Command {
	return confirmCmd(a, confirming{checkpoints: true}, &cobra.Command{
		Use:     "confirm [-q] (--all | <id>...)",
		Short:   "Confirm checkpoints from elsewhere",
		Long:    confirmLong,
		Example: "git sage checkpoint confirm 3f2a91c0",
	})
}

// NewConfirmItem makes 'git sage knowledge confirm'.
func NewConfirmItem(a *app.App) *cobra.Command {
	return confirmCmd(a, confirming{items: true}, &cobra.Command{
		Use:   "confirm [-q] (--all | <id>...)",
		Short: "Confirm items from elsewhere",
		Long: confirmLong + `

An <id> is the id of an item, system/<name> for a pinned note, skills/<name> for
a skill, or the path of a core file.`,
		Example: "git sage knowledge confirm staging-wipe",
	})
}

func confirmCmd(a *app.App, what confirming, c *cobra.Command) *cobra.Command {
	var all, quiet bool
	c.Args = func(c *cobra.Command, args []string) error {
		if all && len(args) > 0 {
			return usage.Errorf("--all takes no <id>, not '%s'", args[0])
		}
		if all {
			return nil
		}
		return usage.RangeArgs(1, -1, "id")(c, args)
	}
	c.RunE = func(c *cobra.Command, args []string) error { return runConfirm(c.Context(), a, what, args, all, quiet) }
	c.ValidArgsFunction = app.CompleteRevs(a)
	if what.items {
		c.ValidArgsFunction = item.Complete(a)
	}
	c.Flags().BoolVar(&all, "all", false, "confirm everything here")
	c.Flags().BoolVarP(&quiet, "quiet", "q", false, "print only warnings")
	return c
}

func runConfirm(ctx context.Context, a *app.App, what confirming, ids []string, all, quiet bool) error {
	if err := usage.NoEmpty(ids); err != nil {
		return err
	}
	m, err := a.Open(ctx)
	if err != nil {
		return err
	}
	if all {
		return confirmAll(ctx, a, m, what, quiet)
	}
	for _, id := range ids {
		if err := confirmOne(ctx, a, m, what, id, quiet); err != nil {
			return err
		}
	}
	return nil
}

func confirmAll(ctx context.Context, a *app.App, m *recall.Memory, what confirming, quiet bool) error {
	n, err := m.Write.ConfirmAll(ctx, what.checkpoints, what.items)
	switch {
	case err != nil:
		return err
	case a.JSON:
		return a.PrintJSON(map[string]any{"act": "confirmed", "checkpoints": n.Checkpoints, "items": n.Items, "core_files": n.CoreFiles})
	case quiet:
		return nil
	case n == gitstore.Confirmation{}:
		a.Say("nothing to confirm: everything here was made or confirmed here")
		return nil
	}
	_, err = fmt.Fprintf(a.Out, "confirmed %s\n", legible.Counts([]string{"checkpoint", "item", "core file"}, n.Checkpoints, n.Items, n.CoreFiles))
	return err
}

func confirmOne(ctx context.Context, a *app.App, m *recall.Memory, what confirming, id string, quiet bool) error {
	if !what.items {
		return confirmCheckpoint(ctx, a, m, id, quiet)
	}
	err := confirmItem(ctx, a, m, id, quiet)
	if exit.IsNotFound(err) {
		if cerr := confirmCore(ctx, a, m, id, quiet); !exit.IsNotFound(cerr) {
			return cerr
		}
	}
	if !what.checkpoints || !exit.IsNotFound(err) {
		return item.Missing(ctx, m, err)
	}
	if err = confirmCheckpoint(ctx, a, m, id, quiet); exit.IsNotFound(err) {
		return exit.WithHint(fmt.Errorf("no such item, core file or checkpoint: '%s'", id), "'git sage list', 'git sage core list' and 'git sage log --all' list what there is")
	}
	return err
}

// confirmCore confirms a core file, by its path from here or as the list has it.
func confirmCore(ctx context.Context, a *app.App, m *recall.Memory, file string, quiet bool) error {
	path, err := a.RepositoryPath(m, file)
	if err != nil {
		path = file
	}
	c, err := m.Store.Knowledge.CoreFile(ctx, path)
	if exit.IsNotFound(err) && path != file {
		c, err = m.Store.Knowledge.CoreFile(ctx, file)
	}
	if err == nil && !c.Own {
		err = m.Store.Review.ConfirmCore(ctx, c)
	}
	if err != nil {
		return err
	}
	return printConfirmed(a, !c.Own, "core file", c.Path, c.Path, c.Summary, quiet)
}

func confirmItem(ctx context.Context, a *app.App, m *recall.Memory, id string, quiet bool) error {
	k, err := m.Knowledge.Item(ctx, id)
	if err != nil {
		return err
	}
	confirmed, _, err := m.Write.Confirm(ctx, []string{id})
	if err != nil {
		return err
	}
	if now, err := m.Knowledge.Item(ctx, id); err == nil { // a removal leaves none
		k = now
	}
	return printConfirmed(a, len(confirmed) > 0, "knowledge", id, id, wire.ListTitle(k), quiet)
}

func confirmCheckpoint(ctx context.Context, a *app.App, m *recall.Memory, rev string, quiet bool) error {
	r, now, err := m.Write.ConfirmCheckpoint(ctx, rev)
	if err != nil {
		return err
	}
	return printConfirmed(a, now, "checkpoint", r.ID, a.Short(r.ID), r.Description, quiet)
}

func printConfirmed(a *app.App, now bool, kind, id, short, title string, quiet bool) error {
	switch {
	case a.JSON && now:
		return a.PrintJSON(map[string]any{"act": "confirmed", "kind": kind, "id": id, "title": title})
	case a.JSON || quiet:
		return nil
	case !now:
		a.Say("nothing to confirm: '%s' was made or confirmed here", short)
		return nil
	}
	_, err := fmt.Fprintln(a.Out, strings.TrimSpace("confirmed "+term.Visible(short)+" "+term.Visible(title)))
	return err
}
