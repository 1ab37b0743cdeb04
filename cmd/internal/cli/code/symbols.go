package code

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/cmd/internal/wire"
	"github.com/git-sage/git-sage/codeindex"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/recall"
)

// NewGrep makes 'git sage grep'.
func NewGrep(a *app.App) *cobra.Command {
	var o Filters
	c := &cobra.Command{
		Use:   "grep [<options>] <symbol>",
		Short: "Find where a symbol is defined, and who calls it",
		Long: `Find definitions by their name, in any capitals, those that are written alike
first. If there are none, find those whose names have all its parts.
'Type.method' finds the method of a type. Callers are known by name alone: two
methods of one name share them. As with search-code, analyze and outline, files
that are not indexed yet are indexed in the background, and a line says so.

In a pipe, print a line per definition with tabs between path:lines, kind, name
and signature. With --json, print objects with callers and tests. Exit with
status 1 if there is no such symbol.`,
		Example: "git sage grep Parse\ngit sage grep --kind method Store.Close\ngit sage grep --lang python parse_header\ngit sage grep --since v1.4.0 Check",
		Args:    usage.RangeArgs(1, 1, "symbol"),
		RunE: func(c *cobra.Command, args []string) error {
			_, list, err := symbols(c.Context(), a, &o, args[0])
			if err != nil {
				return err
			}
			if a.JSON {
				for i := range list {
					if err := a.PrintJSON(wire.SymbolOf(&list[i])); err != nil {
						return err
					}
				}
				return nil
			}
			return printSymbols(a, list)
		},
	}
	o.flags(c.Flags())
	o.sinceFlag(c.Flags())
	Complete(a, c)
	return c
}

// symbols finds definitions; none is an error.
func symbols(ctx context.Context, a *app.App, o *Filters, text string) (*recall.Memory, []codeindex.Symbol, error) {
	m, err := a.Open(ctx)
	if err != nil {
		return nil, nil, err
	}
	q, err := o.query(a, m, text)
	if err != nil {
		return nil, nil, err
	}
	list, err := m.Code().Symbols(ctx, q)
	if err != nil {
		return nil, nil, err
	}
	SayMissing(a, m, q.Rev)
	if len(list) == 0 {
		a.Say("no symbol '%s'%s", text, o.with())
		return nil, nil, exit.ErrNo
	}
	return m, list, nil
}

func printSymbols(a *app.App, list []codeindex.Symbol) error {
	if !a.TTY {
		var t term.Table
		for _, s := range list {
			t.Add(place(s.Hit), s.Kind, name(s.Hit), term.Clip(term.Visible(s.Signature), 200))
		}
		return t.Print(&a.Terminal)
	}
	return a.Print(func(w io.Writer) {
		for i := range list {
			writeSymbol(a, w, &list[i])
		}
	})
}

func writeSymbol(a *app.App, w io.Writer, s *codeindex.Symbol) {
	p := a.Palette()
	fmt.Fprintf(w, "%s  %s %s\n", p.ID(place(s.Hit)), s.Kind, name(s.Hit))
	if s.Signature != "" {
		fmt.Fprintln(w, "      "+term.Visible(s.Signature))
	}
	for line := range strings.SplitSeq(s.Doc, "\n") {
		if line != "" {
			fmt.Fprintln(w, "      "+p.Paint("dim", term.Visible(line)))
		}
	}
	writeCallers(w, "callers", s.Callers)
	writeCallers(w, "tests", s.Tests)
}

// mostShown is how many callers are shown by name.
const mostShown = 5

func writeCallers(w io.Writer, what string, list []codeindex.Caller) {
	if len(list) == 0 {
		return
	}
	var out []string
	for _, c := range list[:min(mostShown, len(list))] {
		out = append(out, term.Visible(fmt.Sprintf("%s:%d", c.Path, c.Line)))
	}
	if n := len(list) - mostShown; n > 0 {
		out = append(out, fmt.Sprintf("and %d more", n))
	}
	fmt.Fprintf(w, "      %s: %s\n", what, strings.Join(out, ", "))
}

// NewAnalyze makes 'git sage analyze'.
func NewAnalyze(a *app.App) *cobra.Command {
	var o Filters
	c := &cobra.Command{
		Use:   "analyze [<options>] <function>",
		Short: "Show a function: source, callers, callees, tests, history",
		Long: `Show a definition with its source, who calls it, what it calls, its tests, the
last commits that changed it, and the checkpoints and items that refer to its
file. Of several it is the one that grep lists first, and a hint tells how many
more there are.`,
		Example: "git sage analyze Store.Close",
		Args:    usage.RangeArgs(1, 1, "function"),
		RunE: func(c *cobra.Command, args []string) error {
			o.Limit = mostAlike
			m, list, err := symbols(c.Context(), a, &o, args[0])
			if err != nil {
				return err
			}
			known, err := m.Analyze(c.Context(), &list[0])
			if err != nil {
				return err
			}
			if n := alike(list) - 1; n > 0 {
				defer a.Hint("%s of that name: 'git sage grep %s' lists them", legible.Count(n, "more definition"), args[0])
			}
			d := wire.AnalysisOf(&list[0], known)
			if a.JSON {
				return a.PrintJSON(d)
			}
			return printAnalysis(a, &list[0], d)
		},
	}
	o.flags(c.Flags())
	_ = c.Flags().MarkHidden("limit") // it was defined just now
	return c
}

// mostAlike is up to how many definitions of a name are counted.
const mostAlike = 100

// alike counts the definitions that have the name of the first.
func alike(list []codeindex.Symbol) (n int) {
	for _, s := range list {
		if strings.EqualFold(s.Name, list[0].Name) {
			n++
		}
	}
	return n
}

func printAnalysis(a *app.App, s *codeindex.Symbol, d wire.Analysis) error {
	return a.Print(func(w io.Writer) {
		p := a.Palette()
		writeSymbol(a, w, s)
		list := func(what string, values []string) {
			if len(values) > 0 {
				fmt.Fprintf(w, "      %s: %s\n", what, term.Visible(strings.Join(values, ", ")))
			}
		}
		list("calls", d.Callees)
		for _, r := range slices.Concat(d.Checkpoints, d.Items) {
			fmt.Fprintf(w, "      %s  %s\n", p.ID(term.Visible(a.Short(r.ID))), term.Visible(r.Title))
		}
		for _, h := range d.History {
			fmt.Fprintln(w, "      "+term.Visible(h))
		}
		fmt.Fprintln(w)
		for line := range strings.Lines(d.Source) {
			code := strings.TrimRight(line, "\r\n")
			bare := strings.TrimLeft(code, " \t")
			fmt.Fprintln(w, code[:len(code)-len(bare)]+term.Visible(bare))
		}
	})
}

// NewOutline makes 'git sage outline'.
func NewOutline(a *app.App) *cobra.Command {
	var o Filters
	c := &cobra.Command{
		Use:     "outline [<options>] <path>",
		Short:   "List what a file or folder defines",
		Long:    "List what a file, or the files of a folder, define: lines, kind and signature.\nWith --json, print objects.",
		Example: "git sage outline internal/auth/token.go\ngit sage outline --kind class src",
		Args:    usage.RangeArgs(1, 1, "path"),
		RunE: func(c *cobra.Command, args []string) error {
			m, err := a.Open(c.Context())
			if err != nil {
				return err
			}
			narrowed := o.with()
			o.Path = args[0]
			q, err := o.narrow(a, m, o.Query)
			if err != nil {
				return err
			}
			list, err := m.Code().Outline(c.Context(), q)
			if err != nil {
				return err
			}
			SayMissing(a, m, q.Rev)
			if len(list) == 0 {
				a.Say("nothing is defined in '%s'%s", args[0], narrowed)
				return exit.ErrNo
			}
			return printOutline(a, list)
		},
	}
	o.flags(c.Flags())
	_ = c.Flags().MarkHidden("limit") // all are listed
	_ = c.Flags().MarkHidden("path")  // it is the argument
	return c
}

func printOutline(a *app.App, list []codeindex.Hit) error {
	if a.JSON {
		for _, h := range list {
			if err := a.PrintJSON(wire.CodeHitOf(h)); err != nil {
				return err
			}
		}
		return nil
	}
	if !a.TTY {
		var t term.Table
		for _, h := range list {
			t.Add(place(h), h.Kind, name(h), term.Clip(term.Visible(h.Signature), 200))
		}
		return t.Print(&a.Terminal)
	}
	defer a.Page()()
	return a.Print(func(w io.Writer) {
		path := ""
		for _, h := range list {
			if h.Path != path {
				path = h.Path
				fmt.Fprintln(w, a.Palette().Paint("bold", term.Visible(path)))
			}
			text := h.Signature
			if text == "" {
				text = h.Kind + " " + h.Name
			}
			depth := 0
			if h.Container != "" {
				depth = 1 + strings.Count(h.Container, ".")
			}
			fmt.Fprintf(w, "%5d-%-5d %s%s\n", h.First, h.Last, strings.Repeat("  ", depth), term.Visible(text))
		}
	})
}
