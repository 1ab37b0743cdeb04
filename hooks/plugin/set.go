package plugin

import (
	"cmp"
	"context"
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
		if s.Disabled {
			continue
		}
		if s.Priority != nil {
			p.Priority = *s.Priority
		}
		on = append(on, p)
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
			if !a.allowed() {
				s.report("plugin %s: %s: '%s' is not an action; ignored", p.Name, e.Kind, a.Do)
				continue
			}
			all = append(all, a)
		}
		return err == errHangs
	})
	return all
}

var errHangs = fmt.Errorf("does not answer; it will not be asked again")

func (s *Set) ask(ctx context.Context, p Plugin, e Event) ([]Action, error) {
	ctx, cancel := context.WithTimeout(ctx, s.within)
	defer cancel()
	type answer struct {
		actions []Action
		err     error
	}
	done := make(chan answer, 1)
	go func() {
		var a answer
		defer func() {
			if r := recover(); r != nil {
				a = answer{err: fmt.Errorf("panic: %v", r)}
			}
			done <- a
		}()
		a.actions = p.Answer(ctx, e)
	}()
	timer := time.NewTimer(s.within)
	defer timer.Stop()
	select {
	case a := <-done:
		return a.actions[:min(len(a.actions), mostActions)], a.err
	case <-timer.C:
		return nil, errHangs
	}
}
