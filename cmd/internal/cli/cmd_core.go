package cli

import (
	"context"
	"errors"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/recall"
)

func newCoreCmd(a *app) *cobra.Command {
	return group("core", "Mark the files that matter most", `A core file is one of your own that whoever begins to work here should know of.
The list lies in core.yaml of refs/sage/knowledge: paths, and what is to be known
of each.`,
		newCoreAddCmd(a),
		&cobra.Command{
			Use:   "list",
			Short: "List the core files",
			Long: `Lists the core files: in a table on a terminal, separated by tabs in a pipe (path,
time when it was marked, 'gone' if it is not there, summary), as objects with --json.`,
			Args: noArgs,
			RunE: func(c *cobra.Command, _ []string) error { return a.coreList(c.Context()) },
		},
		newCoreRmCmd(a),
	)
}

// coreJSON is what --json prints of a core file.
type coreJSON struct {
	Path     string     `json:"path"` // relative to the repository's root
	Summary  string     `json:"summary,omitempty"`
	Added    *time.Time `json:"added,omitempty"`
	Exists   bool       `json:"exists"`
	Conflict bool       `json:"conflict,omitempty"` // a merge left several summaries
}

func newCoreAddCmd(a *app) *cobra.Command {
	var summary string
	c := &cobra.Command{
		Use:     "add [--summary <text>] <path>...",
		Short:   "Mark files as core files",
		Long:    "Marks files as core files, or gives those that are another summary.",
		Example: "git sage core add auth/token.go --summary 'Makes and checks tokens'",
		Args:    rangeArgs(1, -1, "path"),
		RunE:    func(c *cobra.Command, args []string) error { return a.coreAdd(c.Context(), args, summary) },
	}
	c.Flags().StringVar(&summary, "summary", "", "what is to be known of it, as `text`")
	return c
}

func newCoreRmCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "rm <path>...",
		Short: "Take files off the list",
		Long:  "Takes files off the list of core files. The files themselves stay.",
		Args:  rangeArgs(1, -1, "path"),
		RunE:  func(c *cobra.Command, args []string) error { return a.coreRm(c.Context(), args) },
		ValidArgsFunction: func(c *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
			var offers []string
			if s := a.quietStore(c); s != nil {
				files, _ := s.CoreFiles(c.Context())
				for _, f := range files {
					offers = append(offers, offer(f.Path, f.Summary))
				}
			}
			return matching(offers, "", word), cobra.ShellCompDirectiveNoFileComp
		},
	}
}

func (a *app) coreAdd(ctx context.Context, files []string, summary string) error {
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
		if a.json {
			err = a.printJSON(coreJSON{Path: path, Summary: summary, Exists: coreExists(m, path)})
		} else {
			a.say("marked '%s' as a core file", path)
			a.sayOutside(false)
		}
		if err != nil {
			return err
		}
		if !coreExists(m, path) {
			a.warn("there is no file '%s'", path)
		}
	}
	return nil
}

func (a *app) coreRm(ctx context.Context, files []string) error {
	m, err := a.open(ctx)
	if err != nil {
		return err
	}
	for _, file := range files {
		path, err := a.repositoryPath(m, file)
		if err != nil {
			return err
		}
		if err := m.Store.UnmarkCore(ctx, path); isNotFound(err) && path != file {
			err = m.Store.UnmarkCore(ctx, file) // as the list has it
			path = file
			if err != nil {
				return err
			}
		} else if err != nil {
			return err
		}
		a.say("'%s' is no core file any more", path)
	}
	return nil
}

// repositoryPath is a file argument relative to the root of the work tree.
func (a *app) repositoryPath(m *recall.Memory, file string) (string, error) {
	top := m.Store.Top()
	if file == "" {
		return "", usagef("a path is empty")
	}
	if top == "" { // a bare repository, the user's own store
		return filepath.ToSlash(file), nil
	}
	full := a.path(file)
	for _, root := range []string{top, resolved(top)} {
		for _, name := range []string{full, resolved(full)} {
			rel, err := filepath.Rel(root, name)
			if err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
				return filepath.ToSlash(rel), nil
			}
		}
	}
	return "", withHint(errors.New("'"+file+"' lies outside of the repository"), "the repository is '%s'", top)
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
	_, err := os.Lstat(filepath.Join(m.Store.Top(), filepath.FromSlash(path)))
	return err == nil
}

func (a *app) coreList(ctx context.Context) error {
	m, err := a.open(ctx)
	if err != nil {
		return err
	}
	files, err := m.Store.CoreFiles(ctx)
	if err != nil {
		return err
	}
	if len(files) == 0 {
		a.say("no file is marked: 'git sage core add <path> --summary <text>' marks one")
	}
	t := table{head: []string{"path", "marked", "", "summary"}}
	for _, f := range files {
		if a.json {
			if err := a.printJSON(toCoreJSON(m, f)); err != nil {
				return err
			}
			continue
		}
		t.add(f.Path, a.since(f.Added), coreState(m, f), f.Summary)
	}
	if a.json {
		return nil
	}
	return t.print(a)
}

func toCoreJSON(m *recall.Memory, f gitstore.CoreFile) coreJSON {
	j := coreJSON{Path: f.Path, Summary: f.Summary, Exists: coreExists(m, f.Path), Conflict: f.Conflict}
	if !f.Added.IsZero() {
		j.Added = &f.Added
	}
	return j
}

// coreState is what a person should know of a core file.
func coreState(m *recall.Memory, f gitstore.CoreFile) string {
	var words []string
	if !coreExists(m, f.Path) {
		words = append(words, "gone")
	}
	if f.Conflict {
		words = append(words, "conflict")
	}
	return strings.Join(slices.Clip(words), ", ")
}

// since is when for a time that may not be known.
func (a *app) since(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return a.when(t)
}
