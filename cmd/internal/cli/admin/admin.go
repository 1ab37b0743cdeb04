package admin

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/background"
	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/recall"
)

// New makes the group, with verbs that are about search.
func New(a *app.App, search ...*cobra.Command) *cobra.Command {
	return usage.Group("admin", "Maintain the store and its search index", "", append([]*cobra.Command{newMaintenanceCmd(a)}, search...)...)
}

type maintenanceOptions struct {
	auto, quiet, dryRun bool
	days, count         int
	of                  background.Target
}

func newMaintenanceCmd(a *app.App) *cobra.Command {
	var o maintenanceOptions
	cmd := &cobra.Command{
		Use:   "maintenance [--max-age-days <n>] [--max-count <n>] [--dry-run]",
		Short: "Pack objects and check the search index",
		Long: `Pack the objects of the memory, and count the checkpoints that lists hide by
checkpoint_max_age_days and checkpoint_max_count. Nothing is deleted: an object
that was packed and read back loses its loose copy, and our packs are combined
when there are more than ten. Other packs are left alone. The search index is
checked, compacted, and rebuilt where it is damaged.

--max-age-days and --max-count also remove checkpoints, as
'git sage checkpoint prune' does: older ones first, then those beyond the newest
<n> of a line; 0 removes none. 'git sage checkpoint restore --removed' brings
them back. --dry-run counts them and does nothing.

With --json, print one object: done, hidden, pruned_by_age, pruned_by_cap,
total_remaining, documents (in the search index), damaged (whether the index
was). Packing also runs by itself, in the background, every 500 saves.`,
		Args: usage.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if o.days < 0 || o.days > 100_000 || o.count < 0 {
				return usage.Errorf("--max-age-days must be 0 to 100000, and --max-count 0 (no limit) or more")
			}
			if o.auto {
				return maintainDue(c.Context(), a, o.of)
			}
			return runMaintenance(c.Context(), a, o)
		},
	}
	f := cmd.Flags()
	f.IntVar(&o.days, "max-age-days", 0, "remove checkpoints older than `n` days")
	f.IntVar(&o.count, "max-count", 0, "remove all but the newest `n` checkpoints of each line")
	f.BoolVarP(&o.dryRun, "dry-run", "n", false, "count what would be removed, and do nothing")
	f.BoolVar(&o.auto, "auto", false, "run only after 500 saves, and at low priority")
	f.BoolVarP(&o.quiet, "quiet", "q", false, "print only errors")
	o.of.Flag(f)
	return cmd
}

// maintained is what maintenance --json prints.
type maintained struct {
	Done      string `json:"done"`
	Hidden    int    `json:"hidden"`
	ByAge     int    `json:"pruned_by_age"`
	ByCap     int    `json:"pruned_by_cap"`
	Remaining int    `json:"total_remaining"` // checkpoints, hidden ones too
	Documents int    `json:"documents"`
	Damaged   bool   `json:"damaged"`
	DryRun    bool   `json:"dry_run"`
}

func runMaintenance(ctx context.Context, a *app.App, o maintenanceOptions) error {
	m, err := a.Open(ctx)
	if err != nil {
		return err
	}
	did := maintained{DryRun: o.dryRun}
	bar := a.Progress("maintenance")
	for i, step := range []func(context.Context, *recall.Memory, maintenanceOptions, *maintained) error{pruneOld, packAndCount, tidySearch} {
		bar.Left(3 - i)
		if err = step(ctx, m, o, &did); err != nil {
			break
		}
	}
	bar.End()
	switch {
	case err != nil || o.quiet:
		return err
	case a.JSON:
		return a.PrintJSON(did)
	}
	if _, err = fmt.Fprint(a.Out, did.text(o)); err == nil && did.ByAge+did.ByCap > 0 && !o.dryRun {
		a.Hint("'git sage checkpoint restore --removed <id>' brings one back")
	}
	return err
}

// text says it in lines, of which those that say nothing are left out.
func (did maintained) text(o maintenanceOptions) string {
	var lines []string
	if !o.dryRun {
		lines = append(lines, term.VisibleLines(did.Done))
	}
	if o.days > 0 || o.count > 0 || o.dryRun {
		verb := "removed"
		if o.dryRun {
			verb = "would remove"
		}
		lines = append(lines, fmt.Sprintf("%s %s for age, %d beyond the newest of a line; %d remain", verb, legible.Count(did.ByAge, "checkpoint"), did.ByCap, did.Remaining))
	}
	if did.Hidden > 0 {
		lines = append(lines, legible.Count(did.Hidden, "checkpoint")+" hidden by age or number; 'git sage log --all' shows all")
	}
	if did.Damaged {
		lines = append(lines, "the search index was damaged and is rebuilt")
	}
	return strings.Join(lines, "\n") + "\n"
}

// pruneOld removes what is too old, then what is too much.
func pruneOld(ctx context.Context, m *recall.Memory, o maintenanceOptions, did *maintained) error {
	var ids []string
	age := time.Duration(o.days) * 24 * time.Hour
	if o.days > 0 {
		old, err := m.Store.Checkpoints.Prunable(ctx, 0, age)
		if err != nil {
			return err
		}
		for _, r := range old {
			ids = append(ids, r.ID)
		}
		did.ByAge = len(ids)
	}
	if o.count > 0 {
		all, err := m.Store.Checkpoints.Prunable(ctx, o.count, age)
		if err != nil {
			return err
		}
		ids = nil
		for _, r := range all {
			ids = append(ids, r.ID)
		}
		did.ByCap = len(ids) - did.ByAge
	}
	if len(ids) == 0 || o.dryRun {
		return nil
	}
	_, err := m.Store.Checkpoints.Remove(ctx, ids)
	return err
}

// packAndCount does both at once: each has to go through all of history.
func packAndCount(ctx context.Context, m *recall.Memory, o maintenanceOptions, did *maintained) error {
	counted := make(chan error, 1)
	go func() {
		q := m.Session.Query()
		q.All, q.Limits = true, nil
		all, err := m.Store.Commits.Log(ctx, q)
		did.Remaining = len(all)
		if o.dryRun {
			did.Remaining -= did.ByAge + did.ByCap
		}
		if err == nil {
			did.Hidden, err = m.Session.Hidden(ctx)
		}
		counted <- err
	}()
	var err error
	if !o.dryRun {
		did.Done, err = m.Store.Upkeep.Maintain(ctx)
	}
	if also := <-counted; err == nil {
		err = also
	}
	return err
}

// tidySearch keeps in shape what search made. If it cannot, searches do what they can,
// and what was packed is packed.
func tidySearch(ctx context.Context, m *recall.Memory, o maintenanceOptions, did *maintained) error {
	if o.dryRun {
		return nil
	}
	t, err := m.Stores.Tidy(ctx)
	did.Documents, did.Damaged = t.Documents, t.Damaged
	return err
}

// maintainDue is what a save starts and does not wait for. What goes wrong is
// for doctor to say: it stands in the store's own record.
func maintainDue(ctx context.Context, a *app.App, of background.Target) error {
	background.StepBack()
	return a.WorkOn(ctx, of, func(m *recall.Memory) error { return m.Store.Upkeep.MaintainDue(ctx) })
}
