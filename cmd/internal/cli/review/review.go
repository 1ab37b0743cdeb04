package review

import (
	"context"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/cmd/internal/wire"
	"github.com/git-sage/git-sage/recall"
	"github.com/git-sage/git-sage/recall/review"
)

// New makes 'git sage review'.
func New(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use:   "review",
		Short: "Review what is unconfirmed",
		Long: `Go through what is unconfirmed, one by one: records that sessions left or that
were imported, what came from elsewhere, items in conflict, items that repeat or
contradict each other, checkpoints of two people that contradict each other, and
items that were not recalled for a month.

Press a key to decide; each decision takes effect at once:
  k  keep it and confirm it; of two, keep both
  e  edit it in your editor; of two items, the newer; of versions in conflict,
     keep one
  d  drop it, and print how to restore it; a change that somebody elsewhere made
     to your item is undone, and an item that they removed goes
  r  refuse what came from elsewhere: it is no longer recalled or listed, see
     'git sage refuse'
  t  trust whoever signed it, see 'git sage trust'
  s  name the item that supersedes it; of two, the newer supersedes the older
  v  view all of it
  n  decide later
  a  keep it, and all of its kind that follow
  q  quit, and keep what was decided
In a pipe and with --json, list everything and ask nothing.`,
		Args: usage.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return runReview(c.Context(), a) },
	}
}

// softLimit is how much memory, in bytes, is held before what is no longer needed is looked for
// more often: 12,000 items that wait take more than what is usual, and to look took a quarter
// of the processor.
const softLimit = 256 << 20

func runReview(ctx context.Context, a *app.App) error {
	m, err := a.Open(ctx)
	if err != nil {
		return err
	}
	debug.SetMemoryLimit(softLimit)
	read, compared := a.Progress("Reading checkpoints"), a.Progress("Comparing items")
	list, err := m.Review.Waiting(ctx, read.Left, func(n int) { read.End(); compared.Left(n) })
	read.End()
	compared.End()
	switch {
	case err != nil:
		return err
	case a.JSON:
		return printWaitingJSON(ctx, a, m, list)
	case len(list) == 0:
		a.Say("nothing to review")
		return nil
	case a.Asks():
		return reviewEach(ctx, a, list)
	}
	return printWaiting(ctx, a, m, list)
}

func printWaitingJSON(ctx context.Context, a *app.App, m *recall.Memory, list []review.Waiting) error {
	for _, w := range list {
		if err := a.PrintJSON(wire.WaitingOf(ctx, m, w)); err != nil {
			return err
		}
	}
	return nil
}

func printWaiting(ctx context.Context, a *app.App, m *recall.Memory, list []review.Waiting) error {
	t := term.Table{Head: []string{"KIND", "ID", "DATE", "WHY", "TITLE"}, Cut: []string{"WHY", "ID"}}
	repeats := repeatsOf(list)
	for i, w := range list {
		others := repeats[i]
		if w.Kind == review.WaitsRepeat && others == nil {
			continue
		}
		j := wire.WaitingOf(ctx, m, w)
		if w.Kind == review.WaitsRepeat {
			j.Why = strings.Replace(j.Why, " as "+w.Other.Key, " as "+term.Some(others), 1)
		}
		id := j.ID
		if w.Kind == review.WaitsCheckpoint || w.Kind == review.WaitsOpposes {
			id = a.Short(id)
		}
		date := ""
		if !j.Time.IsZero() { // what was written by hand may say none
			date = j.Time.Format(time.DateOnly)
		}
		t.Add(w.Kind, id, date, j.Why, j.Title)
	}
	return t.Print(&a.Terminal)
}

// repeatsOf are the keys that each of those in a list names which repeat others: of items that
// all say the same, the newest names them, and what they repeat of each other is left out.
func repeatsOf(list []review.Waiting) map[int][]string {
	type item struct {
		key string
		own bool
	}
	type pair struct{ newer, older item }
	pairOf := func(w review.Waiting) pair {
		return pair{item{w.Item.Key, w.Item.Own}, item{w.Other.Key, w.Other.Own}}
	}
	row, newer, are := map[item]int{}, map[item][]item{}, map[pair]bool{}
	for i, w := range list {
		if w.Kind == review.WaitsRepeat {
			p := pairOf(w)
			newer[p.older], are[p] = append(newer[p.older], p.newer), true
			if _, ok := row[p.newer]; !ok {
				row[p.newer] = i
			}
		}
	}
	out := map[int][]string{}
	for _, w := range list {
		p := pairOf(w)
		if w.Kind == review.WaitsRepeat && !slices.ContainsFunc(newer[p.newer], func(n item) bool { return are[pair{n, p.older}] }) {
			out[row[p.newer]] = append(out[row[p.newer]], w.Other.Key)
		}
	}
	return out
}
