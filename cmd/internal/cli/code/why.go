package code

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/cmd/internal/wire"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/recall"
	"github.com/git-sage/git-sage/recall/references"
)

// mostReasons and mostCommits are shown of each where nobody says how many.
const mostReasons, mostCommits = 10, 10

// NewWhy makes 'git sage why'.
func NewWhy(a *app.App) *cobra.Command {
	most := mostReasons
	c := &cobra.Command{
		Use:   "why [-n <n>] <path>[:<line>[-<line>]]",
		Short: "Show what explains a line or a file",
		Long: `Show the checkpoints, items and commits that explain a line or a file: what
refers to the lines, what was saved on a commit that git blames for them or
names it, and what is about the file. What still stands comes first, then what
is closest to the lines, then the newest. References follow lines that moved and
files that were renamed.

In a pipe, print a line each with tabs between kind, id, what ties it to the
lines, date and title. With --json, print one object. Exit with status 1 if
nothing is known.`,
		Example: "git sage why internal/auth/token.go:42\ngit sage why internal/auth/token.go:40-55\ngit sage why go.mod",
		Args:    usage.RangeArgs(1, 1, "path"),
		RunE: func(c *cobra.Command, args []string) error {
			if most < 1 {
				return usage.Errorf("-n must be at least 1")
			}
			e, err := explain(c.Context(), a, args[0])
			if err != nil {
				return err
			}
			switch {
			case len(e.Reasons)+len(e.Commits) == 0:
				a.Say("nothing is known of '%s'", args[0])
				return exit.ErrNo
			case a.JSON:
				return a.PrintJSON(wire.WhyOf(e))
			case a.TTY:
				return a.Print(func(w io.Writer) { writeWhy(a, w, e, most) })
			}
			return whyTable(a, e)
		},
	}
	c.Flags().IntVarP(&most, "limit", "n", mostReasons, "show at most `n` of each kind on a terminal")
	return c
}

// explain explains what an argument names.
func explain(ctx context.Context, a *app.App, arg string) (*references.Explanation, error) {
	m, err := a.Open(ctx)
	if err != nil {
		return nil, err
	}
	p, err := placeOf(a, m, arg)
	if err != nil {
		return nil, err
	}
	return m.References.Explain(ctx, p)
}

var lineNumbers = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(.+):(\d+)(?:-(\d+))?$`) })

// placeOf reads <path>[:<line>[-<line>]]; a file of that very name goes first.
func placeOf(a *app.App, m *recall.Memory, arg string) (p references.Place, err error) {
	path := arg
	if f := lineNumbers().FindStringSubmatch(arg); f != nil && !a.IsFile(arg) {
		path = f[1]
		first, err := strconv.Atoi(f[2])
		last, err2 := strconv.Atoi(cmp.Or(f[3], f[2]))
		if err != nil || err2 != nil || first < 1 || last < first {
			return p, usage.Errorf("lines '%s': want <line> or <line>-<line>, counted from 1", strings.TrimPrefix(arg, path+":"))
		}
		p.First, p.Last = first, last
	}
	p.Path, err = a.RepositoryPath(m, path)
	return p, err
}

func writeWhy(a *app.App, w io.Writer, e *references.Explanation, most int) {
	p := a.Palette()
	for _, r := range e.Reasons[:min(most, len(e.Reasons))] {
		fmt.Fprintf(w, "%s  %s\n", p.ID(reasonName(a, r)), a.Clip(term.Visible(r.Title)))
		fmt.Fprintf(w, "      %s\n", p.Paint("dim", term.Visible(r.Tie()+aside(r)+", "+day(r.Time))))
	}
	if n := len(e.Reasons) - most; n > 0 {
		fmt.Fprintf(w, "%s\n", p.Paint("dim", fmt.Sprintf("and %d more; -n shows more", n)))
	}
	if len(e.Commits) > 0 && len(e.Reasons) > 0 {
		fmt.Fprintln(w)
	}
	for _, c := range e.Commits[:min(mostCommits, len(e.Commits))] {
		fmt.Fprintf(w, "%s  %s %s: %s\n", p.ID("commit "+a.Short(c.ID)), day(c.Time), term.Visible(c.Author), a.Clip(term.Visible(c.Subject)))
		tied := ""
		if len(c.Reasons) > 0 {
			tied = "; " + legible.Count(len(c.Reasons), "checkpoint") + ": " + strings.Join(a.Shorts(c.Reasons[:min(3, len(c.Reasons))]), ", ")
		}
		fmt.Fprintf(w, "      %s\n", p.Paint("dim", spans(c.Lines)+tied))
	}
	if n := len(e.Commits) - mostCommits; n > 0 {
		fmt.Fprintf(w, "%s\n", p.Paint("dim", a.Typed(fmt.Sprintf("and %s; 'git sage blame' shows all lines", legible.Count(n, "more commit")))))
	}
	if len(e.Uncommitted) > 0 {
		fmt.Fprintf(w, "%s\n", p.Paint("dim", "not committed: "+spans(e.Uncommitted)))
	}
}

func reasonName(a *app.App, r references.Reason) string {
	if r.Checkpoint {
		return "checkpoint " + a.Short(r.ID)
	}
	return term.Visible(r.Type + " " + r.ID)
}

// aside is what a reader should know of a reason before believing it.
func aside(r references.Reason) string {
	s := ""
	if r.Outdated != "" {
		s += ", " + r.Outdated
	}
	if r.From != "" {
		s += " (" + r.From + ")"
	}
	return s
}

func day(t time.Time) string { return t.UTC().Format(time.DateOnly) }

// mostSpans are named of a list of lines.
const mostSpans = 4

func spans(list [][2]int) string {
	var out []string
	for _, l := range list[:min(mostSpans, len(list))] {
		s := strconv.Itoa(l[0])
		if l[1] > l[0] {
			s += "-" + strconv.Itoa(l[1])
		}
		out = append(out, s)
	}
	s := "lines " + strings.Join(out, ", ")
	if len(list) == 1 && list[0][0] == list[0][1] {
		s = "line " + out[0]
	}
	if n := len(list) - mostSpans; n > 0 {
		s += fmt.Sprintf(" and %d more places", n)
	}
	return s
}

func whyTable(a *app.App, e *references.Explanation) error {
	var t term.Table
	for _, r := range e.Reasons {
		kind, id := r.Type, r.ID
		if r.Checkpoint {
			kind, id = "checkpoint", a.Short(r.ID)
		}
		t.Add(kind, id, r.Tie()+aside(r), day(r.Time), term.Clip(term.Visible(r.Title), 200))
	}
	for _, c := range e.Commits {
		t.Add("commit", a.Short(c.ID), spans(c.Lines), day(c.Time), term.Clip(term.Visible(c.Subject), 200))
	}
	if len(e.Uncommitted) > 0 {
		t.Add("uncommitted", "", spans(e.Uncommitted), "", "")
	}
	return t.Print(&a.Terminal)
}

// NewBlame makes 'git sage blame'.
func NewBlame(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use:   "blame <path>[:<line>[-<line>]]",
		Short: "Show each line with its commit, and what explains it",
		Long: `Show the lines of a file, each with the commit that git blames for it and, at
the margin, the checkpoint or item that explains it best: one that refers to the
line, or else one that was saved on the commit or names it. 'git sage why' shows
all that is known of a line.

In a pipe, print a line each with tabs between number, commit, id and text. With
--json, print objects.`,
		Example: "git sage blame internal/auth/token.go\ngit sage blame internal/auth/token.go:40-55",
		Args:    usage.RangeArgs(1, 1, "path"),
		RunE: func(c *cobra.Command, args []string) error {
			e, err := explain(c.Context(), a, args[0])
			if err != nil {
				return err
			}
			lines := blamed(e)
			switch {
			case a.JSON:
				for _, l := range lines {
					if err := a.PrintJSON(l.BlamedLine); err != nil {
						return err
					}
				}
				return nil
			case a.TTY:
				defer a.Page()()
				return a.Print(func(w io.Writer) { writeBlame(a, w, lines) })
			}
			return a.Print(func(w io.Writer) {
				for _, l := range lines {
					fmt.Fprintf(w, "%d\t%s\t%s\t%s\n", l.Line, a.Short(l.Commit), l.name(a), l.text())
				}
			})
		},
	}
}

type blamedLine struct {
	wire.BlamedLine
	author string
	time   time.Time
	reason *references.Reason // nil is none
}

// name is the id at the margin.
func (l *blamedLine) name(a *app.App) string {
	if l.reason != nil && l.reason.Checkpoint {
		return a.Short(l.ID)
	}
	return term.Visible(l.ID)
}

func (l *blamedLine) text() string { return term.VisibleLines(strings.TrimRight(l.Text, "\r")) }

func blamed(e *references.Explanation) (out []blamedLine) {
	for _, c := range e.Commits {
		for _, span := range c.Lines {
			for n := span[0]; n <= span[1]; n++ {
				out = append(out, blamedLine{BlamedLine: wire.BlamedLine{Line: n, Commit: c.ID}, author: c.Author, time: c.Time})
			}
		}
	}
	for _, span := range e.Uncommitted {
		for n := span[0]; n <= span[1]; n++ {
			out = append(out, blamedLine{BlamedLine: wire.BlamedLine{Line: n}})
		}
	}
	slices.SortFunc(out, func(a, b blamedLine) int { return a.Line - b.Line })
	for i := range out {
		l := &out[i]
		l.Text = e.Text[l.Line-1]
		if l.reason = e.At(l.Line, l.Commit); l.reason != nil {
			l.ID = l.reason.ID
		}
	}
	return out
}

// marginWidth is how much of an id is shown beside a line.
const marginWidth = 20

// writeBlame names what explains lines at the first of them.
func writeBlame(a *app.App, w io.Writer, lines []blamedLine) {
	p, margin, last := a.Palette(), 0, ""
	for _, l := range lines {
		margin = max(margin, min(marginWidth, len(l.name(a))))
	}
	for i, l := range lines {
		id := term.Clip(l.name(a), marginWidth)
		if i > 0 && l.ID == last {
			id = ""
		}
		last = l.ID
		commit, by := a.Short(l.Commit), term.Clip(term.Visible(l.author), 12)+" "+day(l.time)
		if l.Commit == "" {
			commit, by = "not committed", ""
		}
		fmt.Fprintf(w, "%-13s %-23s %s %5d  %s\n", commit, by, p.ID(fmt.Sprintf("%-*s", margin, id)), l.Line, l.text())
	}
}
