// Package plugin decides what is done about what the watcher sees: an [Event] goes to
// the built-in plugins, one after the other, and each answers with [Action]s. A plugin does
// nothing itself.
package plugin

import (
	"cmp"
	"slices"
)

// A Set asks plugins, those of a lower priority first.
type Set []plugin

// New returns the built-in plugins as they are configured.
func New(c Config) (s Set) {
	for _, p := range builtin() {
		set := c.Plugins[p.name]
		if set.Priority != nil {
			p.priority = *set.Priority
		}
		if !set.Disabled {
			s = append(s, p)
		}
	}
	slices.SortStableFunc(s, func(a, b plugin) int { return cmp.Compare(a.priority, b.priority) })
	return s
}

// Names returns the plugins that are asked, in their order.
func (s Set) Names() (names []string) {
	for _, p := range s {
		names = append(names, p.name)
	}
	return names
}

// Handle asks each plugin what is to be done about an event, and returns that in their
// order.
func (s Set) Handle(e Event) (all []Action) {
	for _, p := range s {
		all = append(all, p.answer(e)...)
	}
	return all
}
