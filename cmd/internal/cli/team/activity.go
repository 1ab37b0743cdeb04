package team

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/rivo/uniseg"
	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/history"
	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/cmd/internal/wire"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/internal/lists"
	"github.com/git-sage/git-sage/prose/cut"
	"github.com/git-sage/git-sage/recall"
	"github.com/git-sage/git-sage/recall/brief"
	"github.com/git-sage/git-sage/recall/review"
	"github.com/git-sage/git-sage/recall/similarity"
)

// What is shown of many people, and of each; what is left is counted.
const mostPeople, mostActs = 20, 10

// NewActivity makes 'git sage activity'.
func NewActivity(a *app.App) *cobra.Command {
	var since, author string
	c := &cobra.Command{
		Use:   "activity [<options>]",
		Short: "Show who concluded and changed what lately",
		Long: `Show what people concluded, on which line, and what they changed of the
knowledge, the newest first; checkpoints of theirs that contradict each other;
and how much waits for 'git sage review'.

Times are those of the commits. What says that it is newer than it can be counts
from when it came here. Names are what the commits say, which anybody can write:
what was made here by you is under "You".`,
		Example: "git sage activity --since yesterday\ngit sage activity --author ann",
		Args:    usage.NoArgs,
		RunE:    func(c *cobra.Command, _ []string) error { return runActivity(c.Context(), a, since, author) },
	}
	f := c.Flags()
	f.SortFlags = false
	f.StringVar(&since, "since", "", "limit to what is newer than `date`; the default is a week ago")
	f.StringVar(&author, "author", "", "limit to authors that match `pattern`")
	return c
}

func runActivity(ctx context.Context, a *app.App, since, author string) error {
	m, err := a.Open(ctx)
	if err != nil {
		return err
	}
	people, err := history.ActsSince(ctx, m, since, author)
	if err != nil {
		return err
	}
	if a.JSON {
		return printJSON(ctx, a, m, people)
	}
	left := people[min(mostPeople, len(people)):]
	people = people[:len(people)-len(left)]
	records, err := history.RecordsOf(ctx, m, people, mostActs)
	if err != nil {
		return err
	}
	waiting, err := m.Review.CountWaiting(ctx)
	if err != nil {
		a.Warn("%v", err)
	}
	opposing, err := m.Review.Opposing(ctx)
	if err != nil {
		a.Warn("%v", err)
	}
	switch {
	case len(people) == 0 && since == "":
		a.Say("nothing in the last week")
	case len(people) == 0:
		a.Say("nothing since %s", since)
	}
	defer a.Page()()
	return a.Print(func(w io.Writer) {
		var parts []string
		for _, p := range people {
			parts = append(parts, personText(a, p, records, m.Store.Session.CurrentLine()))
		}
		if len(left) > 0 {
			parts = append(parts, fmt.Sprintf("%d more people: --author <pattern> shows one\n", len(left)))
		}
		if len(opposing) > 0 {
			parts = append(parts, opposingText(a, opposing))
		}
		if waiting != (review.WaitingCount{}) {
			parts = append(parts, a.Typed(fmt.Sprintf("Unconfirmed: %s; 'git sage review' goes through them\n", legible.Counts([]string{"checkpoint", "item"}, waiting.Checkpoints, waiting.Items))))
		}
		fmt.Fprint(w, strings.Join(parts, "\n"))
	})
}

func printJSON(ctx context.Context, a *app.App, m *recall.Memory, people []gitstore.Active) error {
	acts, err := history.Acts(ctx, m, people)
	if err != nil {
		return err
	}
	for _, act := range acts {
		if err := a.PrintJSON(act); err != nil {
			return err
		}
	}
	opposing, err := m.Review.Opposing(ctx)
	for _, w := range opposing {
		if err := a.PrintJSON(wire.WaitingOf(ctx, m, w)); err != nil {
			return err
		}
	}
	return err
}

// personText is a head, and a line for each act: when, which, where, what.
func personText(a *app.App, p gitstore.Active, records map[string]gitstore.Record, line string) string {
	var b strings.Builder
	c := a.Palette()
	name := term.Visible(p.String())
	if p.Mine {
		name = "You"
	}
	fmt.Fprintf(&b, "%s: %s\n", c.Paint("bold", name), done(p.Acts))
	shown := cut.First(p.Acts, mostActs)
	whens, wide := lists.Map(shown, func(act gitstore.ActiveAct) string { return a.When(act.At) }), 0
	for _, when := range whens {
		wide = max(wide, len(when))
	}
	for i, act := range shown {
		where, what := "knowledge", act.Change
		if act.Change == "" {
			where, what = term.Visible(cmp.Or(act.Line, line)), records[act.ID].Description
		}
		id, what := a.Short(act.ID), term.Visible(what)
		if used := wide + len(id) + uniseg.StringWidth(where) + len("    ()  "); a.TTY && a.Width > 0 {
			what = term.Clip(what, max(a.Width-used, 20))
		}
		fmt.Fprintf(&b, "  %-*s  %s %s %s\n", wide, whens[i], c.ID(id), c.ID("(")+c.Paint("bold green", where)+c.ID(")"), what)
	}
	if more := len(p.Acts) - len(shown); more > 0 {
		fmt.Fprintf(&b, "  and %d more\n", more)
	}
	return b.String()
}

// opposingText has a line for each contradiction, and one that says what settles them.
func opposingText(a *app.App, list []review.Waiting) string {
	var b strings.Builder
	a.Fprintf(&b, "%s: 'git sage review' shows how to settle them\n", a.Palette().Paint("bold", "Contradictions"))
	for _, w := range cut.First(list, mostActs) {
		var sides []string
		for _, h := range []similarity.Held{w.Opposed.Newer, w.Opposed.Older} {
			sides = append(sides, fmt.Sprintf("%s by %s '%s'", a.Short(h.ID), term.Visible(wire.HeldBy(h)), brief.Line(h.Thesis, 60)))
		}
		fmt.Fprintf(&b, "  %s\n", strings.Join(sides, " against "))
	}
	if more := len(list) - mostActs; more > 0 {
		fmt.Fprintf(&b, "  and %d more\n", more)
	}
	return b.String()
}

// done counts what somebody did: 3 checkpoints and 1 change of the knowledge.
func done(acts []gitstore.ActiveAct) string {
	saved, recovered, changed := 0, 0, 0
	for _, act := range acts {
		switch {
		case act.Change != "":
			changed++
		case act.Recovery:
			recovered++
		default:
			saved++
		}
	}
	return legible.Counts([]string{"checkpoint", "record", "change"}, saved, recovered, changed)
}
