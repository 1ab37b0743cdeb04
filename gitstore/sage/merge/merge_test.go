package merge

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sagetest"
)

func TestMerge(t *testing.T) {
	for _, tt := range []struct {
		name             string
		base, a, b, want *sage.Checkpoint
	}{{
		name: "a list takes what both added and drops what either removed",
		base: &sage.Checkpoint{KeyEvidence: []string{"one", "two", "three"}},
		a:    &sage.Checkpoint{KeyEvidence: []string{"one", "two", "zebra"}},
		b:    &sage.Checkpoint{KeyEvidence: []string{"two", "three", "ant", "two"}},
		want: &sage.Checkpoint{KeyEvidence: []string{"two", "ant", "zebra"}},
	}, {
		name: "a list that one side changed keeps its order",
		base: &sage.Checkpoint{OpenQuestions: []string{"b", "a"}},
		a:    &sage.Checkpoint{OpenQuestions: []string{"b", "a"}},
		b:    &sage.Checkpoint{OpenQuestions: []string{"z", "a", "c"}},
		want: &sage.Checkpoint{OpenQuestions: []string{"z", "a", "c"}},
	}, {
		name: "a source is merged field by field",
		base: &sage.Checkpoint{Sources: []sage.Source{{ID: "s1", Identifier: "RFC", Take: "old", Relation: "context"}}},
		a:    &sage.Checkpoint{Sources: []sage.Source{{ID: "s1", Identifier: "RFC", Take: "new", Relation: "context"}}},
		b:    &sage.Checkpoint{Sources: []sage.Source{{ID: "s1", Identifier: "RFC", Take: "old", Relation: "contradicts"}}},
		want: &sage.Checkpoint{Sources: []sage.Source{{ID: "s1", Identifier: "RFC", Take: "new", Relation: "contradicts"}}},
	}, {
		name: "an edit beats a removal",
		base: &sage.Checkpoint{Sources: []sage.Source{{ID: "s1", Take: "old"}, {ID: "s2"}}},
		a:    &sage.Checkpoint{},
		b:    &sage.Checkpoint{Sources: []sage.Source{{ID: "s1", Take: "new"}, {ID: "s2"}}},
		want: &sage.Checkpoint{Sources: []sage.Source{{ID: "s1", Take: "new"}}},
	}, {
		name: "two sources of one id are two",
		a:    &sage.Checkpoint{Sources: []sage.Source{{ID: "s1", Identifier: "Stripe"}}},
		b:    &sage.Checkpoint{Sources: []sage.Source{{ID: "s1", Identifier: "Square"}}},
		want: &sage.Checkpoint{Sources: []sage.Source{{ID: "s1", Identifier: "Square"}, {ID: "s1", Identifier: "Stripe"}}},
	}, {
		name: "a tension is the same whoever is named first, and warns",
		a:    &sage.Checkpoint{Tensions: []sage.Tension{{Between: []string{"s1", "s2"}, Nature: "price", Resolution: "resolved"}}},
		b:    &sage.Checkpoint{Tensions: []sage.Tension{{Between: []string{"s2", "s1"}, Nature: "price", Resolution: "unresolved"}}},
		want: &sage.Checkpoint{Tensions: []sage.Tension{{Between: []string{"s1", "s2"}, Nature: "price", Resolution: "unresolved"}}},
	}, {
		name: "a thesis that one side changed stands, with its confidence",
		base: &sage.Checkpoint{ID: "x", Thesis: "old", Confidence: sagetest.Ptr(.5)},
		a:    &sage.Checkpoint{ID: "a", Thesis: "new", Confidence: sagetest.Ptr(.9)},
		b:    &sage.Checkpoint{ID: "b", Thesis: "old", Confidence: sagetest.Ptr(.1)},
		want: &sage.Checkpoint{Thesis: "new", Confidence: sagetest.Ptr(.9)},
	}, {
		name: "the same thesis is as sure as the side that is less so",
		a:    &sage.Checkpoint{ID: "a", Thesis: "new", Confidence: sagetest.Ptr(.9)},
		b:    &sage.Checkpoint{ID: "b", Thesis: "new", Confidence: sagetest.Ptr(.6)},
		want: &sage.Checkpoint{Thesis: "new", Confidence: sagetest.Ptr(.6)},
	}, {
		name: "theses that disagree need synthesis",
		base: &sage.Checkpoint{ID: "x", Thesis: "old", Confidence: sagetest.Ptr(.5)},
		a:    &sage.Checkpoint{ID: "b2", Thesis: "Stripe", Confidence: sagetest.Ptr(.9)},
		b:    &sage.Checkpoint{ID: "a1", Thesis: "Square", Confidence: sagetest.Ptr(.8)},
		want: &sage.Checkpoint{Thesis: sage.NeedsSynthesis, ComponentTheses: []sage.ComponentThesis{{From: "a1", Thesis: "Square"}, {From: "b2", Thesis: "Stripe"}}},
	}, {
		name: "a disagreement takes in a third thesis, and one that it has",
		a:    &sage.Checkpoint{ID: "m", Thesis: sage.NeedsSynthesis, ComponentTheses: []sage.ComponentThesis{{From: "c", Thesis: "Stripe"}, {From: "d", Thesis: "Square"}}},
		b:    &sage.Checkpoint{ID: "b", Thesis: sage.NeedsSynthesis, ComponentTheses: []sage.ComponentThesis{{From: "b", Thesis: "Stripe"}, {From: "e", Thesis: "Adyen"}}},
		want: &sage.Checkpoint{Thesis: sage.NeedsSynthesis, ComponentTheses: []sage.ComponentThesis{{From: "b", Thesis: "Stripe"}, {From: "d", Thesis: "Square"}, {From: "e", Thesis: "Adyen"}}},
	}, {
		name: "a side that settles a disagreement settles it",
		base: &sage.Checkpoint{ID: "x", Thesis: sage.NeedsSynthesis, ComponentTheses: []sage.ComponentThesis{{From: "c", Thesis: "Stripe"}, {From: "d", Thesis: "Square"}}},
		a:    &sage.Checkpoint{ID: "a", Thesis: sage.NeedsSynthesis, ComponentTheses: []sage.ComponentThesis{{From: "c", Thesis: "Stripe"}, {From: "d", Thesis: "Square"}}},
		b:    &sage.Checkpoint{ID: "b", Thesis: "Stripe", Confidence: sagetest.Ptr(.7)},
		want: &sage.Checkpoint{Thesis: "Stripe", Confidence: sagetest.Ptr(.7)},
	}, {
		name: "sides that settle it differently disagree again",
		base: &sage.Checkpoint{ID: "x", Thesis: sage.NeedsSynthesis, ComponentTheses: []sage.ComponentThesis{{From: "c", Thesis: "Stripe"}, {From: "d", Thesis: "Square"}}},
		a:    &sage.Checkpoint{ID: "a", Thesis: "Square"},
		b:    &sage.Checkpoint{ID: "b", Thesis: "Stripe"},
		want: &sage.Checkpoint{Thesis: sage.NeedsSynthesis, ComponentTheses: []sage.ComponentThesis{{From: "a", Thesis: "Square"}, {From: "b", Thesis: "Stripe"}}},
	}, {
		name: "texts are joined",
		base: &sage.Checkpoint{CoreQuestion: "old", ReasoningTrace: "old", Action: sage.Action{Goal: "ship"}},
		a:    &sage.Checkpoint{CoreQuestion: "TCP / IP?", ReasoningTrace: "b\n\nc", Action: sage.Action{Goal: "ship"}},
		b:    &sage.Checkpoint{CoreQuestion: "QUIC?", ReasoningTrace: "a", Action: sage.Action{Goal: "stop"}},
		want: &sage.Checkpoint{CoreQuestion: "QUIC? // TCP / IP?", ReasoningTrace: "a\n\n* * *\n\nb\n\nc", Action: sage.Action{Goal: "stop"}},
	}, {
		name: "a domain that says something beats the general one",
		a:    &sage.Checkpoint{Domain: "general", Skill: "b", Project: "p"},
		b:    &sage.Checkpoint{Domain: "technical", Skill: "a"},
		want: &sage.Checkpoint{Domain: "technical", Skill: "a", Project: "p"},
	}, {
		name: "maps are merged by key, and what disagrees is kept",
		base: &sage.Checkpoint{DomainData: map[string]any{"n": int64(1), "gone": "x", "list": []any{"a", "b"}}},
		a:    &sage.Checkpoint{DomainData: map[string]any{"n": int64(3), "gone": "x", "list": []any{"b", "z"}, "s": "p", "deep": map[string]any{"k": true}}},
		b:    &sage.Checkpoint{DomainData: map[string]any{"n": int64(2), "list": []any{"a", "b", "c"}, "s": "o", "deep": map[string]any{"l": nil}}},
		want: &sage.Checkpoint{DomainData: map[string]any{
			"n":    map[string]any{"variants": []any{int64(2), int64(3)}},
			"list": []any{"b", "c", "z"}, "s": "o // p", "deep": map[string]any{"k": true, "l": nil},
		}},
	}, {
		name: "values of different kinds are variants",
		a:    &sage.Checkpoint{Fields: map[string]any{"f": "text"}, Extra: []sage.Entry{{Key: "z", Value: int64(1)}, {Key: "y", Value: 1.5}}},
		b:    &sage.Checkpoint{Fields: map[string]any{"f": []any{int64(1), int64(1)}}, Extra: []sage.Entry{{Key: "y", Value: 1.5}, {Key: "x", Value: true}}},
		want: &sage.Checkpoint{
			Fields: map[string]any{"f": map[string]any{"variants": []any{"text", []any{int64(1), int64(1)}}}},
			Extra:  []sage.Entry{{Key: "x", Value: true}, {Key: "y", Value: 1.5}, {Key: "z", Value: int64(1)}},
		},
	}, {
		name: "how it came about is not merged",
		a:    &sage.Checkpoint{ID: "a", Description: "d", Trigger: sage.Manual, MessageCount: 3, Session: "s", Aliases: []string{"cp_1"}, MergeSources: []string{"q"}, FilesChanged: []string{"a.go"}},
		b:    &sage.Checkpoint{ID: "b", Agent: "claude-code", Parents: []string{"p"}, FilesChanged: []string{"b.go"}},
		want: &sage.Checkpoint{FilesChanged: []string{"a.go", "b.go"}},
	}} {
		t.Run(tt.name, func(t *testing.T) {
			a, b := tt.a.Clone(), tt.b.Clone()
			if diff := cmp.Diff(tt.want, Checkpoints(tt.base, tt.a, tt.b)); diff != "" {
				t.Errorf("a and b (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.want, Checkpoints(tt.base, tt.b, tt.a)); diff != "" {
				t.Errorf("b and a (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff([]*sage.Checkpoint{a, b}, []*sage.Checkpoint{tt.a, tt.b}); diff != "" {
				t.Errorf("merging changed a side:\n%s", diff)
			}
		})
	}
}

// What broke a law once, each with three sides over a base.
func TestMergeInAnyOrder(t *testing.T) {
	evidence := func(list ...string) *sage.Checkpoint { return &sage.Checkpoint{KeyEvidence: list} }
	question := func(s string) *sage.Checkpoint { return &sage.Checkpoint{CoreQuestion: s} }
	extra := func(list ...sage.Entry) *sage.Checkpoint { return &sage.Checkpoint{Extra: list} }
	twice := map[string]any{variants: []any{nil, nil}}
	for _, tt := range []struct {
		name  string
		sides [4]*sage.Checkpoint
	}{
		{"orders of the base", [4]*sage.Checkpoint{evidence("1", "2", "3"), evidence("2", "1", "3"), evidence("3", "1", "2"), evidence("1", "2", "3")}},
		{"orders of a text", [4]*sage.Checkpoint{question("1 // 2 // 3"), question("2 // 1 // 3"), question("3 // 1 // 2"), question("1 // 3 // 2")}},
		{"parts that end like a separator", [4]*sage.Checkpoint{question(""), question("x //"), question("// y"), question("x // // y")}},
		{"one key, two values", [4]*sage.Checkpoint{extra(sage.Entry{Key: "y", Value: nil}, sage.Entry{Key: "y", Value: true}), extra(sage.Entry{Key: "y", Value: true}), extra(sage.Entry{Key: "y", Value: nil}), extra()}},
		{"variants that no merge wrote", [4]*sage.Checkpoint{
			extra(sage.Entry{Key: "x", Value: twice}, sage.Entry{Key: "y", Value: true}, sage.Entry{Key: "z", Value: true}), extra(sage.Entry{Key: "z", Value: true}, sage.Entry{Key: "y", Value: true}, sage.Entry{Key: "x", Value: twice}),
			extra(sage.Entry{Key: "x", Value: twice}, sage.Entry{Key: "y", Value: true}, sage.Entry{Key: "z", Value: true}), extra(sage.Entry{Key: "y", Value: true}, sage.Entry{Key: "x", Value: twice}, sage.Entry{Key: "z", Value: true}),
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			x, a, b, c := tt.sides[0], tt.sides[1], tt.sides[2], tt.sides[3]
			want := Checkpoints(x, Checkpoints(x, a, b), c)
			for i, got := range []*sage.Checkpoint{Checkpoints(x, a, Checkpoints(x, b, c)), Checkpoints(x, b, Checkpoints(x, c, a)), Checkpoints(x, c, Checkpoints(x, b, a))} {
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("order %d (-want +got):\n%s", i, diff)
				}
			}
		})
	}
}

func TestSettle(t *testing.T) {
	c := Checkpoints(nil, &sage.Checkpoint{ID: "a", Thesis: "Stripe"}, &sage.Checkpoint{ID: "b", Thesis: "Square"})
	Settle(c, "Both, by region", sagetest.Ptr(.6))
	want := &sage.Checkpoint{Thesis: "Both, by region", Confidence: sagetest.Ptr(.6)}
	if diff := cmp.Diff(want, c); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
