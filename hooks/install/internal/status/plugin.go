package status

import (
	"iter"

	"github.com/git-sage/git-sage/hooks/install/internal/draft"
	"github.com/git-sage/git-sage/hooks/install/internal/entry"
	"github.com/git-sage/git-sage/hooks/install/internal/place"
)

// PluginID is the plugin of this repository, as Claude Code's settings name it once it
// is installed: plugin and marketplace.
const PluginID = "sage@git-sage"

// hookFiles are the files with the hooks of each scope that can be read.
func (p Viewer) hookFiles() iter.Seq2[place.Scope, *draft.Draft] {
	return func(yield func(place.Scope, *draft.Draft) bool) {
		for _, s := range p.Scopes() {
			if d := p.Look(place.Hooks, s); d != nil && !yield(s, d) {
				return
			}
		}
	}
}

// HasPlugin says whether the plugin is switched on. Of the user's settings, the
// project's and the user's own there, the last that say something count.
func (p Viewer) HasPlugin() (on bool) {
	for _, d := range p.hookFiles() {
		if n := d.Root.Get("enabledPlugins").Get(PluginID); n != nil {
			on = string(d.Src[n.From:n.To]) == "true"
		}
	}
	return on
}

// Hooked says whether an entry in settings, apart from the plugin, answers an event,
// with a program that is there and whenever the plugin's would. The plugin's own then
// keeps silent: of two entries Claude Code calls both.
func (p Viewer) Hooked(arg string) bool {
	for _, d := range p.hookFiles() {
		for _, at := range entry.HookSites(d.Src, d.Root, p.Bin) {
			if at.Answers(d.Src, arg) && (entry.IsAsked(d.Src, at.Value) || place.CanRun(at.Program(d.Src))) {
				return true
			}
		}
	}
	return false
}

// Served says whether Claude Code starts the server for this person, apart from the
// plugin, with a program that is there. A project's server does not count: it waits
// for somebody's consent.
func (p Viewer) Served() bool {
	return p.Serves(place.User, place.CanRun) || p.Serves(place.Local, place.CanRun)
}
