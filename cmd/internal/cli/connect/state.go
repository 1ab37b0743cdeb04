package connect

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/hooks/install"
	"github.com/git-sage/git-sage/internal/plainfile"
)

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
	Programs  bool     `json:"programs,omitempty"` // hooks start programs by choice, and ask no server
	Unheard   bool     `json:"unheard,omitempty"`  // hooks ask a server that is not installed
	Others    []string `json:"others,omitempty"`
	Error     string   `json:"error,omitempty"`
}

// installStatus prints where a part is installed; status 1 if it is nowhere, or if an
// entry calls what is gone.
func installStatus(ctx context.Context, a *app.App, part install.Part, client string) error {
	p, err := PlaceOf(ctx, a, client)
	if err != nil {
		return err
	}
	t := term.Table{Head: []string{"scope", "state", "file"}}
	somewhere, broken, err := addStates(a, &t, p, part, true)
	if err == nil && p.Client == install.Claude && p.HasPlugin() {
		somewhere, err = true, addPlugin(a, &t, part)
	}
	for _, p.Client = range install.Clients()[1:] {
		if err == nil && client == "" && part == install.MCP {
			var there, gone bool
			there, gone, err = addStates(a, &t, p, part, false)
			somewhere, broken = somewhere || there, broken || gone
		}
	}
	if err == nil {
		err = t.Print(&a.Terminal)
	}
	for _, path := range p.Unfinished() {
		a.Hint("a killed install left %s: %s", path, plainfile.Removal(path))
	}
	if err == nil && (!somewhere || broken) {
		err = exit.ErrNo
	}
	return err
}

// addStates adds a line for each scope of a client, or for those that have anything, and
// tells whether one has all, and whether one calls what is gone.
func addStates(a *app.App, t *term.Table, p install.Place, part install.Part, all bool) (somewhere, broken bool, err error) {
	for _, st := range p.Status() {
		if st.Part != part || !all && len(st.Commands) == 0 {
			continue
		}
		somewhere, broken = somewhere || st.Installed, broken || st.Unheard || len(st.Missing) > 0
		if a.JSON {
			if err := printState(a, p, st); err != nil {
				return false, false, err
			}
			continue
		}
		scope := string(st.Scope)
		if p.Client != install.Claude {
			scope = string(p.Client) + " " + scope
		}
		t.Add(scope, stateText(p, st), st.Path)
	}
	return somewhere, broken, nil
}

func printState(a *app.App, p install.Place, st install.State) error {
	j := stateJSON{string(p.Client), string(st.Part), string(st.Scope), st.Path, st.Installed, st.Commands, st.Lacks, st.Missing, st.Stale, st.Programs, st.Unheard, st.Others, ""}
	if st.Err != nil {
		j.Error = st.Err.Error()
	}
	return a.PrintJSON(j)
}

// addPlugin tells of the plugin, which brings every part.
func addPlugin(a *app.App, t *term.Table, part install.Part) error {
	if a.JSON {
		return a.PrintJSON(stateJSON{Client: string(install.Claude), Part: string(part), Scope: "plugin", Path: install.PluginID, Installed: true})
	}
	t.Add("plugin", "installed", install.PluginID)
	return nil
}

func stateText(p install.Place, st install.State) string {
	cure := "'" + CureOf(p, st) + "'"
	var notes []string
	switch {
	case st.Err != nil:
		return st.Err.Error()
	case st.Installed:
		notes = append(notes, "installed")
	case len(st.Commands) > 0 || st.Asks:
		notes = append(notes, "installed in part, without "+strings.Join(st.Lacks, ", ")+": "+cure+" adds that")
	default:
		notes = append(notes, "not installed")
	}
	if st.Asks {
		notes = append(notes, "frequent hooks ask the server")
	}
	if st.Programs && !st.Asks {
		notes = append(notes, "set to start programs")
	}
	if st.Unheard {
		notes = append(notes, "which is not installed: "+cure+" fixes that")
	}
	for _, m := range st.Missing {
		notes = append(notes, missingText(m, cure))
	}
	for _, s := range st.Stale {
		if !slices.Contains(st.Missing, s) {
			notes = append(notes, s+" is not this git-sage: "+cure+" replaces it")
		}
	}
	return strings.Join(append(notes, st.Others...), ", ")
}

// CureOf is the command that writes a state's entries anew.
func CureOf(p install.Place, st install.State) string {
	client := ""
	if p.Client != install.Claude && p.Client != "" {
		client = " --client " + string(p.Client)
	}
	return fmt.Sprintf("git sage %s install%s --scope %s", st.Part, client, st.Scope)
}

// missingText says of a program that it is gone. One that a project names is looked up
// in PATH, and no other entry would help.
func missingText(program, cure string) string {
	if !filepath.IsAbs(program) {
		return program + " is missing on the PATH"
	}
	return program + " is missing: " + cure + " fixes that"
}
