package sage

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// full is a checkpoint in which each field that can be said to hold nothing holds something.
func full() *Checkpoint {
	return &Checkpoint{
		Thesis: "t", CoreQuestion: "q?", KeyEvidence: []string{"e"}, OpenQuestions: []string{"o?"}, ReasoningTrace: "r",
		Sources: []Source{{ID: "s"}}, Tensions: []Tension{{Nature: "n"}}, UniqueContributions: []Contribution{{Content: "c"}},
		CodeRefs: []CodeRef{{File: "a.go"}}, FilesExplored: []string{"a.go"}, FilesChanged: []string{"b.go"},
		DomainData: map[string]any{"k": "v"}, Fields: map[string]any{"f": "v"},
	}
}

// Every field that is said to hold nothing is emptied, says so, and says so no longer as
// soon as it holds something.
func TestSayNone(t *testing.T) {
	for _, e := range emptiable {
		c := full()
		held := c.holds(e.name)
		c.SayNone(e.name, e.name, "no_such_field")
		if c.holds(e.name) || !c.SaysNone(e.name) {
			t.Errorf("%s holds something, or does not say so", e.name)
		}
		if d := cmp.Diff([]string{e.name}, c.SaidNone); d != "" {
			t.Errorf("%s: -want +got\n%s", e.name, d)
		}
		if !held {
			continue
		}
		filled := full()
		filled.SaidNone = []string{e.name}
		if filled.SaysNone(e.name) {
			t.Errorf("%s says it holds nothing, and holds something", e.name)
		}
		if filled.SettleNone(); filled.SaidNone != nil {
			t.Errorf("%s: %q", e.name, filled.SaidNone)
		}
	}
}

// What somebody said is not there stays so in what continues it, unless that brings it back.
func TestTakeOverNone(t *testing.T) {
	older := &Checkpoint{Thesis: "t"}
	older.SayNone("open_questions", "tensions", "sources")
	older.SaidNone = append(older.SaidNone, "a_field_of_later")
	c := &Checkpoint{Thesis: "t", Tensions: []Tension{{Nature: "back"}}}
	c.TakeOverNone(older)
	if d := cmp.Diff([]string{"open_questions", "sources"}, c.SaidNone); d != "" {
		t.Errorf("-want +got\n%s", d)
	}
}
