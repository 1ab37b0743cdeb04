package write

import (
	"maps"
	"slices"

	"github.com/git-sage/git-sage/gitstore/sage"
)

// overlay puts what the author of a merge gave over what came out of it: single
// values replace, lists are added to. The thesis and the confidence are for
// sage.Settle, the trigger for the merge.
func overlay(c, given *sage.Checkpoint) {
	for _, f := range []struct {
		to   *string
		from string
	}{
		{&c.CoreQuestion, given.CoreQuestion}, {&c.ReasoningTrace, given.ReasoningTrace}, {&c.Description, given.Description},
		{&c.Skill, given.Skill}, {&c.Project, given.Project}, {&c.Template, given.Template},
		{&c.Action.Goal, given.Action.Goal}, {&c.Action.Type, given.Action.Type}, {&c.Action.Deadline, given.Action.Deadline},
		{&c.Domain, given.Domain}, {&c.Agent, given.Agent},
	} {
		if f.from != "" {
			*f.to = f.from
		}
	}
	if given.MessageCount > 0 {
		c.MessageCount = given.MessageCount
	}
	if given.TokenEstimate > 0 {
		c.TokenEstimate = given.TokenEstimate
	}
	overlayLists(c, given)
}

func overlayLists(c, given *sage.Checkpoint) {
	c.SayNone(given.SaidNone...)
	add(&c.KeyEvidence, given.KeyEvidence)
	add(&c.OpenQuestions, given.OpenQuestions)
	add(&c.Action.Stakeholders, given.Action.Stakeholders)
	add(&c.KnowledgeRecalled, given.KnowledgeRecalled)
	add(&c.FilesExplored, given.FilesExplored)
	add(&c.FilesChanged, given.FilesChanged)
	add(&c.UniqueContributions, given.UniqueContributions)
	add(&c.CodeRefs, given.CodeRefs)
	replace(&c.Sources, given.Sources, func(a, b sage.Source) bool { return a.ID != "" && a.ID == b.ID })
	replace(&c.Tensions, given.Tensions, func(a, b sage.Tension) bool { // and so a merge can settle one
		return a.Nature == b.Nature && slices.Equal(a.Between, b.Between)
	})
	set(&c.DomainData, given.DomainData)
	set(&c.Fields, given.Fields)
	c.SettleNone()
}

// add appends those of from that are not in to.
func add[T comparable](to *[]T, from []T) {
	for _, v := range from {
		if !slices.Contains(*to, v) {
			*to = append(*to, v)
		}
	}
}

// replace puts each of from in the place of the one that is the same thing, or
// appends it.
func replace[T any](to *[]T, from []T, same func(a, b T) bool) {
	for _, v := range from {
		if i := slices.IndexFunc(*to, func(o T) bool { return same(o, v) }); i >= 0 {
			(*to)[i] = v
		} else {
			*to = append(*to, v)
		}
	}
}

func set(to *map[string]any, from map[string]any) {
	if *to == nil && len(from) > 0 {
		*to = map[string]any{}
	}
	maps.Copy(*to, from)
}
