package knowledge

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/cmd/internal/wire"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/recall"
)

// NewCore makes 'git sage core'.
func NewCore(a *app.App) *cobra.Command {
	return usage.Listing(usage.Group("core", "Mark the files that matter most", `A core file is a file of your code that newcomers should know. The list of paths
and summaries is in core.yaml of refs/sage/knowledge.`,
		newCoreAddCmd(a),
		newListOf(a, "list", "List the core files", ListOptions{Kinds: []string{coreKind}}),
		newCoreRmCmd(a),
		newCoreSuggestCmd(a),
	))
}

func newCoreSuggestCmd(a *app.App) *cobra.Command {
	n := 10
	c := &cobra.Command{
		Use:   "suggest [-n <number>]",
		Short: "List files that may be worth being core files",
		Long: `List files on which much rests and that are much worked on: how many other files
call what they define, how many of the last 5,000 commits changed them, and how
many checkpoints are of sessions that read or changed them. Core files, tests,
documents, data, generated and vendored files are left out.

In a pipe, print a line per file with tabs between its path and these three
numbers. With --json, print objects. Exit with status 1 if there is no file.`,
		Example: "git sage core suggest -n 5",
		Args:    usage.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if n < 1 {
				return usage.Errorf("-n must be at least 1")
			}
			return suggestCore(c.Context(), a, n)
		},
	}
	c.Flags().IntVarP(&n, "limit", "n", n, "list at most this `number`")
	return c
}

func suggestCore(ctx context.Context, a *app.App, n int) error {
	m, err := a.Open(ctx)
	if err != nil {
		return err
	}
	list, err := m.SuggestCore(ctx, n)
	if err != nil {
		return err
	}
	if len(list) == 0 {
		a.Say("nothing to suggest: no file with code is used, changed or read yet that is not core")
		return exit.ErrNo
	}
	t := term.Table{Head: []string{"FILE", "WHY"}}
	for _, c := range list {
		switch {
		case a.JSON:
			if err := a.PrintJSON(wire.CoreCandidateOf(c)); err != nil {
				return err
			}
		case a.TTY:
			t.Add(term.Visible(c.Path), whyCore(c))
		default:
			t.Add(term.Visible(c.Path), strconv.Itoa(c.Users), strconv.Itoa(c.Commits), strconv.Itoa(c.Read))
		}
	}
	if err := t.Print(&a.Terminal); err != nil || a.JSON {
		return err
	}
	a.Hint("'git sage core add %s --summary <text>' makes the first a core file", gitstore.InShell(list[0].Path))
	return nil
}

// whyCore says what speaks for a file.
func whyCore(c recall.CoreCandidate) string {
	var out []string
	for _, r := range []struct {
		n          int
		what, does string
	}{{c.Users, "file", "used by"}, {c.Commits, "commit", "changed by"}, {c.Read, "checkpoint", "read for"}} {
		if r.n > 0 {
			out = append(out, r.does+" "+legible.Count(r.n, r.what))
		}
	}
	return strings.Join(out, ", ")
}

func newCoreAddCmd(a *app.App) *cobra.Command {
	var summary string
	c := &cobra.Command{
		Use:     "add [--summary <text>] <path>...",
		Short:   "Mark files as core files",
		Long:    "Mark files as core files, or change their summary. Without --summary, a file\nkeeps its summary.",
		Example: "git sage core add auth/token.go --summary 'Makes and checks tokens'",
		Args:    usage.RangeArgs(1, -1, "path"),
		RunE:    func(c *cobra.Command, args []string) error { return markCore(c.Context(), a, args, summary) },
	}
	c.Flags().StringVar(&summary, "summary", "", "what to know about the file, as `text`")
	return c
}

func newCoreRmCmd(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use:     "rm <path>...",
		Example: "git sage core rm auth/token.go",
		Short:   "Unmark core files",
		Long:    "Unmark files as core files. The files themselves stay.",
		Args:    usage.RangeArgs(1, -1, "path"),
		RunE:    func(c *cobra.Command, args []string) error { return unmarkCore(c.Context(), a, args) },
		ValidArgsFunction: func(c *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
			var offers []string
			if s := app.QuietStore(a, c); s != nil {
				files, _ := s.Knowledge.CoreFiles(c.Context())
				for _, f := range files {
					offers = append(offers, usage.Offer(f.Path, f.Summary))
				}
			}
			return usage.Matching(offers, "", word), cobra.ShellCompDirectiveNoFileComp
		},
	}
}

func markCore(ctx context.Context, a *app.App, files []string, summary string) error {
	m, err := a.Open(ctx)
	if err != nil {
		return err
	}
	for _, file := range files {
		path, err := a.RepositoryPath(m, file)
		if err != nil {
			return err
		}
		if err := m.Store.Knowledge.MarkCore(ctx, path, summary); err != nil {
			return err
		}
		if err := sayMarked(ctx, a, m, path); err != nil {
			return err
		}
	}
	return nil
}

// sayMarked says what the list has of a core file that was just marked, and how to stand
// for what came from elsewhere: to mark it again in the same words is no confirmation.
func sayMarked(ctx context.Context, a *app.App, m *recall.Memory, path string) error {
	files, err := m.Store.Knowledge.CoreFiles(ctx)
	i := slices.IndexFunc(files, func(c gitstore.CoreFile) bool { return c.Path == path })
	switch {
	case err != nil || i < 0:
		return err
	case a.JSON:
		err = a.PrintJSON(coreRow(m, files[i]).object())
	default:
		a.Say("marked '%s' as a core file", path)
		a.SayOutside(false)
	}
	if !app.Exists(m, path) {
		a.Warn("there is no file '%s'", path)
	}
	if !files[i].Own && a.IsPerson() {
		a.Hint("it came from elsewhere; 'git sage confirm %s' confirms it", gitstore.InShell(path))
	}
	return err
}

// unmarkCore takes files off the list of core files.
func unmarkCore(ctx context.Context, a *app.App, files []string) error {
	m, err := a.Open(ctx)
	if err != nil {
		return err
	}
	for _, file := range files {
		path, err := a.RepositoryPath(m, file)
		if err != nil { // one that an older version or a fetch brought, it may be
			if m.Store.Knowledge.UnmarkCore(ctx, file) != nil {
				return err
			}
			path = file
		} else if err := m.Store.Knowledge.UnmarkCore(ctx, path); exit.IsNotFound(err) && path != file {
			err = m.Store.Knowledge.UnmarkCore(ctx, file) // as the list has it
			path = file
			if err != nil {
				return err
			}
		} else if err != nil {
			return err
		}
		a.Say("'%s' is no longer a core file", path)
	}
	return nil
}
