package sage

import (
	"slices"
	"strings"
)

// A field of a checkpoint that is empty says nothing, and a merge takes what the common
// ancestor has. SaidNone names those that are empty on purpose: these stay empty.

// emptiable are the fields that can be said to hold nothing.
var emptiable = []struct {
	name string
	at   func(*Checkpoint) any
}{
	{"core_question", func(c *Checkpoint) any { return &c.CoreQuestion }},
	{"key_evidence", func(c *Checkpoint) any { return &c.KeyEvidence }},
	{"reasoning_trace", func(c *Checkpoint) any { return &c.ReasoningTrace }},
	{"open_questions", func(c *Checkpoint) any { return &c.OpenQuestions }},
	{"sources", func(c *Checkpoint) any { return &c.Sources }},
	{"tensions", func(c *Checkpoint) any { return &c.Tensions }},
	{"unique_contributions", func(c *Checkpoint) any { return &c.UniqueContributions }},
	{"code_refs", func(c *Checkpoint) any { return &c.CodeRefs }},
	{"files_explored", func(c *Checkpoint) any { return &c.FilesExplored }},
	{"files_changed", func(c *Checkpoint) any { return &c.FilesChanged }},
	{"action_goal", func(c *Checkpoint) any { return &c.Action.Goal }},
	{"action_type", func(c *Checkpoint) any { return &c.Action.Type }},
	{"action_deadline", func(c *Checkpoint) any { return &c.Action.Deadline }},
	{"action_stakeholders", func(c *Checkpoint) any { return &c.Action.Stakeholders }},
	{"domain_data", func(c *Checkpoint) any { return &c.DomainData }},
	{"fields", func(c *Checkpoint) any { return &c.Fields }},
}

// EmptiableFields are the names of the fields that can be said to hold nothing.
func EmptiableFields() (names []string) {
	for _, e := range emptiable {
		names = append(names, e.name)
	}
	return names
}

// FieldAt is where a field lies that can be said to hold nothing; nil is no such field.
func (c *Checkpoint) FieldAt(name string) any {
	for _, e := range emptiable {
		if e.name == name {
			return e.at(c)
		}
	}
	return nil
}

// SayNone empties fields and says that this is on purpose. Names are those of the schema,
// such as open_questions; others are passed over.
func (c *Checkpoint) SayNone(names ...string) {
	for _, name := range names {
		switch p := c.FieldAt(name).(type) {
		case nil:
			continue
		case *string:
			*p = ""
		case *[]string:
			*p = nil
		case *[]Source:
			*p = nil
		case *[]Tension:
			*p = nil
		case *[]Contribution:
			*p = nil
		case *[]CodeRef:
			*p = nil
		case *map[string]any:
			*p = nil
		}
		if !slices.Contains(c.SaidNone, name) {
			c.SaidNone = append(c.SaidNone, name)
		}
	}
}

// SaysNone reports whether a field is empty on purpose.
func (c *Checkpoint) SaysNone(name string) bool {
	return slices.Contains(c.SaidNone, name) && !c.holds(name)
}

// TakeOverNone is for a checkpoint that continues older: of what that says to hold nothing
// and this one does not mention, it says the same.
func (c *Checkpoint) TakeOverNone(older *Checkpoint) {
	for _, name := range older.SaidNone {
		if older.SaysNone(name) && !c.holds(name) && c.FieldAt(name) != nil {
			c.SayNone(name)
		}
	}
	c.SettleNone()
}

// holds reports whether a field that can be said to hold nothing holds something.
func (c *Checkpoint) holds(name string) bool {
	switch p := c.FieldAt(name).(type) {
	case *string:
		return *p != ""
	case *[]string:
		return len(*p) > 0
	case *[]Source:
		return len(*p) > 0
	case *[]Tension:
		return len(*p) > 0
	case *[]Contribution:
		return len(*p) > 0
	case *[]CodeRef:
		return len(*p) > 0
	case *map[string]any:
		return len(*p) > 0
	}
	return false
}

// SettleNone keeps of SaidNone what is so, each name once, sorted. Names that a later version has
// stay.
func (c *Checkpoint) SettleNone() { c.SaidNone = c.None() }

func (c *Checkpoint) None() []string {
	out := slices.DeleteFunc(slices.Compact(slices.Sorted(slices.Values(c.SaidNone))), c.holds)
	if len(out) == 0 {
		return nil
	}
	return out
}

// IsNone reports whether a text is the word by which somebody says that a field holds
// nothing.
func IsNone(s string) bool { return strings.EqualFold(strings.TrimSpace(s), "none") }

// TakeNoneWords does the same with lists that hold the word alone.
func (c *Checkpoint) TakeNoneWords() {
	for _, e := range emptiable {
		if p, ok := e.at(c).(*[]string); ok && len(*p) == 1 && IsNone((*p)[0]) {
			c.SayNone(e.name)
		}
	}
}

// SayNoneOf says so of those that hold nothing: the body of a text may hold what its front
// matter does not.
func (c *Checkpoint) SayNoneOf(names []string) {
	for _, name := range names {
		if !c.holds(name) {
			c.SayNone(name)
		}
	}
}
