package code

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/cmd/internal/wire"
	"github.com/git-sage/git-sage/codeindex"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
)

// NewRelated makes 'git sage related'.
func NewRelated(a *app.App) *cobra.Command {
	n := codeindex.DefaultLimit
	c := &cobra.Command{
		Use:   "related [-n <number>] <file>",
		Short: "List what belongs with a file: what changes with it, tests, docs",
		Long: `List what belongs with a file: the files that the same commits change, its tests
(by their names, then those that call what it defines) and the documents that
name it. Of the last 5,000 commits those count that are no merge and change at
most 30 files.

In a pipe, print a line per file with tabs between its kind (changes-with, test
or doc), its path, and of the first kind the share of the file's commits that
changed both, and their number. With --json, print an object. Exit with status 1
if there is no such file.`,
		Example: "git sage related internal/auth/token.go",
		Args:    usage.RangeArgs(1, 1, "file"),
		RunE: func(c *cobra.Command, args []string) error {
			if n < 1 {
				return usage.Errorf("-n must be at least 1")
			}
			m, err := a.Open(c.Context())
			if err != nil {
				return err
			}
			file, err := inside(a, m, args[0])
			if err != nil {
				return err
			}
			r, ok, err := m.Code().Related(c.Context(), file, n)
			if err != nil {
				return err
			}
			if !ok {
				a.Say("no file '%s' that is indexed", args[0])
				return exit.ErrNo
			}
			if a.JSON {
				return a.PrintJSON(wire.RelatedOf(r))
			}
			return printRelated(a, r)
		},
	}
	c.Flags().IntVarP(&n, "limit", "n", n, "list at most this `number` of each kind")
	return c
}

func printRelated(a *app.App, r codeindex.Related) error {
	if !a.TTY {
		var t term.Table
		for _, c := range r.Companions {
			t.Add("changes-with", term.Visible(c.Path), percent(c.Share), fmt.Sprint(c.Commits))
		}
		for _, f := range r.Tests {
			t.Add("test", term.Visible(f))
		}
		for _, f := range r.Docs {
			t.Add("doc", term.Visible(f))
		}
		return t.Print(&a.Terminal)
	}
	return a.Print(func(w io.Writer) {
		p := a.Palette()
		fmt.Fprintf(w, "%s  changed by %s\n", p.ID(term.Visible(r.Path)), legible.Count(r.Commits, "commit"))
		for _, c := range r.Companions {
			fmt.Fprintf(w, "%4s  %s  %s\n", percent(c.Share), term.Visible(c.Path), p.Paint("dim", legible.Count(c.Commits, "commit")))
		}
		for _, f := range r.Tests {
			fmt.Fprintln(w, "test  "+term.Visible(f))
		}
		for _, f := range r.Docs {
			fmt.Fprintln(w, " doc  "+term.Visible(f))
		}
	})
}
