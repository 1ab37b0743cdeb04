package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/hooks/install"
)

func newHooksCmd(a *app) *cobra.Command {
	return group("hooks", "Connect Claude Code's sessions with the memory", hooksLong, a.installers(install.Hooks)...)
}

const hooksLong = `With the hooks installed, a new session begins with the latest checkpoint of the
line, and so does one whose context was compacted; a prompt brings the knowledge
that fits it; and when a turn ended with something worth saving, the next prompt
tells the agent so (autosave: suggest), the agent is held until it has saved it
(ask), or it is saved (silent). Worth saving is a conclusion or decision with some
work behind it, an open choice, a constraint, an agreement, a change of topic, a
request to save, a full context, and much that was not saved: the keys trigger_*,
autosave_*, topic_drift_threshold and depth_* of 'git sage config list' say how much.`

// installers are install, uninstall and status for one part.
func (a *app) installers(part install.Part) []*cobra.Command {
	what := map[install.Part]string{install.Hooks: "the hooks", install.MCP: "the server"}[part]
	return []*cobra.Command{
		a.installer(part, "install", "Write "+what+" into "+whose[part]+" configuration", install.Place.Install),
		a.installer(part, "uninstall", "Take "+what+" out of "+whose[part]+" configuration", install.Place.Uninstall),
		a.installStatusCmd(part, what),
	}
}

var whose = map[install.Part]string{install.Hooks: "Claude Code's", install.MCP: "a client's"}

func (a *app) installStatusCmd(part install.Part, what string) *cobra.Command {
	var client string
	c := &cobra.Command{
		Use:   "status",
		Short: "Show in which scopes " + what + " stand" + map[install.Part]string{install.MCP: "s"}[part],
		Args:  noArgs,
		RunE:  func(c *cobra.Command, _ []string) error { return a.installStatus(c.Context(), part, client) },
	}
	if part == install.MCP {
		c.Use += " [--client <name>]"
		c.Long = "Lists the scopes of Claude Code, and other clients that have the server; --client\nshows one of claude, codex, cursor, gemini, vscode and opencode in any case. The\nexit status is 1 if it is nowhere, or calls a program that is gone."
		clientFlag(c, &client, "")
	} else {
		c.Long = "Lists the scopes, and what the hooks there call. The exit status is 1 if they are\nnowhere, or call a program or a server that is gone."
	}
	return c
}

type installFunc func(install.Place, install.Part, install.Scope) (install.Result, error)

func (a *app) installer(part install.Part, verb, short string, do installFunc) *cobra.Command {
	var scope, client string
	var dry, programs bool
	do = settled(do, &programs, part == install.Hooks && verb == "install")
	c := &cobra.Command{
		Use:   verb + " [--scope user|project|local] [--dry-run]",
		Short: short,
		Long: `Changes only the entries of git-sage in Claude Code's files and leaves every other
byte as it is. The scope is Claude Code's: user is you, everywhere; project is all
who work here, in a shared file; local is you, here.`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			o := installing{parts: []install.Part{part}, client: client, scope: scope, dry: dry, do: do}
			changed, err := a.change(c.Context(), o)
			if mended := a.mendHooks(c.Context(), o, verb, changed); err == nil {
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
		c.Long += " Without one, all that\n'status' finds is taken out."
		if scopeFlag(c, &scope, ""); part == install.Hooks {
			c.Long += " A hook\nof git-sage that you wrote before 'install' is as you wrote it then, and stays."
		}
	} else {
		scopeFlag(c, &scope, install.User)
	}
	c.Flags().BoolVar(&dry, "dry-run", false, "say what would change, and write nothing")
	if part == install.Hooks && verb == "install" {
		c.Long += `

Where the server is installed for you, too, the frequent hooks ask it, which takes a
third of the time of starting a program. 'mcp install' and 'mcp uninstall' switch the
hooks of their scope to the server and back. With --programs the hooks of this scope
keep starting programs, until 'hooks install' runs without it.`
		c.Flags().BoolVar(&programs, "programs", false, "start a program at every event, never ask the server; kept for the scope")
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
	usage := "for whom: user, project or local `scope`; " + string(otherwise) + " by default"
	if otherwise == "" {
		usage = "for whom: user, project or local `scope`; all by default"
	}
	c.Flags().StringVar(scope, "scope", string(otherwise), usage)
	c.RegisterFlagCompletionFunc("scope", cobra.FixedCompletions([]string{"user", "project", "local"}, cobra.ShellCompDirectiveNoFileComp))
}

const serverMends = `

Hooks of the same scope, user or local, that are installed then ask this server.`

const serverLong = `Changes only the entry of git-sage in a client's file and leaves every other byte as
it is. The clients are claude, codex, cursor, gemini, vscode and opencode. The scope
is Claude Code's: user is you, everywhere; project is all who work here, in a shared
file; local is you, here, which the others do not have.`

func clientFlag(c *cobra.Command, client *string, otherwise install.Client) {
	names := convert(install.Clients(), func(c install.Client) string { return string(c) })
	usage := "the configuration of this `client`"
	if otherwise != "" {
		usage += "; " + string(otherwise) + " by default"
	}
	c.Flags().StringVar(client, "client", string(otherwise), usage)
	c.RegisterFlagCompletionFunc("client", cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp))
}
