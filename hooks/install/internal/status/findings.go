package status

import (
	"fmt"

	"github.com/git-sage/git-sage/hooks/install/internal/entry"
	"github.com/git-sage/git-sage/hooks/install/internal/place"
	"github.com/git-sage/git-sage/hooks/install/internal/predecessor"
	"github.com/git-sage/git-sage/internal/plainfile"
)

// A Finding is something in Claude Code's configuration that keeps the memory from its
// sessions, or brings it to them twice.
type Finding struct {
	Detail string
	Cure   string // what to type, or to do
}

// Findings looks at Claude Code's files for what [Viewer.Status] does not tell: entries of
// the tool before us, hooks or the server switched off, a project that is not trusted,
// and entries that make two of one. What cannot be read finds nothing; Status tells that.
func (p Viewer) Findings() (list []Finding) {
	if p.Client.Kind() != nil {
		return nil
	}
	for _, s := range p.Scopes() {
		list = append(list, p.leftovers(s)...)
	}
	for _, path := range p.Unfinished() {
		list = append(list, Finding{path + " was left by a killed install", plainfile.Removal(path)})
	}
	if p.Has(place.Hooks) || p.Has(place.MCP) || p.HasPlugin() {
		list = append(list, p.switchedOff()...)
		list = append(list, p.managed()...)
		list = append(list, p.untrusted()...)
	}
	return append(list, p.twice()...)
}

// removePredecessor takes the entries of that tool out.
const removePredecessor = "git sage import claude-sage --remove-hooks"

// leftovers are entries of the tool that git-sage succeeds.
func (p Viewer) leftovers(s place.Scope) (list []Finding) {
	if d := p.Look(place.Hooks, s); d != nil {
		path := p.PathOf(place.Hooks, s)
		for _, c := range predecessor.Hooks(d.Src, d.Root) {
			list = append(list, Finding{"a hook of claude-sage is still in " + path + ": " + entry.Shown(c), removePredecessor})
		}
	}
	d := p.Look(place.MCP, s)
	if d == nil {
		return list
	}
	n := d.Root
	for _, key := range p.Servers(s) {
		n = n.Get(key)
	}
	for i := 0; n != nil && i < len(n.Items); i++ {
		for _, c := range predecessor.Commands(d.Src, n.Items[i].Value) {
			if predecessor.IsServer(c) {
				list = append(list, Finding{"a server of claude-sage is still in " + p.PathOf(place.MCP, s) + ": " + entry.Shown(c), removePredecessor})
			}
		}
	}
	return list
}

// twice finds entries that make two of one. Claude Code runs hooks of all scopes, and once
// only those that are the same to the letter; of servers with one name it starts one, and
// the plugin's has a name of its own.
func (p Viewer) twice() (list []Finding) {
	first, same := map[string]string{}, map[string]string{} // of an event: the file, and what it calls
	for s, d := range p.hookFiles() {
		for _, at := range entry.HookSites(d.Src, d.Root, p.Bin) {
			call := at.Program(d.Src)
			if entry.IsAsked(d.Src, at.Value) {
				call = "the server"
			}
			path := p.PathOf(place.Hooks, s)
			if was := first[at.Event]; was == "" {
				first[at.Event], same[at.Event] = path, call
			} else if was != path && same[at.Event] != call && len(list) == 0 {
				list = append(list, Finding{
					fmt.Sprintf("hooks are called twice: %s in %s, and %s in %s", entry.Shown(same[at.Event]), was, entry.Shown(call), path),
					"git sage hooks uninstall --scope " + string(s),
				})
			}
		}
	}
	if p.HasPlugin() && p.HasProjectServer() && !p.Served() {
		list = append(list, Finding{p.PathOf(place.MCP, place.Project) + " and the plugin " + PluginID + " both have the server: every tool is shown twice", "git sage mcp install --scope local"})
	}
	return list
}
