package codec

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sagetest"
)

func TestDescriptionFits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := &sage.Checkpoint{Thesis: sagetest.Text().Draw(t, "thesis") + rapid.String().Draw(t, "more"), CoreQuestion: rapid.String().Draw(t, "question")}
		s := sage.Describe(c, 1)
		if n := utf8.RuneCountInString(s); n == 0 || n > sage.MaxDescription || strings.ContainsAny(s, "\n\r\x1b") {
			t.Fatalf("%d characters: %q", n, s)
		}
	})
}

// everywhere has s in every text of c, and in place of every word.
func everywhere(s string) *sage.Checkpoint {
	v := func() map[string]any { return map[string]any{s: []any{s, map[string]any{"k": s}}, "k": int64(1)} }
	l := []string{s}
	return &sage.Checkpoint{
		CoreQuestion: s, Thesis: s, KeyEvidence: l, ReasoningTrace: s, OpenQuestions: []string{s},
		Sources: []sage.Source{{ID: s, Type: s, Identifier: s, Credibility: s, Take: s, Relation: s}}, Tensions: []sage.Tension{{Between: []string{s}, Nature: s, Resolution: s}}, UniqueContributions: []sage.Contribution{{Type: s, Content: s}},
		Action: sage.Action{Goal: s, Type: s, Deadline: s, Stakeholders: []string{s}}, Domain: s, DomainData: v(), Fields: v(), Trigger: sage.Trigger(s), Description: s,
		Skill: s, Project: s, Template: s, KnowledgeRecalled: []string{s}, FilesExplored: []string{s}, FilesChanged: []string{s},
		CodeRefs: []sage.CodeRef{{File: s, Lines: [2]int{1, 2}, Blob: s, Symbol: s, Snippet: s, Relevance: s}}, Code: sage.CodeState{Commit: s, Branch: s, Tree: s, PatchID: s, Dirty: true}, Session: s, Agent: s, BranchFrom: s,
		MergeSources: []string{s}, ComponentTheses: []sage.ComponentThesis{{From: s, Thesis: s}}, Aliases: []string{s}, Extra: []sage.Entry{{Key: s, Value: v()}},
	}
}

func TestMapTextReachesEverything(t *testing.T) {
	c := everywhere("s3cr3t!")
	if err := c.MapText(func(s string) (string, error) { return strings.ReplaceAll(s, "s3cr3t!", "gone"), nil }); err != nil {
		t.Fatal(err)
	}
	if b := string(Export(c)); strings.Contains(b, "s3cr3t") {
		t.Errorf("left:\n%s", b)
	}
	if d := cmp.Diff(everywhere("gone"), c); d != "" {
		t.Error(d)
	}
}

func TestMapTextLeavesIDsAndWords(t *testing.T) {
	sha := strings.Repeat("0af9", 10)
	c := &sage.Checkpoint{
		Trigger: sage.Manual, Sources: []sage.Source{{Type: "api", Relation: "supports"}}, Code: sage.CodeState{Commit: sha, Tree: sha, PatchID: sha},
		CodeRefs: []sage.CodeRef{{Blob: sha, Relevance: "stale"}}, Session: "5f0c3a52-8d8e-4f0b-9c53-0d1f3a6b7c21",
		BranchFrom: sha, MergeSources: []string{sha}, ComponentTheses: []sage.ComponentThesis{{From: sha}}, Aliases: []string{sha},
	}
	want := c.Clone()
	if err := c.MapText(func(s string) (string, error) { return "x", nil }); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, c); d != "" {
		t.Error(d)
	}
}

func TestMapTextKeepsValuesOfKeysThatBecomeOne(t *testing.T) {
	c := &sage.Checkpoint{Fields: map[string]any{"a": "1", "b": "2", "c": "3"}}
	err := c.MapText(func(s string) (string, error) {
		return strings.NewReplacer("a", "x", "b", "x", "c", "x").Replace(s), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(map[string]any{"x": "1", "x (2)": "2", "x (3)": "3"}, c.Fields); d != "" {
		t.Error(d)
	}
}

func TestMapTextStopsAtAnError(t *testing.T) {
	bad := errors.New("no")
	c := &sage.Checkpoint{Thesis: "a", Sources: []sage.Source{{}, {Take: "secret"}}}
	err := c.MapText(func(s string) (string, error) {
		if s == "secret" {
			return "", bad
		}
		return s, nil
	})
	if !errors.Is(err, bad) || err.Error() != "sources[1].take: no" {
		t.Errorf("got %v", err)
	}
}

func TestCloneSharesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := sagetest.Checkpoint().Draw(t, "checkpoint")
		before := string(Export(c))
		d := c.Clone()
		if diff := cmp.Diff(c, d, sagetest.SameValue); diff != "" {
			t.Fatal(diff)
		}
		if err := d.MapText(func(s string) (string, error) { return "<" + s, nil }); err != nil {
			t.Fatal(err)
		}
		if d.Confidence != nil {
			*d.Confidence++
		}
		if after := string(Export(c)); after != before {
			t.Fatal(cmp.Diff(before, after))
		}
	})
}
