package install

import (
	"slices"
	"strings"
)

// PluginID is the plugin of this repository, as Claude Code's settings name it once it
// is installed: plugin and marketplace.
const PluginID = "sage@git-sage"

// HasPlugin says whether the plugin is switched on. Of the user's settings, the
// project's and the user's own there, the last that say something count.
func (p Place) HasPlugin() (on bool) {
	for _, s := range p.scopes() {
		d := p.look(Hooks, s)
		if d == nil {
			continue
		}
		if n := d.root.get("enabledPlugins").get(PluginID); n != nil {
			on = string(d.src[n.from:n.to]) == "true"
		}
	}
	return on
}

// Hooked says whether an entry in settings, apart from the plugin, answers an event,
// with a program that is there and whenever the plugin's would. The plugin's own then
// keeps silent: of two entries Claude Code calls both.
func (p Place) Hooked(arg string) bool {
	for _, s := range p.scopes() {
		d := p.look(Hooks, s)
		if d == nil {
			continue
		}
		for _, at := range hookSites(d.src, d.root, p.Bin) {
			if at.answers(d.src, arg) && (isAsked(d.src, at.val) || canRun(at.program(d.src))) {
				return true
			}
		}
	}
	return false
}

// Served says whether Claude Code starts the server for this person, apart from the
// plugin, with a program that is there. A project's server does not count: it waits
// for somebody's consent.
func (p Place) Served() bool {
	return p.serves(User, canRun) || p.serves(Local, canRun)
}

// answers says whether a hook of ours is called for all that an event is called for.
func (s site) answers(src []byte, arg string) bool {
	args := s.val.get("args").texts(src)
	if isAsked(src, s.val) {
		args = []string{"hook", s.val.get("input").get("event").text(src)}
	}
	if len(args) == 0 {
		_, rest, _ := strings.Cut(s.val.get("command").text(src), " hook ")
		args = append([]string{"hook"}, strings.Fields(rest)...)
	}
	group := s.on[3] // root, hooks, event, group
	matcher := group.get("matcher").text(src)
	i := slices.IndexFunc(events, func(e event) bool { return e.arg == arg })
	return i >= 0 && len(args) > 1 && args[1] == arg && covers(matcher, events[i].matcher)
}

// covers reports whether a matcher is for all that another one is for.
func covers(matcher, other string) bool {
	all := strings.Split(matcher, "|")
	return matcher == "" || matcher == "*" || other != "" && !slices.ContainsFunc(strings.Split(other, "|"), func(s string) bool { return !slices.Contains(all, s) })
}
