package cli

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/prose/cut"
	"github.com/git-sage/git-sage/recall"
)

func newReviewCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "review",
		Short: "Review what is unconfirmed",
		Long: `Go through what is unconfirmed, one by one: records that sessions left or that
were imported, what came from elsewhere, items in conflict, items that repeat or
contradict each other, and items that were not recalled for a month.

Press a key to decide; each decision takes effect at once:
  k  keep it and confirm it; of two items, keep both
  e  edit it in your editor; of two items, the newer; of versions in conflict,
     keep one
  d  drop it, and print how to restore it; a change that somebody elsewhere made
     to your item is undone, and an item that they removed goes
  s  name the item that supersedes it; of two, the newer supersedes the older
  v  view all of it
  n  decide later
  a  keep it, and all of its kind that follow
  q  quit, and keep what was decided
In a pipe and with --json, list everything and ask nothing.`,
		Args: usage.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return a.review(c.Context()) },
	}
}

func (a *app) review(ctx context.Context) error {
	m, err := a.open(ctx)
	if err != nil {
		return err
	}
	read, compared := a.Progress("Reading checkpoints"), a.Progress("Comparing items")
	list, err := m.Waiting(ctx, read.Left, func(n int) { read.End(); compared.Left(n) })
	read.End()
	compared.End()
	switch {
	case err != nil:
		return err
	case a.JSON:
		return a.printWaitingJSON(ctx, m, list)
	case len(list) == 0:
		a.Say("nothing to review")
		return nil
	case a.Asks():
		return a.reviewEach(ctx, list)
	}
	return a.printWaiting(ctx, m, list)
}

// waitingJSON is what review --json prints of one thing that waits.
type waitingJSON struct {
	Kind    string    `json:"kind"` // checkpoint, item, core, conflict, repeat, differ or unused
	ID      string    `json:"id"`
	Other   string    `json:"other,omitempty"`   // of two items the older
	Differs string    `json:"differs,omitempty"` // in what they differ
	Line    string    `json:"line,omitempty"`    // that holds a checkpoint; the current one where there is none
	Session string    `json:"session,omitempty"`
	Why     string    `json:"why"`
	Title   string    `json:"title"`
	Time    time.Time `json:"time,omitzero"`
}

func (a *app) printWaitingJSON(ctx context.Context, m *recall.Memory, list []recall.Waiting) error {
	for _, w := range list {
		if err := a.PrintJSON(toWaitingJSON(ctx, m, w)); err != nil {
			return err
		}
	}
	return nil
}

func toWaitingJSON(ctx context.Context, m *recall.Memory, w recall.Waiting) waitingJSON {
	j := waitingJSON{Kind: w.Kind, Differs: w.Differs, Why: why(ctx, m, w)}
	switch w.Kind {
	case recall.WaitsCheckpoint:
		j.ID, j.Title, j.Time, j.Line, j.Session = w.Record.ID, waitingTitle(w.Record), w.Record.Time, w.Line, w.Record.Session
		return j
	case recall.WaitsCore:
		j.ID, j.Title, j.Time = w.Core.Path, w.Core.Summary, w.Core.Added
		return j
	case recall.WaitsRepeat, recall.WaitsDiffer:
		j.Other = w.Other.Key
	}
	j.ID, j.Title, j.Time = w.Item.Key, itemTitle(w.Item), w.Item.Item.Added
	return j
}

// waitingTitle is the thesis of a checkpoint, behind the description by which lists will
// show it where that is not how the thesis begins.
func waitingTitle(r gitstore.Record) string {
	d := strings.TrimSuffix(r.Description, "…")
	if r.Thesis == "" || strings.HasPrefix(sage.OneLine(r.Thesis), d) {
		return cmp.Or(r.Thesis, r.Description)
	}
	return r.Description + ": " + r.Thesis
}

// why says in a few words why something waits.
func why(ctx context.Context, m *recall.Memory, w recall.Waiting) string {
	switch w.Kind {
	case recall.WaitsCheckpoint:
		return recall.ByShort(w.Record)
	case recall.WaitsItem:
		return cmp.Or(m.TrustShort(ctx, w.Item), "unconfirmed") + changedFields(w.Item)
	case recall.WaitsCore:
		return recall.UnconfirmedShort("")
	case recall.WaitsConflict:
		return conflictText(w.Item)
	case recall.WaitsRepeat:
		return "says the same as " + w.Other.Key
	case recall.WaitsDiffer:
		return "differs from " + w.Other.Key + ": " + w.Differs
	}
	return "never recalled"
}

// conflictText says in what versions of an item disagree, and what to type.
func conflictText(k recall.Known) string {
	var fields []string
	for _, c := range k.Item.Conflicts() {
		fields = append(fields, c.String())
	}
	return "in conflict: " + term.Visible(term.Some(fields)) + "; 'git sage knowledge show " + k.Key + "' says how to settle it"
}

// changedFields names in brackets what somebody elsewhere changed of an item.
func changedFields(k recall.Known) string {
	if k.Changed == nil {
		return ""
	}
	var said []string
	for _, f := range k.Changed.Fields().Fields {
		switch {
		case len(f.Added)+len(f.Dropped) > 0:
			for _, x := range f.Added {
				said = append(said, f.Key+" +"+term.Visible(x))
			}
			for _, x := range f.Dropped {
				said = append(said, f.Key+" -"+term.Visible(x))
			}
		case isLong(f.Previously) || isLong(f.Now):
			said = append(said, f.Key)
		default:
			said = append(said, fmt.Sprintf("%s %s -> %s", f.Key, fieldOrNone(f.Previously), fieldOrNone(f.Now)))
		}
	}
	if len(said) == 0 {
		return ""
	}
	return ": " + cut.Runes(strings.Join(said, ", "), 200)
}

// isLong reports whether a value is too long for a list.
func isLong(v any) bool {
	s, ok := v.(string)
	return ok && (len(s) > 60 || strings.Contains(s, "\n"))
}

func fieldOrNone(v any) string {
	if v == nil || v == "" {
		return "none"
	}
	return term.Visible(fieldText(plainValue(v)))
}

func (a *app) printWaiting(ctx context.Context, m *recall.Memory, list []recall.Waiting) error {
	t := term.Table{Head: []string{"KIND", "ID", "DATE", "WHY", "TITLE"}}
	for _, w := range list {
		j := toWaitingJSON(ctx, m, w)
		id := j.ID
		if w.Kind == recall.WaitsCheckpoint {
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

// reviewJSON is a [recall.WaitingCount].
type reviewJSON struct {
	Checkpoints int `json:"checkpoints"`
	Items       int `json:"items"`
}

// reviewText says what waits, as far as that is known without comparing; "" is nothing.
func reviewText(n recall.WaitingCount) string {
	switch {
	case n.Checkpoints == 0 && n.Items == 0:
		return ""
	case n.Items == 0:
		return term.Plural(n.Checkpoints, "checkpoint")
	case n.Checkpoints == 0:
		return term.Plural(n.Items, "item")
	}
	return fmt.Sprintf("%s and %s", term.Plural(n.Checkpoints, "checkpoint"), term.Plural(n.Items, "item"))
}
