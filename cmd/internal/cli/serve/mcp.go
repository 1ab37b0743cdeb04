package serve

import (
	"cmp"
	"context"
	"runtime/debug"
	"slices"
	"sync/atomic"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/cli/connect"
	"github.com/git-sage/git-sage/cmd/internal/cli/health"
	"github.com/git-sage/git-sage/cmd/internal/cli/watcher"
	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/codeindex"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/hooks/install"
	"github.com/git-sage/git-sage/hooks/session"
	"github.com/git-sage/git-sage/mcp"
	"github.com/git-sage/git-sage/recall"
	"github.com/git-sage/git-sage/recall/sidecar"
)

// garbage is what a server, which lives for days, may have of it in percent of what is in
// use: half of what a command may.
const garbage = 200

// NewMCP makes 'git sage mcp'.
func NewMCP(a *app.App) *cobra.Command {
	var plugin bool
	var web httpFlags
	serve := func(c *cobra.Command, args []string) error {
		debug.SetGCPercent(garbage)
		switch {
		case len(args) > 0:
			return usage.UnknownVerb(c, args)
		case web.addr != "" && plugin:
			return usage.Errorf("options '--plugin' and '--http' cannot be used together")
		case web.addr != "":
			return serveHTTP(c.Context(), a, web)
		case web.remote || web.tokenFile != "":
			return usage.Errorf("options '--remote' and '--token-file' need '--http'")
		}
		return serveStdio(c.Context(), a, plugin)
	}
	one := &cobra.Command{
		Use: "serve [--plugin] [--http <address>]",
		Example: `git sage mcp serve
git sage mcp serve --http 127.0.0.1:0`,
		Short: "Serve the memory on standard input and output, or over HTTP",
		Long:  serveLong,
		Args:  usage.NoArgs,
		RunE:  serve,
	}
	one.Flags().BoolVar(&plugin, "plugin", false, "offer nothing if the server is also installed by 'mcp install'")
	one.Flags().StringVar(&web.addr, "http", "", "serve over HTTP at this `address`, such as 127.0.0.1:8181")
	one.Flags().StringVar(&web.tokenFile, "token-file", "", "read the token from this `file`; create it if it is missing")
	one.Flags().BoolVar(&web.remote, "remote", false, "allow an address that other machines can reach")
	verbs := append([]*cobra.Command{one}, connect.Installers(a, install.MCP)...)
	c := usage.Group("mcp", "Give agents the memory as tools", "", verbs...)
	c.Annotations = map[string]string{"runs": "serve"}
	c.RunE = serve
	return c
}

const serveLong = `Speak the Model Context Protocol, one JSON-RPC message per line, until the input
ends. 'git sage mcp' alone does the same.

With --http, serve this repository over Streamable HTTP, until interrupted, to
programs that have the token in ~/.sage/run/http-token, which stays the same
until you remove that file. Port 0 picks a free port; the URL is printed with
the command that adds it to Claude Code. Browser pages are refused, and so are
other machines unless --remote is given.`

func serveStdio(ctx context.Context, a *app.App, plugin bool) error {
	dir, folders := a.ClientDir(), new(openFolders)
	where := func() string { return cmp.Or(clientOf(a).Worktree, folders.first(), dir) }
	a.Indexes, a.Code, a.Found = &sidecar.Indexes{Long: true}, &codeindex.Kept{}, &app.Repositories{}
	o := serverOptions(a, where, func() string { return cmp.Or(clientOf(a).Session, a.Session) })
	o.In, o.Out, o.Session, o.Elsewhere = a.In, a.Out, a.Session, plugin && connect.Served(ctx, a)
	defer noteServer(a)()
	go watcher.AutoStart(ctx, a, knobs{a, where}.load)
	o.Client, o.Roots = func() string { return clientOf(a).Session }, rootsTo(a, folders)
	return mcp.Serve(ctx, o)
}

// serverOptions are those of every server, for the folder and session that are told.
func serverOptions(a *app.App, where, session func() string) mcp.Options {
	v, _ := a.Version()
	of := knobs{a, where}
	return mcp.Options{
		Err: a.Err, Version: v, Slack: a.Slack,
		Diagnose: func(ctx context.Context, client string) []gitstore.Diagnosis {
			return health.DiagnoseFor(ctx, a, where(), session(), client)
		},
		Hooked:  func(client string) bool { return install.ClientOf(client) == install.Claude },
		Hook:    answerHook(a),
		Modules: of.modules, Settings: of.list, SetSetting: of.set,
		Open: func(ctx context.Context, session string) (*recall.Memory, error) {
			return a.OpenGuest(ctx, where(), session)
		},
	}
}

// openFolders are those that the client of a server has open.
type openFolders struct{ list atomic.Pointer[[]string] }

// first is the first that is there; "" is none.
func (f *openFolders) first() string {
	list := f.list.Load()
	if list == nil {
		return ""
	}
	if i := slices.IndexFunc(*list, app.IsDir); i >= 0 {
		return (*list)[i]
	}
	return ""
}

// rootsTo keeps the folders that the client tells, unless the folder is known from the
// command line or the environment.
func rootsTo(a *app.App, f *openFolders) func([]string) {
	if a.Chosen || a.Getenv("CLAUDE_PROJECT_DIR") != "" {
		return nil
	}
	return func(list []string) { f.list.Store(&list) }
}

// clientOf is who started this server, as its hooks saw it last, unless somebody said
// which session to act for. A work tree that is gone is none.
func clientOf(a *app.App) session.Client {
	if a.Session != a.Getenv("CLAUDE_CODE_SESSION_ID") {
		return session.Client{}
	}
	c, _ := session.FindClient(a.Home(), a.Session)
	if !app.IsDir(c.Worktree) {
		c.Worktree = ""
	}
	return c
}

// noteServer notes that a server of a client's runs, for the watcher, and returns what
// takes that away.
func noteServer(a *app.App) (forget func()) {
	if a.Session == "" || a.Session != a.Getenv("CLAUDE_CODE_SESSION_ID") {
		return func() {}
	}
	forget, _ = session.NoteServer(a.Home(), a.Session) // else the session ends when it is silent
	return forget
}
