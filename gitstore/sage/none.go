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

// emptiableFields are the names of the fields that can be said to hold nothing.
func emptiableFields() (names []string) {
	for _, e := range emptiable {
		names = append(names, e.name)
	}
	return names
}

// fieldAt is where a field lies that can be said to hold nothing; nil is no such field.
func (c *Checkpoint) fieldAt(name string) any {
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
		switch p := c.fieldAt(name).(type) {
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
		if older.SaysNone(name) && !c.holds(name) && c.fieldAt(name) != nil {
			c.SayNone(name)
		}
	}
	c.SettleNone()
}

// holds reports whether a field that can be said to hold nothing holds something.
func (c *Checkpoint) holds(name string) bool {
	switch p := c.fieldAt(name).(type) {
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
func (c *Checkpoint) SettleNone() { c.SaidNone = c.none() }

func (c *Checkpoint) none() []string {
	out := slices.DeleteFunc(slices.Compact(slices.Sorted(slices.Values(c.SaidNone))), c.holds)
	if len(out) == 0 {
		return nil
	}
	return out
}

// isNone reports whether somebody wrote that there is nothing: a list without items, or
// the word.
func isNone(n *node) bool {
	switch n.kind {
	case listNode:
		return len(n.vals) == 0 || len(n.vals) == 1 && n.vals[0].kind == scalarNode && IsNone(n.vals[0].text)
	case mapNode:
		return len(n.keys) == 0
	}
	return IsNone(n.text)
}

// IsNone reports whether a text is the word by which somebody says that a field holds
// nothing.
func IsNone(s string) bool { return strings.EqualFold(strings.TrimSpace(s), "none") }

// takeNone takes the fields that are said to hold nothing out of what somebody wrote, and
// names them. The tool before us wrote empty lists for what nobody had said.
func takeNone(n *node, r *reader) (names []string) {
	if n.kind != mapNode || !r.input {
		return nil
	}
	var c Checkpoint
	for _, name := range emptiableFields() {
		v := n.get(name)
		if _, text := c.fieldAt(name).(*string); v == nil || text || !isNone(v) {
			continue
		}
		n.remove(name)
		names = append(names, name)
	}
	if a := n.get("action"); a != nil && a.kind == mapNode {
		if v := a.get("stakeholders"); v != nil && isNone(v) {
			a.remove("stakeholders")
			names = append(names, "action_stakeholders")
		}
	}
	return names
}

// takeNoneWords does the same with lists that hold the word alone.
func (c *Checkpoint) takeNoneWords() {
	for _, e := range emptiable {
		if p, ok := e.at(c).(*[]string); ok && len(*p) == 1 && IsNone((*p)[0]) {
			c.SayNone(e.name)
		}
	}
}

// sayNoneOf says so of those that hold nothing: the body of a text may hold what its front
// matter does not.
func (c *Checkpoint) sayNoneOf(names []string) {
	for _, name := range names {
		if !c.holds(name) {
			c.SayNone(name)
		}
	}
}
