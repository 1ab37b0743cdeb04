package connect

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/hooks/githooks"
	"github.com/git-sage/git-sage/hooks/install"
	"github.com/git-sage/git-sage/internal/lists"
)

// NewHooks makes 'git sage hooks'.
func NewHooks(a *app.App) *cobra.Command {
	return usage.Group("hooks", "Connect Claude Code sessions to the memory", hooksLong, Installers(a, install.Hooks)...)
}

const hooksLong = `With the hooks installed, a new session, or one whose context was compacted,
begins with the latest checkpoint of the line; a prompt recalls the knowledge
that fits it. When a turn ends with something worth saving, the next prompt
tells the agent (autosave: suggest), the agent is held until it saves (ask), or
it is saved for the agent (silent). Worth saving are conclusions and decisions
with some work behind them, open choices, constraints, agreements, changes of
topic, requests to save, a full context, and a lot of unsaved work. Tune this
with trigger_*, autosave_*, topic_drift_threshold and depth_*: see
'git sage config list'.`

// Installers are install, uninstall and status for one part.
func Installers(a *app.App, part install.Part) []*cobra.Command {
	what := map[install.Part]string{install.Hooks: "the hooks", install.MCP: "the server"}[part]
	return []*cobra.Command{
		installCmd(a, part, "install", "Add "+what+" to "+whose[part]+" configuration", install.Place.Install),
		installCmd(a, part, "uninstall", "Remove "+what+" from "+whose[part]+" configuration", install.Place.Uninstall),
		installStatusCmd(a, part, what),
	}
}

var whose = map[install.Part]string{install.Hooks: "Claude Code's", install.MCP: "a client's"}

func installStatusCmd(a *app.App, part install.Part, what string) *cobra.Command {
	var client string
	c := &cobra.Command{
		Use:   "status",
		Short: "Show where " + what + map[install.Part]string{install.Hooks: " are", install.MCP: " is"}[part] + " installed",
		Args:  usage.NoArgs,
		RunE:  func(c *cobra.Command, _ []string) error { return installStatus(c.Context(), a, part, client) },
	}
	if part == install.MCP {
		c.Use += " [--client <name>]"
		c.Long = "List the scopes of Claude Code, and other clients that have the server; --client\nshows one of claude, codex, cursor, gemini, vscode and opencode. Exit with\nstatus 1 if the server is not installed, or its program is gone."
		clientFlag(c, &client, "")
	} else {
		c.Long = "List the scopes and what the hooks in each call. Exit with status 1 if there are\nno hooks, or they call a program or server that is gone."
	}
	return c
}

// gitHooksLong is what --git does.
var gitHooksLong = map[string]string{
	"install": `

With --git, add hooks of git instead, which index code in the background after a
commit, checkout, merge or rebase, as 'git sage init --git-hooks' does.`,
	"uninstall": `

With --git, remove the hooks of git that 'git sage init --git-hooks' added, and
put those back that were there before.`,
}

// runGitHooks installs or uninstalls the hooks of git.
func runGitHooks(ctx context.Context, a *app.App, verb string, dry bool) error {
	do := githooks.Folder.Install
	if verb == "uninstall" {
		do = githooks.Folder.Uninstall
	}
	changed, err := changeGitHooks(ctx, a, dry, do)
	if err == nil && !changed && !a.JSON {
		_, err = fmt.Fprintln(a.Out, "no change to the git hooks")
	}
	return err
}

type installFunc func(install.Place, install.Part, install.Scope) (install.Result, error)

func installCmd(a *app.App, part install.Part, verb, short string, do installFunc) *cobra.Command {
	var scope, client string
	var dry, programs, git bool
	do = settled(do, &programs, part == install.Hooks && verb == "install")
	c := &cobra.Command{
		Use:   verb + " [--scope user|project|local] [-n]",
		Short: short,
		Long: `Change only git-sage's entries in Claude Code's files, and leave every other
byte as it is. The scopes are Claude Code's: user is you, everywhere; project is
everybody who works here, in a shared file; local is you, here.`,
		Args: usage.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if git {
				if c.Flags().Changed("scope") || programs {
					return usage.Errorf("option '--git' goes with '--dry-run' alone")
				}
				return runGitHooks(c.Context(), a, verb, dry)
			}
			o := installing{parts: []install.Part{part}, client: client, scope: scope, dry: dry, do: do}
			changed, err := changeInstall(c.Context(), a, o)
			if mended := mendHooks(c.Context(), a, o, verb, changed); err == nil {
				err = mended
			}
			return err
		},
	}
	if part == install.MCP {
		c.Use = verb + " [--client <name>]" + strings.TrimPrefix(c.Use, verb)
		c.Long = serverLong
		clientFlag(c, &client, install.Claude)
		if verb == "install" {
			c.Long += serverMends
		}
	}
	if verb == "uninstall" {
		c.Long += "\nWithout --scope, remove everything that 'status' lists."
		if scopeFlag(c, &scope, ""); part == install.Hooks {
			c.Long += "\nA git-sage hook that you wrote yourself before 'install' stays as you wrote it."
		}
	} else {
		scopeFlag(c, &scope, install.User)
	}
	c.Flags().BoolVarP(&dry, "dry-run", "n", false, "show what would change, and write nothing")
	if part == install.Hooks {
		c.Use += " [--git]"
		c.Long += gitHooksLong[verb]
		c.Flags().BoolVar(&git, "git", false, "change the hooks of git that index code instead")
	}
	if part == install.Hooks && verb == "install" {
		c.Long += `

If the server is installed for you too, frequent hooks ask it, which takes a
third of the time of starting a program. 'mcp install' and 'mcp uninstall'
switch the hooks of their scope to the server and back. With --programs, the
hooks of this scope keep starting programs until 'hooks install' runs without
it.`
		c.Flags().BoolVar(&programs, "programs", false, "always start a program, and never ask the server")
	}
	return c
}

// settled is do for somebody who may want programs for hooks, and says so or not.
func settled(do installFunc, programs *bool, chosen bool) installFunc {
	return func(p install.Place, part install.Part, s install.Scope) (install.Result, error) {
		p.Programs, p.Chosen = *programs, chosen
		return do(p, part, s)
	}
}

func scopeFlag(c *cobra.Command, scope *string, otherwise install.Scope) {
	usage := "the `scope`: user, project or local; " + string(otherwise) + " by default"
	if otherwise == "" {
		usage = "the `scope`: user, project or local; all by default"
	}
	c.Flags().StringVar(scope, "scope", string(otherwise), usage)
	c.RegisterFlagCompletionFunc("scope", cobra.FixedCompletions([]string{"user", "project", "local"}, cobra.ShellCompDirectiveNoFileComp))
}

const serverMends = `

Installed hooks of the same scope, user or local, will ask this server.`

const serverLong = `Change only git-sage's entry in a client's file, and leave every other byte as
it is. The clients are claude, codex, cursor, gemini, vscode and opencode. The
scopes are Claude Code's: user is you, everywhere; project is everybody who
works here, in a shared file; local is you, here, which only Claude Code has.`

func clientFlag(c *cobra.Command, client *string, otherwise install.Client) {
	names := lists.Map(install.Clients(), func(c install.Client) string { return string(c) })
	usage := "configure this `client`"
	if otherwise != "" {
		usage += "; " + string(otherwise) + " by default"
	}
	c.Flags().StringVar(client, "client", string(otherwise), usage)
	c.RegisterFlagCompletionFunc("client", cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp))
}
