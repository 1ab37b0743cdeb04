package gitstore_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

// What the author of a merge gives stands over what came out of it: single values
// take the place, lists grow by what is new, and what is the same thing (a source of
// one id, a tension of one nature) is replaced, so that a merge can settle it.
func TestMergeTakesWhatIsGiven(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	s := open(t, w, "r")
	ground := sage.Checkpoint{Thesis: "LRU", CoreQuestion: "which cache?", KeyEvidence: []string{"e1"}, Skill: "go",
		Sources:  []sage.Source{{ID: "s1", Take: "LRU is fine"}},
		Tensions: []sage.Tension{{Between: []string{"s1", "s2"}, Nature: "size", Resolution: "unresolved"}},
	}
	keep := func(line string, c sage.Checkpoint) {
		t.Helper()
		if _, err := s.Checkpoints.Save(ctx, gitstore.Draft{Checkpoint: c, Line: line}); err != nil {
			t.Fatal(err)
		}
	}
	keep("main", ground)
	if _, err := s.Lines.Branch(ctx, "idea", "main"); err != nil {
		t.Fatal(err)
	}
	there := ground
	there.KeyEvidence = []string{"e1", "e2"}
	keep("idea", there)
	here := ground
	here.KeyEvidence = []string{"e1", "e3"}
	keep("main", here)
	half := 0.5
	given := sage.Checkpoint{
		CoreQuestion: "which cache, really?", ReasoningTrace: "both were measured", Description: "Caches, settled", Skill: "rust", Project: "kv", Domain: "technical",
		KeyEvidence: []string{"e1", "e4"}, OpenQuestions: []string{"why?"}, FilesExplored: []string{"cache.go"}, FilesChanged: []string{"lru.go"},
		KnowledgeRecalled: []string{"k1"}, UniqueContributions: []sage.Contribution{{Type: "experiment", Content: "ran it"}}, CodeRefs: []sage.CodeRef{{File: "cache.go", Lines: [2]int{1, 2}}},
		Action:       sage.Action{Goal: "ship", Type: "decision", Deadline: "2026-02-01", Stakeholders: []string{"ann"}},
		Sources:      []sage.Source{{ID: "s1", Take: "LRU was fine"}, {Take: "nobody's"}, {Take: "nobody's"}},
		Tensions:     []sage.Tension{{Between: []string{"s1", "s2"}, Nature: "size", Resolution: "resolved"}, {Nature: "speed"}},
		MessageCount: 7, TokenEstimate: 900, Agent: "tester",
	}
	m, err := s.Checkpoints.Merge(ctx, gitstore.MergeRequest{Rev: "idea", Thesis: "ARC", Confidence: &half, Draft: gitstore.Draft{Checkpoint: given}})
	if err != nil || m.Unsettled {
		t.Fatalf("%+v %v", m, err)
	}
	got, err := s.Commits.Load(ctx, m.ID)
	if err != nil {
		t.Fatal(err)
	}
	want := given
	want.Thesis, want.Confidence, want.Trigger = "ARC", &half, sage.Synthesis
	want.KeyEvidence = []string{"e1", "e2", "e3", "e4"}
	pick := func(c *sage.Checkpoint) sage.Checkpoint {
		return sage.Checkpoint{Thesis: c.Thesis, Confidence: c.Confidence, Trigger: c.Trigger, CoreQuestion: c.CoreQuestion, ReasoningTrace: c.ReasoningTrace,
			Description: c.Description, Skill: c.Skill, Project: c.Project, Domain: c.Domain, OpenQuestions: c.OpenQuestions, FilesExplored: c.FilesExplored,
			FilesChanged: c.FilesChanged, KnowledgeRecalled: c.KnowledgeRecalled, UniqueContributions: c.UniqueContributions, CodeRefs: c.CodeRefs,
			Action: c.Action, Sources: c.Sources, Tensions: c.Tensions, MessageCount: c.MessageCount, TokenEstimate: c.TokenEstimate, Agent: c.Agent}
	}
	if d := cmp.Diff(pick(&want), pick(got)); d != "" {
		t.Errorf("(-want +got): %s", d)
	}
	have := map[string]bool{}
	for _, e := range got.KeyEvidence {
		have[e] = true
	}
	if len(got.KeyEvidence) != 4 || len(have) != 4 {
		t.Errorf("evidence: %q, want %q in any order", got.KeyEvidence, want.KeyEvidence)
	}
}
