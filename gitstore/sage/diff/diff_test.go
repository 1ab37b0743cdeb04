package diff

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sagetest"
)

// privacy and privacyLater are the two checkpoints of a comparison in which
// everything changes.
func privacy() *sage.Checkpoint {
	return &sage.Checkpoint{
		ID:                  "abc12300",
		CoreQuestion:        "May we train on user data?",
		Thesis:              "Unclear if legitimate interest applies",
		Confidence:          sagetest.Ptr(.7),
		KeyEvidence:         []string{"GDPR came into force in 2018", "No ruling yet"},
		ReasoningTrace:      "Read the text.\n\nAsk a lawyer.",
		OpenQuestions:       []string{"Is there a ruling?"},
		Sources:             []sage.Source{{ID: "s1", Identifier: "Blog", Take: "all is allowed", Relation: "supports"}, {ID: "s2", Identifier: "GDPR", Take: "consent", Relation: "context"}},
		Tensions:            []sage.Tension{{Between: []string{"s1", "s2"}, Nature: "is consent needed", Resolution: "unresolved"}, {Between: []string{"s2"}, Nature: "old wording", Resolution: "unresolved"}, {Between: nil, Nature: "reopened", Resolution: "resolved"}},
		UniqueContributions: []sage.Contribution{{Type: "discovery", Content: "Nobody asked users"}},
		Action:              sage.Action{Goal: "Write the policy", Type: "output"},
		Domain:              "general",
		DomainData:          map[string]any{"scope": "EU"},
		FilesExplored:       []string{"policy.md"},
		CodeRefs:            []sage.CodeRef{{File: "train.go", Lines: [2]int{3, 9}, Relevance: "context"}, {File: "gone.go"}},
		Extra:               []sage.Entry{{Key: "mood", Value: "grim"}},
	}
}

func privacyLater() *sage.Checkpoint {
	return &sage.Checkpoint{
		ID:                  "def45600",
		CoreQuestion:        "May we train on user data in the EU?",
		Thesis:              "Legitimate interest is likely insufficient\nper recent ECJ ruling",
		Confidence:          sagetest.Ptr(.85),
		KeyEvidence:         []string{"GDPR came into force in 2018", "ECJ C-252/21"},
		ReasoningTrace:      "Read the text.\n\nRead the ruling.",
		OpenQuestions:       []string{"What of old data?"},
		Sources:             []sage.Source{{ID: "s2", Identifier: "GDPR", Take: "explicit consent", Relation: "supports"}, {ID: "s3", Identifier: "ECJ Case C-252/21", Take: "ruling on AI and consent"}},
		Tensions:            []sage.Tension{{Between: []string{"s2", "s1"}, Nature: "is consent needed", Resolution: "resolved"}, {Between: []string{"s3"}, Nature: "does it bind the US", Resolution: "unresolved"}, {Between: nil, Nature: "reopened", Resolution: "unresolved"}},
		UniqueContributions: []sage.Contribution{{Type: "synthesis", Content: "GDPR Article 6 requires explicit consent for AI training"}},
		Action:              sage.Action{Goal: "Write the policy", Type: "decision"},
		Domain:              "literature",
		DomainData:          map[string]any{"scope": []any{"EU", "UK"}, "score": math.NaN()},
		FilesExplored:       []string{"consent.md"},
		FilesChanged:        []string{"policy.md"},
		CodeRefs:            []sage.CodeRef{{File: "train.go", Lines: [2]int{3, 9}, Relevance: "stale"}, {File: "consent.go", Lines: [2]int{1, 1}, Symbol: "Ask"}},
	}
}

func TestDiff(t *testing.T) {
	hostile := &sage.Checkpoint{Thesis: "x\u202ey\x1b[31m\nNew evidence:\n  + z"}
	for _, tt := range []struct {
		name string
		a, b *sage.Checkpoint
	}{
		{"everything", privacy(), privacyLater()},
		{"unsettled", &sage.Checkpoint{Thesis: "Stripe"}, sagetest.Unsettled()},
		{"confidence", &sage.Checkpoint{Thesis: "t"}, &sage.Checkpoint{Thesis: "t", Confidence: sagetest.Ptr(.5)}},
		{"hostile", nil, hostile},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := Checkpoints(tt.a, tt.b)
			sagetest.Golden(t, "diff/"+tt.name+".txt", d.Text(false))
			b, err := json.MarshalIndent(d, "", "  ")
			if err != nil {
				t.Fatal(err)
			}
			sagetest.Golden(t, "diff/"+tt.name+".json", string(b)+"\n")
		})
	}
}

func TestDiffInColour(t *testing.T) {
	got := Checkpoints(&sage.Checkpoint{KeyEvidence: []string{"a"}, Thesis: "t"}, &sage.Checkpoint{KeyEvidence: []string{"b"}, Thesis: "u"}).Text(true)
	for _, want := range []string{"\x1b[32m  + b\x1b[m\n", "\x1b[31m  - a\x1b[m\n", "\x1b[33m  ~ Now: u\x1b[m\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in %q", want, got)
		}
	}
}

// Of lists a diff tells what went and what came, and not both lists.
func TestDiffOfFields(t *testing.T) {
	was := &sage.Checkpoint{DomainData: map[string]any{
		"ruled_out": []any{"clock skew"}, "options": []any{map[string]any{"name": "ARC", "cost": "a ghost list"}, "LRU"},
		"order": []any{"a", "b"}, "stage": "draft",
	}}
	now := &sage.Checkpoint{DomainData: map[string]any{
		"ruled_out": []any{"clock skew", "a cache\nin front"}, "options": []any{"LRU"},
		"order": []any{"b", "a"}, "stage": "final", "asked": []any{"Dana"},
	}}
	text := Checkpoints(was, now).Text(false)
	for _, want := range []string{
		"  ~ domain_data.ruled_out:\n    + a cache in front\n", "  ~ domain_data.options:\n    - name: ARC; cost: a ghost list\n",
		"  ~ domain_data.order: in another order\n", "  ~ domain_data.stage: draft -> final\n", "  ~ domain_data.asked:\n    + Dana\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

func TestDiffMatchesSources(t *testing.T) {
	a := []sage.Source{{ID: "s1", Identifier: "draft", Take: "x"}, {Identifier: "anonymous"}}
	b := []sage.Source{{Identifier: "anonymous", Take: "y"}, {ID: "s1", Identifier: "final", Take: "x"}}
	d := Checkpoints(&sage.Checkpoint{Sources: a}, &sage.Checkpoint{Sources: b})
	want := Difference{ChangedSources: []Change[sage.Source]{{Previously: a[1], Now: b[0]}, {Previously: a[0], Now: b[1]}}}
	if diff := cmp.Diff(want, d); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestDiffLaws(t *testing.T) { rapid.Check(t, diffLaws) }

// diffLaws: nothing differs from itself in whatever order, a difference has a
// text and a JSON form, and what one way adds the other way drops.
func diffLaws(t *rapid.T) {
	a := sagetest.Thought("a1").Draw(t, "a")
	b := sagetest.Side(t, a, "b2")
	if d := Checkpoints(a, a); !d.Empty() || d.Text(false) != "" {
		t.Fatalf("differs from itself: %s", d.Text(false))
	}
	there, back := Checkpoints(a, b), Checkpoints(b, a)
	if there.Empty() != back.Empty() || there.Empty() != (there.Text(true) == "") {
		t.Fatalf("there:\n%s\nback:\n%s", there.Text(false), back.Text(false))
	}
	if _, err := json.Marshal(there); err != nil {
		t.Fatal(err)
	}
	sides := []struct{ added, dropped int }{
		{len(there.NewEvidence), len(back.DroppedEvidence)}, {len(there.NewSources), len(back.DroppedSources)},
		{len(there.AddedConclusions), len(back.DroppedConclusions)}, {len(there.QuestionsRaised), len(back.QuestionsAnswered)},
		{len(there.NewCodeRefs), len(back.DroppedCodeRefs)}, {len(there.ChangedFields), len(back.ChangedFields)},
	}
	for i, s := range sides {
		if s.added != s.dropped {
			t.Fatalf("%d: adds %d, drops %d on the way back", i, s.added, s.dropped)
		}
	}
}
