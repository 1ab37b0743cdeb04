package connect

import (
	"cmp"
	"context"
	"strings"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/hooks/install"
)

// mendHooks lets hooks follow the server, after something was changed. They become
// programs where they ask one that is gone, in other work trees and projects, too; and
// where it has just come, those of its scope ask it.
func mendHooks(ctx context.Context, a *app.App, o installing, verb string, changed bool) error {
	p, err := Place(ctx, a)
	if err != nil {
		return err
	}
	p.DryRun = o.dry
	ofClaude := o.parts[0] == install.MCP && (o.client == "" || o.client == string(install.Claude))
	if o.dry && ofClaude {
		p.Planned = planned(o.scope, verb == "install")
	}
	for _, st := range p.Status() {
		fresh := changed && ofClaude && verb == "install" && string(st.Scope) == o.scope && o.scope != string(install.Project)
		if st.Part != install.Hooks || !st.Unheard && !(fresh && st.Installed && !st.Asks && !st.Programs) {
			continue
		}
		if _, err := changeOne(a, p, install.Hooks, st.Scope, install.Place.Install); err != nil {
			return err
		}
	}
	for _, root := range p.Asking() {
		mendThere(ctx, a, p, root)
	}
	return nil
}

// planned is what becomes of servers; a scope that is "" is all.
func planned(scope string, there bool) map[install.Scope]bool {
	if scope != "" {
		return map[install.Scope]bool{install.Scope(scope): there}
	}
	return map[install.Scope]bool{install.User: there, install.Project: there, install.Local: there}
}

// mendThere does so in another project, or another work tree of this one. What cannot be
// done there is said, and what to type.
func mendThere(ctx context.Context, a *app.App, here install.Place, root string) {
	there := *a
	there.Dir = root
	p, err := Place(ctx, &there)
	if err == nil && p.Root != root { // $GIT_DIR names another
		return
	}
	p.DryRun, p.Planned = here.DryRun, map[install.Scope]bool{}
	for s, planned := range here.Planned {
		if s == install.User || cmp.Or(p.Main, p.Root) == cmp.Or(here.Main, here.Root) {
			p.Planned[s] = planned
		}
	}
	for _, st := range p.Status() {
		if err == nil && st.Part == install.Hooks && st.Scope == install.Local && st.Unheard {
			_, err = changeOne(&there, p, install.Hooks, install.Local, install.Place.Install)
		}
	}
	if err != nil {
		a.Warn("hooks in %s may ask a server that is gone: %s", root, strings.TrimSpace(exit.Message(err)))
		a.Hint("git -C %s sage hooks install --scope local", term.ShellWord(root))
	}
}
