package checkpoint

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/cmd/internal/history"
	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
)

type pruneOptions struct {
	skill       string
	keep        int
	olderThan   string
	dryRun, yes bool
}

const pruneLong = `Remove checkpoints by the time they were recorded: those beyond the newest <n>
of a line, and those older than an age. Tips of lines, tagged checkpoints and
those where lines branch off are never removed.

With a skill, as in 'checkpoint prune privacy --keep 5', remove only its
checkpoints and keep its newest <n>, whatever lines they are on.

An age is a number and a unit: 36h, 30d, 12w, 6 months, 1 year. Nothing is
rewritten or lost: 'git sage checkpoint restore --removed <id>...' brings
checkpoints back. So only a person at a terminal is asked, never a script;
--dry-run shows what would be removed.`

func newPruneCmd(a *app.App) *cobra.Command {
	var o pruneOptions
	cmd := &cobra.Command{
		Use: "prune [<skill>] (--keep <n> | --older-than <age>) [--dry-run] [--yes]",
		Example: `git sage checkpoint prune --keep 100 --dry-run
git sage checkpoint prune --older-than '6 months'`,
		Short: "Remove old checkpoints",
		Long:  pruneLong,
		Args:  usage.RangeArgs(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				o.skill = args[0]
			}
			return runPrune(a, cmd, &o)
		},
	}
	f := cmd.Flags()
	f.IntVar(&o.keep, "keep", 0, "keep the newest `n` of each line, or of the skill")
	f.StringVar(&o.olderThan, "older-than", "", "remove checkpoints older than `age`")
	f.StringVar(&o.skill, "skill", "", "remove only checkpoints of this `skill`")
	f.BoolVarP(&o.dryRun, "dry-run", "n", false, "show what would be removed, and remove nothing")
	f.BoolVarP(&o.yes, "yes", "y", false, "do not ask at a terminal")
	return cmd
}

func runPrune(a *app.App, cmd *cobra.Command, o *pruneOptions) error {
	age, err := o.check(cmd)
	if err != nil {
		return err
	}
	ctx := cmd.Context()
	m, err := a.Open(ctx)
	if err != nil {
		return err
	}
	old, err := prunableOf(ctx, m.Store, o, age)
	if err != nil {
		return err
	}
	if len(old) == 0 {
		a.Say("nothing to prune")
		return nil
	}
	if o.dryRun {
		return history.PrintActed(a, "would remove", old, false)
	}
	return pruneThese(ctx, a, m.Store, old, o.yes)
}

func prunableOf(ctx context.Context, s *gitstore.Store, o *pruneOptions, age time.Duration) ([]gitstore.Record, error) {
	if o.skill == "" {
		return s.Checkpoints.Prunable(ctx, o.keep, age)
	}
	if _, err := newestOf(ctx, s, o.skill); err != nil {
		return nil, err
	}
	return s.Checkpoints.PrunableOf(ctx, o.skill, o.keep, age)
}

// check reads the options; a keep or age of nothing would remove everything.
func (o *pruneOptions) check(cmd *cobra.Command) (time.Duration, error) {
	keep, older := cmd.Flags().Changed("keep"), cmd.Flags().Changed("older-than")
	switch {
	case !keep && !older:
		return 0, usage.Errorf("give --keep <n> or --older-than <age>")
	case keep && o.keep < 1:
		return 0, usage.Errorf("--keep is a count from 1, not %d", o.keep)
	case !older:
		return 0, nil
	}
	return parseAge(o.olderThan)
}

func pruneThese(ctx context.Context, a *app.App, s *gitstore.Store, old []gitstore.Record, yes bool) error {
	if a.TTY && a.InputTTY() && !yes {
		if err := history.PrintActed(a, "would remove", old, false); err != nil {
			return err
		}
		if !a.Ask(fmt.Sprintf("remove %s?", legible.Count(len(old), "checkpoint")), "nothing was removed") {
			return exit.ErrNo
		}
	}
	ids := make([]string, len(old))
	for i, r := range old {
		ids[i] = r.ID
	}
	removed, err := s.Checkpoints.Remove(ctx, ids)
	if err != nil {
		return err
	}
	a.Acted = legible.Count(len(removed), "checkpoint") + " removed"
	if err := history.PrintActed(a, "removed", removed, false); err != nil {
		return err
	}
	a.Hint("'git sage checkpoint restore --removed <id>' brings one back")
	return nil
}

var ageSyntax = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^([0-9]{1,6})\s*([a-z]+)$`) })

const day = 24 * time.Hour

// ageUnits are what people write; months and years are of 30 and 365 days.
var ageUnits = sync.OnceValue(func() map[string]time.Duration {
	return map[string]time.Duration{
		"h": time.Hour, "hour": time.Hour,
		"d": day, "day": day,
		"w": 7 * day, "week": 7 * day,
		"month": 30 * day,
		"y":     365 * day, "year": 365 * day,
	}
})

// parseAge reads 30d, 12w, "90 days" or "6 months ago".
func parseAge(s string) (time.Duration, error) {
	text := strings.ToLower(strings.TrimSpace(s))
	text = strings.NewReplacer(".", " ", "_", " ").Replace(strings.TrimSuffix(text, "ago"))
	m := ageSyntax().FindStringSubmatch(strings.TrimSpace(text))
	if m == nil {
		return 0, usage.Errorf("'%s' is not an age like 30d, 12w or '90 days'", s)
	}
	n, _ := strconv.Atoi(m[1])
	unit, ok := ageUnits()[m[2]]
	if !ok {
		unit, ok = ageUnits()[strings.TrimSuffix(m[2], "s")]
	}
	const centuries = 250 * 365 * day // beyond lies the end of time.Duration
	if !ok || n == 0 || time.Duration(n) > centuries/unit {
		return 0, usage.Errorf("'%s' is not an age like 30d, 12w or '90 days'", s)
	}
	return time.Duration(n) * unit, nil
}
