package connect

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/cmd/internal/wire"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/hooks/install"
)

// installing is what to install or to take out, and where.
type installing struct {
	parts  []install.Part
	client string // "" is Claude Code
	scope  string // "" is every one in which there is something
	dry    bool
	do     installFunc
}

// changeInstall does it, and tells whether there was anything to do.
func changeInstall(ctx context.Context, a *app.App, o installing) (changed bool, err error) {
	p, err := PlaceOf(ctx, a, o.client)
	if err != nil {
		return false, err
	}
	p.DryRun = o.dry
	if o.scope == "" {
		return changeAll(a, p, o)
	}
	scope, err := install.ParseScope(o.scope)
	if err != nil {
		return false, &usage.Error{Msg: err.Error()}
	}
	for _, part := range o.parts {
		did, err := changeOne(a, p, part, scope, o.do)
		if changed = changed || did; err != nil {
			return changed, err
		}
	}
	return changed, nil
}

// changeAll changes a part in every scope in which there is any of it.
func changeAll(a *app.App, p install.Place, o installing) (changed bool, err error) {
	for _, st := range p.Status() {
		if st.Part != o.parts[0] || st.Err == nil && len(st.Commands) == 0 && !st.Asks {
			continue
		}
		did, err := changeOne(a, p, st.Part, st.Scope, o.do)
		if changed = changed || did; err != nil {
			return changed, err
		}
	}
	if !changed && !a.JSON {
		_, err = fmt.Fprintf(a.Out, "no %s to remove\n", nounOf(o.parts[0]))
	}
	return changed, err
}

func changeOne(a *app.App, p install.Place, part install.Part, s install.Scope, do installFunc) (changed bool, err error) {
	r, err := do(p, part, s)
	if err != nil {
		return false, err
	}
	return len(r.Changes) > 0, printInstalled(a, part, s, r, p.DryRun)
}

// checkInstall fails if parts cannot be installed, and writes nothing: what would stop halfway
// does not begin.
func checkInstall(ctx context.Context, a *app.App, parts []install.Part, scope string) error {
	p, err := Place(ctx, a)
	if err != nil {
		return err
	}
	s, err := install.ParseScope(scope)
	if err != nil {
		return &usage.Error{Msg: err.Error()}
	}
	p.DryRun, p.Planned = true, map[install.Scope]bool{s: true}
	for _, part := range parts {
		if _, err := p.Install(part, s); err != nil {
			return err
		}
	}
	return nil
}

// installJSON is what install and uninstall print with --json of a part.
type installJSON struct {
	Path    string   `json:"path"`
	Changes []string `json:"changes"`
	Notes   []string `json:"notes,omitempty"`
	Also    []string `json:"also,omitempty"`
	Written bool     `json:"written"` // false: in a dry run, or nothing to do
}

func printInstalled(a *app.App, part install.Part, s install.Scope, r install.Result, dry bool) error {
	if a.JSON {
		return a.PrintJSON(installJSON{r.Path, wire.NotNil(r.Changes), r.Notes, r.Also, !dry && len(r.Changes) > 0})
	}
	for _, n := range r.Notes {
		a.HintOnce(n)
	}
	not := ""
	if dry {
		not = " (not written)"
	}
	changes := inOneLine(r.Changes)
	for i := range changes {
		if part == install.MCP { // two scopes can have one file
			changes[i] += " (" + string(s) + ")"
		}
	}
	if len(changes) == 0 {
		changes = []string{"no change to the " + nounOf(part)}
	}
	for _, c := range changes {
		if _, err := fmt.Fprintf(a.Out, "%s%s: %s\n", term.Visible(r.Path), not, term.Visible(c)); err != nil {
			return err
		}
	}
	for _, d := range r.Also {
		if _, err := fmt.Fprintf(a.Out, "%s%s\n", term.Visible(d), not); err != nil {
			return err
		}
	}
	return nil
}

// nounOf is what people call a part.
func nounOf(part install.Part) string {
	if part == install.MCP {
		return "server"
	}
	return string(part)
}

// oneHook is a change of one hook: what was done with it, or what it does now.
var oneHook = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(.*?)hook (\w+)((?: .*)?)$`) })

// inOneLine says of hooks with which the same was done so in one line, and counts many.
func inOneLine(changes []string) (lines []string) {
	type act struct{ did, now string }
	names := map[act][]string{}
	var order []act
	for _, c := range changes {
		m := oneHook().FindStringSubmatch(c)
		if m == nil {
			lines = append(lines, c)
			continue
		}
		k := act{m[1], m[3]}
		if names[k] == nil {
			order = append(order, k)
		}
		names[k] = append(names[k], m[2])
	}
	for _, k := range order {
		hooks, list := "hooks ", strings.Join(names[k], ", ")
		switch {
		case len(names[k]) == 1:
			hooks = "hook "
		case k.did == "removed a second ":
			hooks = "hook of each of "
		case k.now != "":
			hooks = "each of the hooks "
		case len(names[k]) > term.MostNamed:
			hooks, list = legible.Count(len(names[k]), "hook"), ""
		}
		lines = append(lines, k.did+hooks+list+k.now)
	}
	return slices.Clip(lines)
}
