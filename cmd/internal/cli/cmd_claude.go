package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/hooks/install"
	"github.com/git-sage/git-sage/mcp"
	"github.com/git-sage/git-sage/recall"
)

func newHooksCmd(a *app) *cobra.Command {
	return group("hooks", "Connect Claude Code's sessions with the memory", hooksLong, a.installers(install.Hooks)...)
}

const hooksLong = `With the hooks installed, a new session begins with the latest checkpoint of the
line, and so does one whose context was compacted; a prompt brings the knowledge
that fits it; and when an answer holds something worth saving, the agent is told
so, or it is saved ('git sage config set autosave ask|suggest|silent').`

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
	dir := a.clientDir()
	where := func() string { return cmp.Or(a.client().Worktree, dir) }
	of := knobs{a, where}
	a.indexes = &recall.Indexes{}
	return mcp.Serve(ctx, mcp.Options{
		In: a.in, Out: a.out, Err: a.err, Version: v, Session: a.session, Elsewhere: plugin && a.served(ctx),
		Client: func() string { return a.client().Session },
		Diagnose: func(ctx context.Context) []gitstore.Diagnosis {
			return a.diagnoseFor(ctx, where(), cmp.Or(a.client().Session, a.session))
		},
		Modules: of.modules, Settings: of.list, SetSetting: of.set,
		Open: func(ctx context.Context, session string) (*recall.Memory, error) {
			return a.openGuest(ctx, where(), session)
		},
	})
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

// installers are install, uninstall and status for one part.
func (a *app) installers(part install.Part) []*cobra.Command {
	what := map[install.Part]string{install.Hooks: "the hooks", install.MCP: "the server"}[part]
	return []*cobra.Command{
		a.installer(part, "install", "Write "+what+" into Claude Code's configuration", install.Place.Install),
		a.installer(part, "uninstall", "Take "+what+" out of Claude Code's configuration", install.Place.Uninstall),
		{
			Use:   "status",
			Short: "Show in which scopes " + what + " stand" + map[install.Part]string{install.MCP: "s"}[part],
			Args:  noArgs,
			RunE:  func(c *cobra.Command, _ []string) error { return a.installStatus(c.Context(), part) },
		},
	}
}

type installFunc func(install.Place, install.Part, install.Scope) (install.Result, error)

func (a *app) installer(part install.Part, verb, short string, do installFunc) *cobra.Command {
	var scope string
	var dry bool
	c := &cobra.Command{
		Use:   verb + " [--scope user|project|local] [--dry-run]",
		Short: short,
		Long: `Changes only the entries of git-sage in Claude Code's files and leaves every other
byte as it is. The scope is Claude Code's: user is you, everywhere; project is all
who work here, in a shared file; local is you, here.`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if scope == "" {
				return a.uninstallAll(c.Context(), part, dry, do)
			}
			return a.install(c.Context(), []install.Part{part}, scope, dry, do)
		},
	}
	if verb == "uninstall" {
		c.Long += " Without one, all that\n'status' finds is taken out."
		scopeFlag(c, &scope, "")
	} else {
		scopeFlag(c, &scope, install.User)
	}
	c.Flags().BoolVar(&dry, "dry-run", false, "say what would change, and write nothing")
	return c
}

func scopeFlag(c *cobra.Command, scope *string, otherwise install.Scope) {
	c.Flags().StringVar(scope, "scope", string(otherwise), "for whom: user, project or local `scope`")
	c.RegisterFlagCompletionFunc("scope", cobra.FixedCompletions([]string{"user", "project", "local"}, cobra.ShellCompDirectiveNoFileComp))
}

// clientDir is the folder that the client which started this has open.
func (a *app) clientDir() string {
	if p := a.getenv("CLAUDE_PROJECT_DIR"); isDir(p) {
		return p
	}
	return a.dir
}

// clientPlace is this machine as the client sees it, without asking git.
func (a *app) clientPlace() install.Place {
	p := a.personsPlace()
	p.Root = a.clientDir()
	return p
}

// served says whether Claude Code has the server also by 'mcp install'.
func (a *app) served(ctx context.Context) bool {
	there := *a
	there.dir = a.clientDir()
	p, err := there.place(ctx)
	return err == nil && p.Served()
}

// personsPlace is this machine outside of any project.
func (a *app) personsPlace() install.Place {
	bin, _ := os.Executable()
	return install.Place{
		Home: cmp.Or(a.getenv("HOME"), filepath.Dir(a.home())), ConfigDir: a.getenv("CLAUDE_CONFIG_DIR"),
		Bin: bin, Records: filepath.Join(a.home(), "installs"),
	}
}

// place is this machine, as the installer sees it.
func (a *app) place(ctx context.Context) (install.Place, error) {
	p := a.personsPlace()
	if p.Bin == "" {
		return p, errors.New("the path of git-sage itself cannot be found")
	}
	s, err := gitstore.Open(ctx, gitstore.Options{Dir: a.dir, Home: a.home(), Env: a.env, Now: a.now})
	if errors.Is(err, gitstore.ErrNotRepository) {
		return p, nil
	}
	if err != nil {
		return p, err
	}
	defer s.Close()
	p.Root = s.Top()
	if common := s.CommonDir(); filepath.Base(common) == ".git" && p.Root != "" {
		p.Main = filepath.Dir(common)
	}
	return p, nil
}

// installJSON is what install and uninstall print with --json of a part.
type installJSON struct {
	Path    string   `json:"path"`
	Changes []string `json:"changes"`
	Notes   []string `json:"notes,omitempty"`
}

func (a *app) install(ctx context.Context, parts []install.Part, scope string, dry bool, do installFunc) error {
	sc, err := install.ParseScope(scope)
	if err != nil {
		return &usageError{msg: err.Error()}
	}
	p, err := a.place(ctx)
	if err != nil {
		return err
	}
	p.DryRun = dry
	for _, part := range parts {
		r, err := do(p, part, sc)
		if err != nil {
			return err
		}
		if err := a.printInstalled(part, r, dry); err != nil {
			return err
		}
	}
	return nil
}

// uninstallAll takes a part out of every scope in which there is any of it.
func (a *app) uninstallAll(ctx context.Context, part install.Part, dry bool, do installFunc) error {
	p, err := a.place(ctx)
	if err != nil {
		return err
	}
	found := false
	for _, st := range p.Status() {
		if st.Part != part || st.Err == nil && len(st.Commands) == 0 {
			continue
		}
		found = true
		if err := a.install(ctx, []install.Part{part}, string(st.Scope), dry, do); err != nil {
			return err
		}
	}
	if !found && !a.json {
		_, err = fmt.Fprintf(a.out, "nothing to do for %s\n", part)
	}
	return err
}

func (a *app) printInstalled(part install.Part, r install.Result, dry bool) error {
	if a.json {
		return a.printJSON(installJSON{r.Path, notNil(r.Changes), r.Notes})
	}
	for _, n := range r.Notes {
		a.hint("%s", n)
	}
	path := visible(r.Path)
	if dry {
		path += " (not written)"
	}
	changes := r.Changes
	if len(changes) == 0 {
		changes = []string{"nothing to do for " + string(part)}
	}
	for _, c := range changes {
		if _, err := fmt.Fprintf(a.out, "%s: %s\n", path, visible(c)); err != nil {
			return err
		}
	}
	return nil
}

// stateJSON is what status --json prints of a part in a scope.
type stateJSON struct {
	Part      string   `json:"part"`
	Scope     string   `json:"scope"`
	Path      string   `json:"path"`
	Installed bool     `json:"installed"`
	Commands  []string `json:"commands,omitempty"`
	Lacks     []string `json:"lacks,omitempty"`
	Missing   []string `json:"missing,omitempty"`
	Stale     []string `json:"stale,omitempty"`
	Others    []string `json:"others,omitempty"`
	Error     string   `json:"error,omitempty"`
}

// installStatus prints where a part is installed; status 1 if it is nowhere.
func (a *app) installStatus(ctx context.Context, part install.Part) error {
	p, err := a.place(ctx)
	if err != nil {
		return err
	}
	t := table{head: []string{"scope", "state", "file"}}
	somewhere := false
	for _, st := range p.Status() {
		if st.Part != part {
			continue
		}
		somewhere = somewhere || st.Installed
		if a.json {
			j := stateJSON{string(st.Part), string(st.Scope), st.Path, st.Installed, st.Commands, st.Lacks, st.Missing, st.Stale, st.Others, ""}
			if st.Err != nil {
				j.Error = st.Err.Error()
			}
			if err := a.printJSON(j); err != nil {
				return err
			}
			continue
		}
		t.add(string(st.Scope), stateText(st), st.Path)
	}
	if p.HasPlugin() {
		somewhere = true
		if err := a.addPlugin(&t, part); err != nil {
			return err
		}
	}
	if err := t.print(a); err != nil {
		return err
	}
	if !somewhere {
		return errNo
	}
	return nil
}

// addPlugin tells of the plugin, which brings every part.
func (a *app) addPlugin(t *table, part install.Part) error {
	if a.json {
		return a.printJSON(stateJSON{Part: string(part), Scope: "plugin", Path: install.PluginID, Installed: true})
	}
	t.add("plugin", "installed", install.PluginID)
	return nil
}

func stateText(st install.State) string {
	var notes []string
	switch {
	case st.Err != nil:
		return st.Err.Error()
	case st.Installed:
		notes = append(notes, "installed")
	case len(st.Commands) > 0:
		notes = append(notes, "installed in part, without "+strings.Join(st.Lacks, ", ")+": 'git sage hooks install' adds that")
	default:
		notes = append(notes, "not installed")
	}
	for _, m := range st.Missing {
		notes = append(notes, m+" is missing")
	}
	for _, s := range st.Stale {
		notes = append(notes, s+" is not this git-sage")
	}
	return strings.Join(append(notes, st.Others...), ", ")
}

func isDir(name string) bool {
	st, err := os.Stat(name)
	return err == nil && st.IsDir()
}
