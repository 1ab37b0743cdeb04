package connect

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/cmd/internal/wire"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/hooks/githooks"
	"github.com/git-sage/git-sage/hooks/install"
	"github.com/git-sage/git-sage/hooks/transcript/sessions"
	"github.com/git-sage/git-sage/internal/hint"
	"github.com/git-sage/git-sage/recall"
)

// NewInit makes 'git sage init'.
func NewInit(a *app.App) *cobra.Command {
	var claude, git, trailer bool
	var scope string
	c := &cobra.Command{
		Use:     "init [--claude [--scope user|project|local]] [--git-hooks [--trailer]]",
		Example: "git sage init --claude\ngit sage init --git-hooks",
		Short:   "Set up the memory of this repository",
		Long: `Create the folder sage in the git directory and add .sage/local to
.git/info/exclude. Saving works without it. Your branches, files, hooks and
configuration stay as they are.

With --claude, also install the hooks and the MCP server for Claude Code, as
'git sage hooks install' and 'git sage mcp install' do: for you in this
repository unless --scope says otherwise, and exclude
.claude/settings.local.json from git. If any step fails, nothing is changed.

With --git-hooks, also add git hooks that, in the background after a commit,
checkout, merge or rebase, note which checkpoints explain a commit and index
code; after a merge, ask remotes for memory, if it is time; and after a push,
send that remote what you share with it. A hook that you have there runs first,
and git gets its answer. 'git sage hooks uninstall --git' removes ours and puts
yours back. With --trailer, another one names those checkpoints in the message
of a commit, before git makes it.`,
		Args: usage.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if trailer && !git {
				return usage.Errorf("option '--trailer' needs '--git-hooks'")
			}
			if git { // what would stop halfway does not begin
				if _, err := changeGitHooks(c.Context(), a, true, checkGitHooks); err != nil {
					return err
				}
			}
			if claude {
				if err := runInitClaude(c.Context(), a, scope); err != nil || !git {
					return err
				}
			} else if c.Flags().Changed("scope") {
				a.Warn("option '--scope' needs '--claude'")
			}
			return runInit(c.Context(), a, git, trailer)
		},
	}
	c.Flags().BoolVar(&claude, "claude", false, "also connect Claude Code")
	scopeFlag(c, &scope, install.Local)
	c.Flags().BoolVar(&trailer, "trailer", false, "also name checkpoints in the messages of commits")
	c.Flags().BoolVar(&git, "git-hooks", false, "also keep notes on commits and the index of code fresh")
	return c
}

// runInitClaude prepares all, or nothing.
func runInitClaude(ctx context.Context, a *app.App, scope string) error {
	if _, err := a.Open(ctx); err != nil {
		return err
	}
	both := []install.Part{install.MCP, install.Hooks}
	if err := checkInstall(ctx, a, both, scope); err != nil {
		return err
	}
	m, _, err := prepareStore(ctx, a)
	if err != nil {
		return err
	}
	changed, err := changeInstall(ctx, a, installing{parts: both, scope: scope, do: install.Place.Install})
	if err != nil || a.JSON {
		return err
	}
	if changed {
		a.Hint("'git sage hooks uninstall --scope %s; git sage mcp uninstall --scope %s' removes both", scope, scope)
	}
	if !hintRemote(ctx, a, m) && changed && !hintEarlier(a) {
		a.Hint("try it: git sage save -m 'What you concluded last.', then start claude and ask where you left off")
	}
	return nil
}

// runInit prepares the repository, with git hooks or without, and says so if there is nothing
// to do.
func runInit(ctx context.Context, a *app.App, hooks, trailer bool) error {
	m, did, err := prepareStore(ctx, a)
	changed := len(did) > 0
	if err == nil && !a.JSON {
		defer hintRemote(ctx, a, m)
	}
	if err == nil && hooks {
		var more bool
		more, err = changeGitHooks(ctx, a, false, func(f githooks.Folder, dry bool) ([]githooks.Result, error) {
			f.Trailer = trailer
			return f.Install(dry)
		})
		changed = changed || more
	}
	if err == nil && !changed && !a.JSON {
		_, err = fmt.Fprintln(a.Out, "nothing to do: everything is set up")
	}
	return err
}

// prepareStore prepares the repository and prints what it did.
func prepareStore(ctx context.Context, a *app.App) (m *recall.Memory, did []string, err error) {
	if m, err = a.Open(ctx); err != nil {
		return nil, nil, err
	}
	if did, err = m.Store.Repo.Init(ctx); err != nil {
		return nil, nil, err
	}
	if a.JSON {
		return m, did, a.PrintJSON(map[string]any{"did": wire.NotNil(did)})
	}
	defer hintLeftBehind(ctx, a, m)
	for _, d := range did {
		if _, err := fmt.Fprintln(a.Out, term.Visible(d)); err != nil {
			return m, did, err
		}
	}
	return m, did, nil
}

// hintRemote asks the remote, if that is due, whether it has a memory, and says so.
func hintRemote(ctx context.Context, a *app.App, m *recall.Memory) (said bool) {
	m.Stores.AskRemote(ctx)
	for _, n := range m.Stores.RemoteNotices(ctx) {
		a.Hint("%s", hint.Note(n))
		said = true
	}
	return said
}

// hintEarlier says how many earlier sessions Claude Code kept of this repository that were
// not imported, if there are any.
func hintEarlier(a *app.App) (said bool) {
	if !filepath.IsAbs(a.Transcripts()) {
		return false
	}
	imported, err := a.Store.Review.Imported()
	if err != nil {
		return false // an import will say so
	}
	known := func(session string) bool { _, ok := imported[session]; return ok }
	if n := sessions.CountInRoots(a.Transcripts(), a.Store.Session.WorkTrees(), known); n > 0 {
		a.Hint("Claude Code has %s of this repository: 'git sage import sessions' saves their conclusions", legible.Count(n, "earlier session"))
		return true
	}
	return false
}
