package tally

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"go.yaml.in/yaml/v3"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/hooks/tally"
	"github.com/git-sage/git-sage/internal/lists"
	"github.com/git-sage/git-sage/internal/plainfile"
	"github.com/git-sage/git-sage/recall"
	"github.com/git-sage/git-sage/recall/brief"
)

const usageLong = `Show the tokens that Claude Code's sessions took, by its own transcripts, those
that git-sage added, and which of the memory was used. Count the sessions in
this repository, its work trees and subfolders; with --global, those of all
projects, and the items of your own store.

A text has a token for every four characters. An item or checkpoint counts as
given once a session. It was used if the session later loaded it by id, quoted
seven words of it in a row, or opened a file that it names, in a shell too. The
tokens of the whole texts are shown beside those that were given.

Money is shown if ~/.sage/prices.yaml has prices of a million tokens:

  currency: USD
  models:
    claude-opus:
      {input: 4, cache_creation: 5, cache_read: 0.4, output: 20}

A name stands for all models that begin with it; the longest counts.

In a pipe, print a line per row with tabs between session, line, model or day,
sessions, answers, and tokens of input, cache creation, cache reads and output.
With --json, print one object with everything.`

// kinds are what a row may be of.
var kinds = []string{"model", "day", "line", "session"}

// NewUsage makes 'git sage usage'.
func NewUsage(a *app.App) *cobra.Command {
	var since, by string
	c := &cobra.Command{
		Use:     "usage [--since <date>] [--by session|line|model|day]",
		Short:   "Show the tokens of sessions, and which memory was used",
		Long:    usageLong,
		Example: "git sage usage --since 2.weeks.ago\ngit sage usage --by day",
		Args:    usage.NoArgs,
		RunE:    func(c *cobra.Command, _ []string) error { return runUsage(c.Context(), a, since, by) },
	}
	f := c.Flags()
	f.SortFlags = false
	f.StringVar(&since, "since", "", "limit to what is newer than `date`")
	f.StringVar(&by, "by", kinds[0], "print a row for each `kind`: session, line, model or day")
	_ = c.RegisterFlagCompletionFunc("by", cobra.FixedCompletions(kinds, cobra.ShellCompDirectiveNoFileComp))
	return c
}

func runUsage(ctx context.Context, a *app.App, since, by string) error {
	m, err := a.Open(ctx)
	if err != nil {
		return err
	}
	r, damaged, err := Count(ctx, a, m, since, by)
	for _, err := range damaged {
		a.Warn("skipped %v", err)
	}
	if err != nil {
		return err
	}
	switch {
	case a.JSON:
		return a.PrintJSON(r)
	case r.Sessions == 0:
		where := " of this repository"
		if a.Global {
			where = ""
		}
		if since != "" {
			where += " since " + since
		}
		a.Say("no sessions%s in '%s'", where, a.Homely(a.Transcripts()))
		for line := range strings.Lines(a.Fold(a.Typed(unused(r)))) {
			a.Say("%s", strings.TrimSuffix(line, "\n"))
		}
		return nil
	case !a.TTY:
		return rowsOf(r).Print(&a.Terminal)
	}
	defer a.Page()()
	a.Fprintf(a.Out, "%s\n\n", head(a, r))
	if err := rowsOf(r).Print(&a.Terminal); err != nil {
		return err
	}
	return a.Print(func(w io.Writer) { fmt.Fprint(w, "\n", a.Fold(a.Typed(rest(r)))) })
}

// Count adds up what sessions took since a date, by one of the kinds of rows. Transcripts that
// cannot be read are in damaged, an error each.
func Count(ctx context.Context, a *app.App, m *recall.Memory, since, by string) (_ *tally.Report, damaged []error, err error) {
	if !slices.Contains(kinds, by) {
		return nil, nil, usage.Errorf("--by takes session, line, model or day")
	}
	if !filepath.IsAbs(a.Transcripts()) {
		return nil, nil, exit.WithHint(errors.New("no home folder, so Claude Code's transcripts cannot be found"), "set HOME, or CLAUDE_CONFIG_DIR to Claude Code's folder")
	}
	prices, err := readPrices(filepath.Join(a.Home(), "prices.yaml"))
	if err != nil {
		return nil, nil, err
	}
	from, _, err := m.Store.Commits.Between(ctx, since, "")
	if err != nil {
		return nil, nil, err
	}
	bar := a.Progress("Reading sessions")
	defer bar.End()
	return tally.Count(ctx, m, tally.Options{
		Projects: a.Transcripts(), All: a.Global, Since: from, By: by, Zone: a.Now().Location(), Prices: prices, Left: bar.Left,
	})
}

// readPrices reads the user's prices; a file that is not there has none.
func readPrices(file string) (p tally.Prices, err error) {
	const most = 1 << 20
	b, err := plainfile.ReadLinked(file, most)
	if errors.Is(err, fs.ErrNotExist) {
		return p, nil
	}
	if err == nil {
		err = yaml.Unmarshal(b, &p)
	}
	if err != nil {
		return p, fmt.Errorf("read prices: '%s': %w", file, err)
	}
	return p, nil
}

// head says how many sessions there were, and draws their days.
func head(a *app.App, r *tally.Report) string {
	s := legible.Count(r.Sessions, "session")
	if r.Since != nil {
		s += " since " + r.Since.In(a.Now().Location()).Format(time.DateOnly)
	}
	s += ": " + amount(r.Tokens.Total()) + " tokens"
	if r.Cost != nil {
		s += fmt.Sprintf(", %.2f %s", r.Cost.Amount, term.Visible(r.Cost.Currency))
		if r.Cost.Partial {
			s += " for the models that have a price"
		}
	}
	if line := sparkline(r.Days, max(10, cmp.Or(a.Width, 80)-44)); line != "" {
		s += "\n" + line
	}
	return s
}

// sparkline draws the days from the first to the last that has anything, with the dates of both
// ends, in at most so many bars: of more days several share one, and it says how many. It is ""
// of a single day.
func sparkline(days []tally.Row, most int) string {
	if len(days) > 0 && days[0].Key == "" { // at an unknown time
		days = days[1:]
	}
	if len(days) < 2 {
		return ""
	}
	last := days[len(days)-1].Key
	first, err := time.Parse(time.DateOnly, days[0].Key)
	end, err2 := time.Parse(time.DateOnly, last)
	if errors.Join(err, err2) != nil {
		return ""
	}
	nth := func(day time.Time) int { return int(day.Sub(first).Hours() / 24) }
	n := nth(end) + 1
	each := (n + most - 1) / most
	sums := make([]int, (n+each-1)/each)
	for _, d := range days {
		if day, err := time.Parse(time.DateOnly, d.Key); err == nil {
			sums[nth(day)/each] += d.Tokens.Total()
		}
	}
	const bars = "▁▂▃▄▅▆▇█"
	steps, peak := []rune(bars), max(1, slices.Max(sums))
	var b strings.Builder
	for _, x := range sums {
		if x == 0 {
			b.WriteByte(' ')
		} else {
			b.WriteRune(steps[(len(steps)-1)*x/peak])
		}
	}
	s := fmt.Sprintf("%s %s %s", days[0].Key, b.String(), last)
	if each > 1 {
		s += fmt.Sprintf(" (a bar is %d days)", each)
	}
	return s
}

// rowsOf are the rows as a table: numbers for programs are whole.
func rowsOf(r *tally.Report) *term.Table {
	t := &term.Table{Cut: []string{strings.ToUpper(r.By)}, Head: []string{strings.ToUpper(r.By), "SESSIONS", "ANSWERS", "INPUT", "CACHE CREATION", "CACHE READ", "OUTPUT"}}
	if r.Cost != nil {
		t.Head = append(t.Head, "COST")
	}
	for _, row := range r.Rows {
		cells := []string{cmp.Or(row.Key, "-")}
		for _, n := range []int{row.Sessions, row.Answers, row.Tokens.Input, row.Tokens.CacheCreation, row.Tokens.CacheRead, row.Tokens.Output} {
			cells = append(cells, strconv.Itoa(n))
		}
		switch {
		case row.Cost != nil:
			cells = append(cells, fmt.Sprintf("%.2f", *row.Cost))
		case r.Cost != nil:
			cells = append(cells, "-")
		}
		t.Add(cells...)
	}
	return t
}

// amount is a number as people read it.
func amount(n int) string {
	switch x := float64(n); {
	case n < 10_000:
		return strconv.Itoa(n)
	case n < 1_000_000:
		return fmt.Sprintf("%.0fk", x/1e3)
	case n < 1_000_000_000:
		return fmt.Sprintf("%.1fM", x/1e6)
	default:
		return fmt.Sprintf("%.1fG", x/1e9)
	}
}

// rest says what git-sage added, and what came of it.
func rest(r *tally.Report) string {
	var b strings.Builder
	total, parts := 0, []string{}
	for _, x := range r.Added {
		total += x.Tokens
		parts = append(parts, fmt.Sprintf("%s %s", term.Visible(x.By), amount(x.Tokens)))
	}
	fmt.Fprintf(&b, "Added by git-sage: %s tokens", amount(total))
	if len(parts) > 0 {
		fmt.Fprintf(&b, " (%s)", strings.Join(parts, ", "))
	}
	fmt.Fprintf(&b, "\nRecalled: %s\nRestored: %s\n", outcome(r.Recalled), outcome(r.Restored))
	return b.String() + unused(r)
}

// unused names what no session was given, a line for each kind.
func unused(r *tally.Report) string {
	var b strings.Builder
	writeUnused(&b, "Never recalled", r.NeverRecalled, "item", "git sage knowledge show <id>")
	writeUnused(&b, "Never restored", r.NeverRestored, "checkpoint", "git sage show <id>")
	return b.String()
}

// outcome says what was given and used.
func outcome(x tally.Recalls) string {
	if x.Given == 0 {
		return "nothing"
	}
	s := fmt.Sprintf("%s in %s, %s tokens for texts of %s; used %d (%d%%)", legible.Count(x.Given, "text"), legible.Count(x.Sessions, "session"), amount(x.Tokens), amount(x.Texts), x.Used, 100*x.Used/x.Given)
	var how []string
	for _, u := range []tally.Use{tally.Loaded, tally.Quoted, tally.Opened} {
		if n := x.Uses[u]; n > 0 {
			how = append(how, fmt.Sprintf("%s %d", map[tally.Use]string{tally.Loaded: "loaded", tally.Quoted: "quoted", tally.Opened: "file opened"}[u], n))
		}
	}
	if len(how) > 0 {
		s += ": " + strings.Join(how, ", ")
	}
	return s
}

func writeUnused(w io.Writer, what string, list []tally.Unused, noun, show string) {
	if len(list) == 0 {
		return
	}
	ids := lists.Map(list, func(u tally.Unused) string {
		if noun == "checkpoint" {
			return brief.ShortID(u.ID)
		}
		return term.Visible(u.ID)
	})
	fmt.Fprintf(w, "%s: %s (%s); '%s' shows one\n", what, legible.Count(len(list), noun), term.Some(ids), show)
}
