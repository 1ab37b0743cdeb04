// Package plugin decides what is done about what the watcher sees: an [Event] goes to
// the built-in plugins, one after the other, and each answers with [Action]s.
//
// A plugin does nothing itself. What it may ask for is a fixed list; anything else it
// answers is reported and left out. One that panics answers nothing; one that takes too
// long answers nothing either, and is not asked again: the others go on.
package plugin

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

// within is how long a plugin may take: those here take microseconds.
const within = 2 * time.Second

// mostActions is how many a plugin may ask for at an event.
const mostActions = 20

// A Set asks plugins. It is not for use by several goroutines.
type Set struct {
	plugins []Plugin
	within  time.Duration
	report  func(format string, args ...any)
}

// New returns the built-in plugins as they are configured. What goes wrong in one is
// reported.
func New(c Config, report func(format string, args ...any)) *Set {
	var on []Plugin
	for _, p := range builtin() {
		s := c.Plugins[p.Name]
		if s.Priority != nil {
			p.Priority = *s.Priority
		}
		if !s.Disabled {
			on = append(on, p)
		}
	}
	return newSet(on, report)
}

func newSet(list []Plugin, report func(string, ...any)) *Set {
	slices.SortStableFunc(list, func(a, b Plugin) int { return cmp.Compare(a.Priority, b.Priority) })
	return &Set{list, within, report}
}

// Names are the plugins that are asked, in their order.
func (s *Set) Names() (names []string) {
	for _, p := range s.plugins {
		names = append(names, p.Name)
	}
	return names
}

// Handle asks each plugin what is to be done about an event, and returns that in their
// order. It takes 2 s for one that hangs, once.
func (s *Set) Handle(ctx context.Context, e Event) (all []Action) {
	s.plugins = slices.DeleteFunc(s.plugins, func(p Plugin) bool {
		actions, err := s.ask(ctx, p, e)
		if err != nil {
			s.report("plugin %s: %s: %v", p.Name, e.Kind, err)
		}
		for _, a := range actions {
			if !slices.Contains(allowed, a.Do) {
				s.report("plugin %s: %s: '%s' is not an action; ignored", p.Name, e.Kind, a.Do)
				continue
			}
			all = append(all, a)
		}
		return err == errHangs
	})
	return all
}

var errHangs = errors.New("does not answer; it will not be asked again")

func (s *Set) ask(ctx context.Context, p Plugin, e Event) ([]Action, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.within)
	defer cancel()
	var actions []Action
	done := make(chan error, 1)
	go func() {
		defer func() {
			if r := recover(); r != nil {
				done <- fmt.Errorf("panic: %v", r)
			}
		}()
		actions = p.Answer(ctx, e)
		done <- nil
	}()
	select {
	case err := <-done:
		return actions[:min(len(actions), mostActions)], err
	case <-ctx.Done():
		return nil, errHangs
	}
}
