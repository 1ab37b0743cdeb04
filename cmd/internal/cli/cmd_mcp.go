package cli

import (
	"cmp"
	"context"
	"slices"
	"sync/atomic"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/hooks/install"
	"github.com/git-sage/git-sage/mcp"
	"github.com/git-sage/git-sage/recall"
)

func newMCPCmd(a *app) *cobra.Command {
	var plugin bool
	serve := func(c *cobra.Command, args []string) error {
		if len(args) > 0 {
			return unknownVerb(c, args)
		}
		return a.serve(c.Context(), plugin)
	}
	one := &cobra.Command{
		Use:   "serve [--plugin]",
		Short: "Serve the memory on standard input and output",
		Long:  "Speaks the Model Context Protocol, one JSON-RPC message a line, until its input\nends. 'git sage mcp' alone does the same.",
		Args:  noArgs,
		RunE:  serve,
	}
	one.Flags().BoolVar(&plugin, "plugin", false, "offer nothing if 'mcp install' has put the server in place, too")
	verbs := append([]*cobra.Command{one}, a.installers(install.MCP)...)
	c := group("mcp", "Give agents the memory as tools", "", verbs...)
	c.Annotations = map[string]string{"runs": "serve"}
	c.RunE = serve
	return c
}

func (a *app) serve(ctx context.Context, plugin bool) error {
	v, _ := buildVersion()
	dir, folders := a.clientDir(), new(openFolders)
	where := func() string { return cmp.Or(a.client().Worktree, folders.first(), dir) }
	of := knobs{a, where}
	a.indexes = &recall.Indexes{}
	return mcp.Serve(ctx, mcp.Options{
		In: a.in, Out: a.out, Err: a.err, Version: v, Session: a.session, Elsewhere: plugin && a.served(ctx),
		Client: func() string { return a.client().Session }, Roots: a.rootsTo(folders),
		Diagnose: func(ctx context.Context) []gitstore.Diagnosis {
			return a.diagnoseFor(ctx, where(), cmp.Or(a.client().Session, a.session))
		},
		Hook:    a.answerHook,
		Modules: of.modules, Settings: of.list, SetSetting: of.set,
		Open: func(ctx context.Context, session string) (*recall.Memory, error) {
			return a.openGuest(ctx, where(), session)
		},
	})
}

// openFolders are those that the client of a server has open.
type openFolders struct{ list atomic.Pointer[[]string] }

// first is the first that is there; "" is none.
func (f *openFolders) first() string {
	list := f.list.Load()
	if list == nil {
		return ""
	}
	if i := slices.IndexFunc(*list, isDir); i >= 0 {
		return (*list)[i]
	}
	return ""
}

// rootsTo keeps the folders that the client tells, unless the folder is known from the
// command line or the environment.
func (a *app) rootsTo(f *openFolders) func([]string) {
	if a.chosen || a.getenv("CLAUDE_PROJECT_DIR") != "" {
		return nil
	}
	return func(list []string) { f.list.Store(&list) }
}

// client is who started this server, as its hooks saw it last, unless somebody said
// which session to act for. A work tree that is gone is none.
func (a *app) client() gitstore.Client {
	if a.session != a.getenv("CLAUDE_CODE_SESSION_ID") {
		return gitstore.Client{}
	}
	c, _ := gitstore.FindClient(a.home(), a.session)
	if !isDir(c.Worktree) {
		c.Worktree = ""
	}
	return c
}
