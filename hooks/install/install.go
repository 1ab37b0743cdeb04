package install

import (
	"errors"
	"fmt"
	"slices"
)

// Install writes the entries of one part, and mends stale ones. Nothing is installed twice:
// where another scope has the part here, the result says so, with no change. A file that is
// not valid JSON, that has another program's server under our name, or that is
// a link in a project is refused, with nothing written.
func (p Place) Install(part Part, s Scope) (Result, error) {
	command, err := p.command(s)
	if err != nil {
		return Result{}, err
	}
	if there := p.elsewhere(part, s); there != nil {
		return Result{Path: there.Path, Notes: []string{already(*there, s)}}, nil
	}
	if part == Hooks && !p.Chosen {
		p.Programs = p.Programs || p.remembers(s)
	}
	return p.change(part, s, func(d *draft, r *Result) error {
		if d.chosen = nil; part == Hooks {
			d.chosen = &p.Programs
		}
		if s == Project {
			r.Notes = append(r.Notes, program+" must be on the PATH of everybody who uses this project")
		}
		k := p.Client.kind()
		switch {
		case k == nil && p.HasPlugin():
			r.Notes = append(r.Notes, besidePlugin(part, s))
		case k != nil && k.trusted != "":
			r.Notes = append(r.Notes, k.trusted)
		case k != nil && s == Project && k.shared != "":
			r.Notes = append(r.Notes, k.shared)
		}
		switch {
		case k != nil && k.toml:
			return d.installTable(r, p.Bin, command)
		case k != nil:
			return p.installServer(d, r, command, p.nested(d), k.entry(command))
		case part == MCP:
			return p.installServer(d, r, command, p.servers(s), serverEntry(command))
		}
		return p.installHooks(d, r, command, s)
	})
}

// Lags says whether the hook before a compaction is not called for those that it is meant
// for, see [Place.Typed].
func (p Place) Lags(s Scope) bool {
	d := p.look(Hooks, s)
	if d == nil {
		return false
	}
	i := slices.IndexFunc(hookSites(d.src, d.root, p.Bin), func(s site) bool { return s.event == "PreCompact" })
	if i < 0 {
		return false
	}
	typed := hookSites(d.src, d.root, p.Bin)[i].on[3].get("matcher").text(d.src) != untyped
	return typed != p.Typed
}

// elsewhere is another scope in which Claude Code has a part here, whole and in order; nil
// if there is none, or the scope has any of it already: then that is mended. What a team
// shares of the server stands in nobody's way, since of several Claude Code starts one.
func (p Place) elsewhere(part Part, s Scope) (there *State) {
	if _, _, err := p.file(part, s); err != nil || p.Client.kind() != nil || part == MCP && s == Project {
		return nil
	}
	for _, st := range p.Status() {
		switch {
		case st.Part != part:
		case st.Scope == s && (len(st.Commands) > 0 || st.Asks || st.Err != nil):
			return nil
		case st.Scope != s && st.Installed && len(st.Missing) == 0 && !st.Unheard && there == nil:
			there = &st
		}
	}
	return there
}

// already says where a part stands that was to be installed in a scope.
func already(there State, s Scope) string {
	what := map[Part]string{Hooks: "the hooks are", MCP: "the server is"}[there.Part]
	return fmt.Sprintf("%s already installed in %s (%s); to use scope %s instead: git sage %s uninstall --scope %s, then run this again", what, there.Path, there.Scope, s, there.Part, there.Scope)
}

// besidePlugin says what becomes of the plugin beside a part.
func besidePlugin(part Part, s Scope) string {
	if part == MCP && s == Project {
		return "the plugin " + PluginID + " has the server too: those who use it see every tool twice"
	}
	return "the plugin " + PluginID + " has the " + map[Part]string{Hooks: "hooks", MCP: "server"}[part] + " too: its own stay silent beside these"
}

// Uninstall takes the entries of one part out, and restores the file as it was
// before they came. A hook that somebody wrote before is again as it was; where nothing
// is recorded to be installed, it goes too.
func (p Place) Uninstall(part Part, s Scope) (Result, error) {
	return p.change(part, s, func(d *draft, r *Result) error {
		if d.fresh {
			d.found, d.exact = nil, false
		}
		sites := p.sites(d, part, s)
		if d.exact && len(sites) > 0 && len(sites) == len(p.all(d)) {
			return d.takeAll(sites, r)
		}
		for i := len(sites) - 1; i >= 0; i-- {
			if err := d.takeOut(p.sites(d, part, s)[i], r); err != nil {
				return err
			}
		}
		rest := p.all(d)
		d.gone = len(rest) > 0 && !slices.ContainsFunc(rest, func(s site) bool { return d.keeper(s) == nil })
		return nil
	})
}

// takeAll takes out all that a file has of ours.
func (d *draft) takeAll(sites []site, r *Result) error {
	for _, s := range sites {
		if f := d.keeper(s); f != nil {
			r.leaves(s, f)
			continue
		}
		r.Changes = append(r.Changes, "removed "+s.name())
	}
	d.gone = len(d.found) > 0
	return d.reset()
}

// takeOut takes one entry out, unless its owner keeps it.
func (d *draft) takeOut(s site, r *Result) error {
	if f := d.keeper(s); f != nil {
		return d.giveBack(s, f, r)
	}
	r.Changes = append(r.Changes, "removed "+s.name())
	return d.take(s)
}

func (p Place) installHooks(d *draft, r *Result, command string, scope Scope) error {
	for _, e := range p.events() {
		ours := func() []site {
			if d.root == nil {
				return nil
			}
			return slices.DeleteFunc(hookSites(d.src, d.root, p.Bin), func(s site) bool { return s.event != e.name })
		}
		if len(ours()) == 0 {
			r.Changes = append(r.Changes, "added hook "+e.name)
			if err := d.addGroup(e.name, group(e.matcher, p.entry(e, command, scope))); err != nil {
				return err
			}
			continue
		}
		for sites := ours(); len(sites) > 1; sites = ours() {
			r.Changes = append(r.Changes, "removed a second hook "+e.name)
			if err := d.take(sites[len(sites)-1]); err != nil {
				return err
			}
		}
		theirs := d.keeper(ours()[0]) != nil
		want, mend := p.entry(e, command, scope), d.mend
		if want[0].val == "mcp_tool" {
			mend = func(s site, r *Result, _ string, want object) error { return d.mendAsked(s, r, want) }
		}
		if err := mend(ours()[0], r, command, want); err != nil {
			return err
		}
		if !theirs {
			if err := d.mendMatcher(ours()[0], r, e.matcher); err != nil {
				return err
			}
		}
	}
	return nil
}

func (p Place) installServer(d *draft, r *Result, command string, path []string, entry object) error {
	if d.root != nil {
		if sites := serverSites(d.src, d.root, p.Bin, path); len(sites) > 0 {
			return d.mend(sites[0], r, command, entry)
		}
		n := d.root
		for _, key := range path {
			n = n.get(key)
		}
		if other := n.get(server); other != nil {
			program, _ := invocation(d.src, other)
			return otherServer(program)
		}
	}
	r.Changes = append(r.Changes, "added server '"+server+"'")
	return d.put(path, server, entry)
}

// change edits the file of a part, and tries again if somebody else wrote it
// meanwhile, as Claude Code often does.
func (p Place) change(part Part, s Scope, edit func(*draft, *Result) error) (r Result, err error) {
	path, follow, err := p.file(part, s)
	if err != nil {
		return r, err
	}
	for range 5 {
		r = Result{Path: path}
		if err = p.once(&r, follow, part == Hooks && s == Local, edit); !errors.Is(err, errBusy) {
			break
		}
	}
	if err == nil && !p.DryRun {
		p.sweep(&r)
	}
	return r, err
}

func (p Place) once(r *Result, follow, own bool, edit func(*draft, *Result) error) error {
	t, err := open(r.Path, follow)
	if err != nil {
		return err
	}
	d, rec, err := p.draft(t)
	if err == nil {
		if d.root != nil {
			r.Notes = append(r.Notes, predecessors(d.src, d.root)...)
		}
		err = edit(d, r)
	}
	if err == nil && len(r.Changes) > 0 && own && d.chosen != nil { // nil: it is taken out
		err = p.exclude(r, rec)
	}
	if err != nil {
		return fmt.Errorf("%s: %w; nothing was written", r.Path, err)
	}
	if (d.tells(rec) || len(r.Changes) > 0) && !p.DryRun {
		err = p.finish(t, d, rec)
	}
	if err == nil && p.included(d, rec) {
		err = p.include(r)
	}
	return err
}

// tells says whether there is something to record, or nothing any more, although a file
// stays as it is; what was chosen is taken down.
func (d *draft) tells(rec *record) bool {
	chose := d.chosen != nil && rec.Programs != *d.chosen
	if chose {
		rec.Programs = *d.chosen
	}
	return chose || d.gone || d.fresh && len(d.found) > 0
}
