package cli

import (
	"context"
	"errors"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/recall"
)

func newCoreCmd(a *app) *cobra.Command {
	return usage.Group("core", "Mark the files that matter most", `A core file is a file of your code that newcomers should know. The list of paths
and summaries is in core.yaml of refs/sage/knowledge.`,
		newCoreAddCmd(a),
		newListOf(a, "list", "List the core files", listOptions{kinds: []string{coreKind}}),
		newCoreRmCmd(a),
	)
}

func newCoreAddCmd(a *app) *cobra.Command {
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

func newCoreRmCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "rm <path>...",
		Example: "git sage core rm auth/token.go",
		Short:   "Unmark core files",
		Long:    "Unmark files as core files. The files themselves stay.",
		Args:    usage.RangeArgs(1, -1, "path"),
		RunE:    func(c *cobra.Command, args []string) error { return unmarkCore(c.Context(), a, args) },
		ValidArgsFunction: func(c *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
			var offers []string
			if s := quietStore(a, c); s != nil {
				files, _ := s.CoreFiles(c.Context())
				for _, f := range files {
					offers = append(offers, usage.Offer(f.Path, f.Summary))
				}
			}
			return usage.Matching(offers, "", word), cobra.ShellCompDirectiveNoFileComp
		},
	}
}

func markCore(ctx context.Context, a *app, files []string, summary string) error {
	m, err := a.open(ctx)
	if err != nil {
		return err
	}
	for _, file := range files {
		path, err := a.repositoryPath(m, file)
		if err != nil {
			return err
		}
		if err := m.Store.MarkCore(ctx, path, summary); err != nil {
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
func sayMarked(ctx context.Context, a *app, m *recall.Memory, path string) error {
	files, err := m.Store.CoreFiles(ctx)
	i := slices.IndexFunc(files, func(c gitstore.CoreFile) bool { return c.Path == path })
	switch {
	case err != nil || i < 0:
		return err
	case a.JSON:
		err = a.PrintJSON(coreRow(m, files[i]).object())
	default:
		a.Say("marked '%s' as a core file", path)
		a.sayOutside(false)
	}
	if !coreExists(m, path) {
		a.Warn("there is no file '%s'", path)
	}
	if !files[i].Own && isPerson(a.Env) {
		a.Hint("it came from elsewhere; 'git sage confirm %s' confirms it", gitstore.InShell(path))
	}
	return err
}

func unmarkCore(ctx context.Context, a *app, files []string) error {
	m, err := a.open(ctx)
	if err != nil {
		return err
	}
	for _, file := range files {
		path, err := a.repositoryPath(m, file)
		if err != nil { // one that an older version or a fetch brought, it may be
			if m.Store.UnmarkCore(ctx, file) != nil {
				return err
			}
			path = file
		} else if err := m.Store.UnmarkCore(ctx, path); exit.IsNotFound(err) && path != file {
			err = m.Store.UnmarkCore(ctx, file) // as the list has it
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

// repositoryPath is a file argument relative to the root of the work tree.
func (a *app) repositoryPath(m *recall.Memory, file string) (string, error) {
	top := m.Store.Top()
	if file == "" {
		return "", usage.Errorf("a path is empty")
	}
	if strings.Contains(file, "://") {
		return "", errors.New("'" + file + "' is a URL, not a path")
	}
	if top == "" { // a bare repository, the user's own store
		return filepath.ToSlash(file), nil
	}
	full := a.Path(file)
	for _, root := range []string{top, resolved(top)} {
		for _, name := range []string{full, resolved(full)} {
			rel, err := filepath.Rel(root, name)
			if err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
				return filepath.ToSlash(rel), nil
			}
		}
	}
	return "", exit.WithHint(errors.New("'"+file+"' is outside the repository"), "the repository is '%s'", top)
}

// pathspec is repositoryPath of what may also count from the top, as git has it: ":/auth",
// ":(top)auth".
func (a *app) pathspec(m *recall.Memory, spec string) (string, error) {
	for _, top := range []string{":/", ":(top)"} {
		if rest, ok := strings.CutPrefix(spec, top); ok {
			return path.Clean(filepath.ToSlash(rest)), nil
		}
	}
	return a.repositoryPath(m, spec)
}

// resolved is a path without symbolic links, as far as it is there.
func resolved(name string) string {
	if real, err := filepath.EvalSymlinks(name); err == nil {
		return real
	}
	dir := filepath.Dir(name)
	if dir == name {
		return name
	}
	return filepath.Join(resolved(dir), filepath.Base(name))
}

func coreExists(m *recall.Memory, path string) bool {
	if m.Store.Top() == "" {
		return true // nobody knows
	}
	root, err := os.OpenRoot(m.Store.Top())
	if err != nil {
		return false
	}
	defer root.Close()
	_, err = root.Lstat(filepath.FromSlash(path))
	return err == nil
}
