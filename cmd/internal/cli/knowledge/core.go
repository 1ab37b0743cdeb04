package knowledge

import (
	"context"
	"slices"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/recall"
)

// NewCore makes 'git sage core'.
func NewCore(a *app.App) *cobra.Command {
	return usage.Group("core", "Mark the files that matter most", `A core file is a file of your code that newcomers should know. The list of paths
and summaries is in core.yaml of refs/sage/knowledge.`,
		newCoreAddCmd(a),
		newListOf(a, "list", "List the core files", listOptions{kinds: []string{coreKind}}),
		newCoreRmCmd(a),
	)
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
		RunE:    func(c *cobra.Command, args []string) error { return UnmarkCore(c.Context(), a, args) },
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

// UnmarkCore takes files off the list of core files.
func UnmarkCore(ctx context.Context, a *app.App, files []string) error {
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
