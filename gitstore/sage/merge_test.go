package sage

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestMerge(t *testing.T) {
	for _, tt := range []struct {
		name             string
		base, a, b, want *Checkpoint
	}{{
		name: "a list takes what both added and drops what either removed",
		base: &Checkpoint{KeyEvidence: []string{"one", "two", "three"}},
		a:    &Checkpoint{KeyEvidence: []string{"one", "two", "zebra"}},
		b:    &Checkpoint{KeyEvidence: []string{"two", "three", "ant", "two"}},
		want: &Checkpoint{KeyEvidence: []string{"two", "ant", "zebra"}},
	}, {
		name: "a list that one side changed keeps its order",
		base: &Checkpoint{OpenQuestions: []string{"b", "a"}},
		a:    &Checkpoint{OpenQuestions: []string{"b", "a"}},
		b:    &Checkpoint{OpenQuestions: []string{"z", "a", "c"}},
		want: &Checkpoint{OpenQuestions: []string{"z", "a", "c"}},
	}, {
		name: "a source is merged field by field",
		base: &Checkpoint{Sources: []Source{{ID: "s1", Identifier: "RFC", Take: "old", Relation: "context"}}},
		a:    &Checkpoint{Sources: []Source{{ID: "s1", Identifier: "RFC", Take: "new", Relation: "context"}}},
		b:    &Checkpoint{Sources: []Source{{ID: "s1", Identifier: "RFC", Take: "old", Relation: "contradicts"}}},
		want: &Checkpoint{Sources: []Source{{ID: "s1", Identifier: "RFC", Take: "new", Relation: "contradicts"}}},
	}, {
		name: "an edit beats a removal",
		base: &Checkpoint{Sources: []Source{{ID: "s1", Take: "old"}, {ID: "s2"}}},
		a:    &Checkpoint{},
		b:    &Checkpoint{Sources: []Source{{ID: "s1", Take: "new"}, {ID: "s2"}}},
		want: &Checkpoint{Sources: []Source{{ID: "s1", Take: "new"}}},
	}, {
		name: "two sources of one id are two",
		a:    &Checkpoint{Sources: []Source{{ID: "s1", Identifier: "Stripe"}}},
		b:    &Checkpoint{Sources: []Source{{ID: "s1", Identifier: "Square"}}},
		want: &Checkpoint{Sources: []Source{{ID: "s1", Identifier: "Square"}, {ID: "s1", Identifier: "Stripe"}}},
	}, {
		name: "a tension is the same whoever is named first, and warns",
		a:    &Checkpoint{Tensions: []Tension{{[]string{"s1", "s2"}, "price", "resolved"}}},
		b:    &Checkpoint{Tensions: []Tension{{[]string{"s2", "s1"}, "price", "unresolved"}}},
		want: &Checkpoint{Tensions: []Tension{{[]string{"s1", "s2"}, "price", "unresolved"}}},
	}, {
		name: "a thesis that one side changed stands, with its confidence",
		base: &Checkpoint{ID: "x", Thesis: "old", Confidence: ptr(.5)},
		a:    &Checkpoint{ID: "a", Thesis: "new", Confidence: ptr(.9)},
		b:    &Checkpoint{ID: "b", Thesis: "old", Confidence: ptr(.1)},
		want: &Checkpoint{Thesis: "new", Confidence: ptr(.9)},
	}, {
		name: "the same thesis is as sure as the side that is less so",
		a:    &Checkpoint{ID: "a", Thesis: "new", Confidence: ptr(.9)},
		b:    &Checkpoint{ID: "b", Thesis: "new", Confidence: ptr(.6)},
		want: &Checkpoint{Thesis: "new", Confidence: ptr(.6)},
	}, {
		name: "theses that disagree need synthesis",
		base: &Checkpoint{ID: "x", Thesis: "old", Confidence: ptr(.5)},
		a:    &Checkpoint{ID: "b2", Thesis: "Stripe", Confidence: ptr(.9)},
		b:    &Checkpoint{ID: "a1", Thesis: "Square", Confidence: ptr(.8)},
		want: &Checkpoint{Thesis: NeedsSynthesis, ComponentTheses: []ComponentThesis{{"a1", "Square"}, {"b2", "Stripe"}}},
	}, {
		name: "a disagreement takes in a third thesis, and one that it has",
		a:    &Checkpoint{ID: "m", Thesis: NeedsSynthesis, ComponentTheses: []ComponentThesis{{"c", "Stripe"}, {"d", "Square"}}},
		b:    &Checkpoint{ID: "b", Thesis: NeedsSynthesis, ComponentTheses: []ComponentThesis{{"b", "Stripe"}, {"e", "Adyen"}}},
		want: &Checkpoint{Thesis: NeedsSynthesis, ComponentTheses: []ComponentThesis{{"b", "Stripe"}, {"d", "Square"}, {"e", "Adyen"}}},
	}, {
		name: "a side that settles a disagreement settles it",
		base: &Checkpoint{ID: "x", Thesis: NeedsSynthesis, ComponentTheses: []ComponentThesis{{"c", "Stripe"}, {"d", "Square"}}},
		a:    &Checkpoint{ID: "a", Thesis: NeedsSynthesis, ComponentTheses: []ComponentThesis{{"c", "Stripe"}, {"d", "Square"}}},
		b:    &Checkpoint{ID: "b", Thesis: "Stripe", Confidence: ptr(.7)},
		want: &Checkpoint{Thesis: "Stripe", Confidence: ptr(.7)},
	}, {
		name: "sides that settle it differently disagree again",
		base: &Checkpoint{ID: "x", Thesis: NeedsSynthesis, ComponentTheses: []ComponentThesis{{"c", "Stripe"}, {"d", "Square"}}},
		a:    &Checkpoint{ID: "a", Thesis: "Square"},
		b:    &Checkpoint{ID: "b", Thesis: "Stripe"},
		want: &Checkpoint{Thesis: NeedsSynthesis, ComponentTheses: []ComponentThesis{{"a", "Square"}, {"b", "Stripe"}}},
	}, {
		name: "texts are joined",
		base: &Checkpoint{CoreQuestion: "old", ReasoningTrace: "old", Action: Action{Goal: "ship"}},
		a:    &Checkpoint{CoreQuestion: "TCP / IP?", ReasoningTrace: "b\n\nc", Action: Action{Goal: "ship"}},
		b:    &Checkpoint{CoreQuestion: "QUIC?", ReasoningTrace: "a", Action: Action{Goal: "stop"}},
		want: &Checkpoint{CoreQuestion: "QUIC? // TCP / IP?", ReasoningTrace: "a\n\n* * *\n\nb\n\nc", Action: Action{Goal: "stop"}},
	}, {
		name: "a domain that says something beats the general one",
		a:    &Checkpoint{Domain: "general", Skill: "b", Project: "p"},
		b:    &Checkpoint{Domain: "technical", Skill: "a"},
		want: &Checkpoint{Domain: "technical", Skill: "a", Project: "p"},
	}, {
		name: "maps are merged by key, and what disagrees is kept",
		base: &Checkpoint{DomainData: map[string]any{"n": int64(1), "gone": "x", "list": []any{"a", "b"}}},
		a:    &Checkpoint{DomainData: map[string]any{"n": int64(3), "gone": "x", "list": []any{"b", "z"}, "s": "p", "deep": map[string]any{"k": true}}},
		b:    &Checkpoint{DomainData: map[string]any{"n": int64(2), "list": []any{"a", "b", "c"}, "s": "o", "deep": map[string]any{"l": nil}}},
		want: &Checkpoint{DomainData: map[string]any{
			"n":    map[string]any{"variants": []any{int64(2), int64(3)}},
			"list": []any{"b", "c", "z"}, "s": "o // p", "deep": map[string]any{"k": true, "l": nil},
		}},
	}, {
		name: "values of different kinds are variants",
		a:    &Checkpoint{Fields: map[string]any{"f": "text"}, Extra: []Entry{{"z", int64(1)}, {"y", 1.5}}},
		b:    &Checkpoint{Fields: map[string]any{"f": []any{int64(1), int64(1)}}, Extra: []Entry{{"y", 1.5}, {"x", true}}},
		want: &Checkpoint{
			Fields: map[string]any{"f": map[string]any{"variants": []any{"text", []any{int64(1), int64(1)}}}},
			Extra:  []Entry{{"x", true}, {"y", 1.5}, {"z", int64(1)}},
		},
	}, {
		name: "how it came about is not merged",
		a:    &Checkpoint{ID: "a", Description: "d", Trigger: Manual, MessageCount: 3, Session: "s", Aliases: []string{"cp_1"}, MergeSources: []string{"q"}, FilesChanged: []string{"a.go"}},
		b:    &Checkpoint{ID: "b", Agent: "claude-code", Parents: []string{"p"}, FilesChanged: []string{"b.go"}},
		want: &Checkpoint{FilesChanged: []string{"a.go", "b.go"}},
	}} {
		t.Run(tt.name, func(t *testing.T) {
			a, b := tt.a.Clone(), tt.b.Clone()
			if diff := cmp.Diff(tt.want, Merge(tt.base, tt.a, tt.b)); diff != "" {
				t.Errorf("a and b (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.want, Merge(tt.base, tt.b, tt.a)); diff != "" {
				t.Errorf("b and a (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff([]*Checkpoint{a, b}, []*Checkpoint{tt.a, tt.b}); diff != "" {
				t.Errorf("merging changed a side:\n%s", diff)
			}
		})
	}
}

// What broke a law once, each with three sides over a base.
func TestMergeInAnyOrder(t *testing.T) {
	evidence := func(list ...string) *Checkpoint { return &Checkpoint{KeyEvidence: list} }
	question := func(s string) *Checkpoint { return &Checkpoint{CoreQuestion: s} }
	extra := func(list ...Entry) *Checkpoint { return &Checkpoint{Extra: list} }
	twice := map[string]any{variants: []any{nil, nil}}
	for _, tt := range []struct {
		name  string
		sides [4]*Checkpoint
	}{
		{"orders of the base", [4]*Checkpoint{evidence("1", "2", "3"), evidence("2", "1", "3"), evidence("3", "1", "2"), evidence("1", "2", "3")}},
		{"orders of a text", [4]*Checkpoint{question("1 // 2 // 3"), question("2 // 1 // 3"), question("3 // 1 // 2"), question("1 // 3 // 2")}},
		{"parts that end like a separator", [4]*Checkpoint{question(""), question("x //"), question("// y"), question("x // // y")}},
		{"one key, two values", [4]*Checkpoint{extra(Entry{"y", nil}, Entry{"y", true}), extra(Entry{"y", true}), extra(Entry{"y", nil}), extra()}},
		{"variants that no merge wrote", [4]*Checkpoint{
			extra(Entry{"x", twice}, Entry{"y", true}, Entry{"z", true}), extra(Entry{"z", true}, Entry{"y", true}, Entry{"x", twice}),
			extra(Entry{"x", twice}, Entry{"y", true}, Entry{"z", true}), extra(Entry{"y", true}, Entry{"x", twice}, Entry{"z", true}),
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			x, a, b, c := tt.sides[0], tt.sides[1], tt.sides[2], tt.sides[3]
			want := Merge(x, Merge(x, a, b), c)
			for i, got := range []*Checkpoint{Merge(x, a, Merge(x, b, c)), Merge(x, b, Merge(x, c, a)), Merge(x, c, Merge(x, b, a))} {
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("order %d (-want +got):\n%s", i, diff)
				}
			}
		})
	}
}

func TestSettle(t *testing.T) {
	c := Merge(nil, &Checkpoint{ID: "a", Thesis: "Stripe"}, &Checkpoint{ID: "b", Thesis: "Square"})
	Settle(c, "Both, by region", ptr(.6))
	want := &Checkpoint{Thesis: "Both, by region", Confidence: ptr(.6)}
	if diff := cmp.Diff(want, c); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// seeds are bytes for properties to draw from: enough for one case each.
func seeds(f *testing.F) {
	for seed := range uint64(8) {
		source := rand.NewChaCha8([32]byte{byte(seed)})
		b := make([]byte, 1<<16)
		if _, err := source.Read(b); err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
}
