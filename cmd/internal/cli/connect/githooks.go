package connect

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/hooks/githooks"
)

// GitHooks is the folder of a repository's git hooks.
func GitHooks(a *app.App, s *gitstore.Store) githooks.Folder {
	configured, _, _ := s.Repo.Config("core.hookspath")
	if rest, ok := strings.CutPrefix(configured, "~/"); ok {
		configured = filepath.Join(a.HomeFolder(), rest)
	}
	return githooks.In(s.Repo.CommonDir(), cmp.Or(s.Repo.Top(), s.Repo.GitDir()), configured)
}

// changeGitHooks installs the hooks or removes them, and tells whether there was anything to
// do. One that is left as it is makes the status 1.
func changeGitHooks(ctx context.Context, a *app.App, dry bool, do func(githooks.Folder, bool) ([]githooks.Result, error)) (changed bool, err error) {
	a.Inside = true
	m, err := a.Open(ctx)
	if err != nil {
		return false, err
	}
	if m.Store.Repo.Options.Global {
		return false, errors.New("your own store has no code, and needs no git hooks")
	}
	all, err := do(GitHooks(a, m.Store), dry)
	left := false
	for _, r := range all {
		left, changed = left || r.Left != "", changed || r.Did != "" || r.Left != ""
		if err := printGitHook(a, r, dry); err != nil {
			return changed, err
		}
	}
	if elsewhere := new(githooks.ElsewhereError); errors.As(err, &elsewhere) {
		err = exit.WithHint(err, "add a line to its hooks %s: %s", strings.Join(githooks.Fresh, ", "), githooks.ByHand)
	}
	if err == nil && left {
		err = exit.ErrNo
	}
	return changed, err
}

// checkGitHooks fails if no hooks may be written, and tells nothing.
func checkGitHooks(f githooks.Folder, _ bool) ([]githooks.Result, error) {
	_, err := f.Install(true)
	return nil, err
}

// gitHookJSON is what --json prints of a hook of git.
type gitHookJSON struct {
	Path string `json:"path"`
	Did  string `json:"did,omitempty"`
	Left string `json:"left,omitempty"`
}

func printGitHook(a *app.App, r githooks.Result, dry bool) error {
	if a.JSON {
		return a.PrintJSON(gitHookJSON(r))
	}
	not := ""
	if dry {
		not = " (not written)"
	}
	var err error
	if what := r.Did + r.Left; what != "" {
		_, err = fmt.Fprintf(a.Out, "%s%s: %s\n", term.Visible(r.Path), not, term.Visible(what))
	}
	return err
}
