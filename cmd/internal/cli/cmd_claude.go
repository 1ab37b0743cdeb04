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
)

func newHooksCmd(a *app) *cobra.Command {
	return group("hooks", "Connect Claude Code's sessions with the memory", hooksLong, a.installers(install.Hooks)...)
}

const hooksLong = `With the hooks installed, a new session begins with the latest checkpoint of the
line, and so does one whose context was compacted; a prompt brings the knowledge
that fits it; and when a turn ends with something worth saving, the agent is told
so, or it is saved ('git sage config set autosave ask|suggest|silent'). Worth
saving is a conclusion or decision with some work behind it, an open choice, a
constraint, an agreement, a change of topic, a request to save, a full context,
and much that was not saved: the keys trigger_*, autosave_*, topic_drift_threshold
and depth_* of 'git sage config list' say how much.`

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
		c.Long = "Of the clients beside Claude Code those that have it; '--client' shows one of claude,\ncodex, cursor, gemini, vscode and opencode, whatever it has. Status 1 if it is\nnowhere."
		clientFlag(c, &client, "")
	}
	return c
}

type installFunc func(install.Place, install.Part, install.Scope) (install.Result, error)

func (a *app) installer(part install.Part, verb, short string, do installFunc) *cobra.Command {
	var scope, client string
	var dry, programs bool
	do = settled(do, &programs)
	c := &cobra.Command{
		Use:   verb + " [--scope user|project|local] [--dry-run]",
		Short: short,
		Long: `Changes only the entries of git-sage in Claude Code's files and leaves every other
byte as it is. The scope is Claude Code's: user is you, everywhere; project is all
who work here, in a shared file; local is you, here.`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if scope == "" {
				return a.uninstallAll(c.Context(), part, client, dry, do)
			}
			return a.install(c.Context(), []install.Part{part}, client, scope, dry, do)
		},
		PostRunE: func(c *cobra.Command, _ []string) error { return a.mendHooks(c.Context(), dry) },
	}
	if part == install.MCP {
		c.Use = verb + " [--client <name>]" + strings.TrimPrefix(c.Use, verb)
		c.Long = serverLong
		clientFlag(c, &client, install.Claude)
	}
	if verb == "uninstall" {
		c.Long += " Without one, all that\n'status' finds is taken out."
		scopeFlag(c, &scope, "")
	} else {
		scopeFlag(c, &scope, install.User)
	}
	c.Flags().BoolVar(&dry, "dry-run", false, "say what would change, and write nothing")
	if part == install.Hooks && verb == "install" {
		c.Long += `

Where the server is installed too, for you, the frequent hooks ask it: a prompt is
answered in a third of the time that a program takes which starts. 'mcp uninstall'
puts programs in their place again.`
		c.Flags().BoolVar(&programs, "programs", false, "start a program at every event, never ask the server")
	}
	return c
}

// settled is do for somebody who may want programs for hooks.
func settled(do installFunc, programs *bool) installFunc {
	return func(p install.Place, part install.Part, s install.Scope) (install.Result, error) {
		p.Programs = *programs
		return do(p, part, s)
	}
}

// mendHooks puts programs in the place of hooks that ask a server which is gone.
func (a *app) mendHooks(ctx context.Context, dry bool) error {
	p, err := a.place(ctx)
	if err != nil || dry {
		return err
	}
	for _, st := range p.Status() {
		if !st.Unheard {
			continue
		}
		if err := a.install(ctx, []install.Part{install.Hooks}, "", string(st.Scope), false, install.Place.Install); err != nil {
			return err
		}
	}
	return nil
}

func scopeFlag(c *cobra.Command, scope *string, otherwise install.Scope) {
	c.Flags().StringVar(scope, "scope", string(otherwise), "for whom: user, project or local `scope`")
	c.RegisterFlagCompletionFunc("scope", cobra.FixedCompletions([]string{"user", "project", "local"}, cobra.ShellCompDirectiveNoFileComp))
}

const serverLong = `Changes only the entry of git-sage in a client's file and leaves every other byte as
it is. The clients are claude, codex, cursor, gemini, vscode and opencode. The scope
is Claude Code's: user is you, everywhere; project is all who work here, in a shared
file; local is you, here, which the others do not have.`

func clientFlag(c *cobra.Command, client *string, otherwise install.Client) {
	names := convert(install.Clients(), func(c install.Client) string { return string(c) })
	c.Flags().StringVar(client, "client", string(otherwise), "the configuration of this `client`")
	c.RegisterFlagCompletionFunc("client", cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp))
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
		Bin: bin, Records: filepath.Join(a.home(), "installs"), Getenv: a.getenv,
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

// placeOf is this machine as the installer sees it for a client; "" is Claude Code.
func (a *app) placeOf(ctx context.Context, client string) (install.Place, error) {
	c, err := install.ParseClient(cmp.Or(client, string(install.Claude)))
	if err != nil {
		return install.Place{}, &usageError{msg: err.Error()}
	}
	p, err := a.place(ctx)
	p.Client = c
	return p, err
}

// installJSON is what install and uninstall print with --json of a part.
type installJSON struct {
	Path    string   `json:"path"`
	Changes []string `json:"changes"`
	Notes   []string `json:"notes,omitempty"`
}

func (a *app) install(ctx context.Context, parts []install.Part, client, scope string, dry bool, do installFunc) error {
	sc, err := install.ParseScope(scope)
	if err != nil {
		return &usageError{msg: err.Error()}
	}
	p, err := a.placeOf(ctx, client)
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
func (a *app) uninstallAll(ctx context.Context, part install.Part, client string, dry bool, do installFunc) error {
	p, err := a.placeOf(ctx, client)
	if err != nil {
		return err
	}
	found := false
	for _, st := range p.Status() {
		if st.Part != part || st.Err == nil && len(st.Commands) == 0 {
			continue
		}
		found = true
		if err := a.install(ctx, []install.Part{part}, client, string(st.Scope), dry, do); err != nil {
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
	Client    string   `json:"client"`
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
func (a *app) installStatus(ctx context.Context, part install.Part, client string) error {
	p, err := a.placeOf(ctx, client)
	if err != nil {
		return err
	}
	t := table{head: []string{"scope", "state", "file"}}
	somewhere, err := a.addStates(&t, p, part, true)
	if err == nil && p.Client == install.Claude && p.HasPlugin() {
		somewhere, err = true, a.addPlugin(&t, part)
	}
	for _, p.Client = range install.Clients()[1:] {
		if err == nil && client == "" && part == install.MCP {
			var there bool
			there, err = a.addStates(&t, p, part, false)
			somewhere = somewhere || there
		}
	}
	if err == nil {
		err = t.print(a)
	}
	if err == nil && !somewhere {
		err = errNo
	}
	return err
}

// addStates adds a line for each scope of a client, or for those that have anything, and
// tells whether one has all.
func (a *app) addStates(t *table, p install.Place, part install.Part, all bool) (somewhere bool, err error) {
	for _, st := range p.Status() {
		if st.Part != part || !all && len(st.Commands) == 0 {
			continue
		}
		somewhere = somewhere || st.Installed
		if a.json {
			j := stateJSON{string(p.Client), string(st.Part), string(st.Scope), st.Path, st.Installed, st.Commands, st.Lacks, st.Missing, st.Stale, st.Others, ""}
			if st.Err != nil {
				j.Error = st.Err.Error()
			}
			if err := a.printJSON(j); err != nil {
				return false, err
			}
			continue
		}
		scope := string(st.Scope)
		if p.Client != install.Claude {
			scope = string(p.Client) + " " + scope
		}
		t.add(scope, stateText(st), st.Path)
	}
	return somewhere, nil
}

// addPlugin tells of the plugin, which brings every part.
func (a *app) addPlugin(t *table, part install.Part) error {
	if a.json {
		return a.printJSON(stateJSON{Client: string(install.Claude), Part: string(part), Scope: "plugin", Path: install.PluginID, Installed: true})
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
	if st.Asks {
		notes = append(notes, "the frequent ones ask the server")
	}
	if st.Unheard {
		notes = append(notes, "which is not installed: 'git sage hooks install' mends that")
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
