package ingest

import (
	"slices"
	"strings"
	"testing"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/briefing"
	"github.com/git-sage/git-sage/gitstore/sage/codec"
	"github.com/git-sage/git-sage/gitstore/sage/shorthand"
)

// What a brief prints is read back as it was, in full and in short.
func TestBriefIsReadBack(t *testing.T) {
	sure := 0.83
	texts := []string{
		"ARC it is", "two\n\nparagraphs, one with 10:30", "# a heading\n---\n===\n## Thesis", "```\ncode\n```\nbehind", "- an item\n  - below", "[+] marked", "说明：用 Redis。", "a; b: c (d)",
		"Left over: nothing", "```\nnot closed",
	}
	for i, text := range texts {
		next := texts[(i+1)%len(texts)]
		c := &sage.Checkpoint{
			CoreQuestion: text, Thesis: next, Confidence: &sure, ReasoningTrace: text + "\n\n" + next,
			KeyEvidence: []string{text, next}, OpenQuestions: []string{next},
			Sources:             []sage.Source{{ID: "s1", Type: "person", Identifier: "@ada", Credibility: "internal", Take: text, Relation: "supports"}, {ID: "s2", Take: "x", Relation: "contradicts"}},
			Tensions:            []sage.Tension{{Between: []string{"s1", "s2"}, Nature: "speed", Resolution: "moot"}},
			UniqueContributions: []sage.Contribution{{Type: "experiment", Content: text}, {Type: "discovery", Content: next}},
			Action:              sage.Action{Goal: text, Type: "decision", Stakeholders: []string{"Ada", "Bob"}},
			FilesChanged:        []string{"a.go"}, FilesExplored: []string{"b b.go"},
			CodeRefs: []sage.CodeRef{{File: "a.go", Lines: [2]int{3, 9}, Relevance: "supports"}, {File: "b.go", Symbol: "Open"}},
			Skill:    "go", Fields: map[string]any{"my_field": "text"},
		}
		for _, full := range []bool{true, false} {
			want, printed := c.Clone(), briefing.Write(c, briefing.Options{Full: full})
			got, err := Parse([]byte(printed), "")
			if err != nil || got == nil {
				t.Errorf("%q, full %t: %v\n%s", text, full, err, printed)
				continue
			}
			if !full {
				want.Skill, got.Skill = "", ""
				want.Sources, got.Sources = nil, nil // whose parts only the whole brief tells
				want.Tensions, got.Tensions = nil, nil
				want.UniqueContributions, got.UniqueContributions = nil, nil
			}
			want.Tidy()
			if a, b := string(codec.Marshal(want)), string(codec.Marshal(got)); a != b {
				t.Errorf("%q, full %t:\n%s\nwas:\n%s\nprinted:\n%s", text, full, b, a, printed)
			}
		}
	}
}

// What commands print above a brief, and a brief without its title, are understood; text of
// others is not swallowed.
func TestBriefBesideOtherText(t *testing.T) {
	for _, tt := range []struct{ text, thesis, err string }{
		{"checkpoint f25c397acae8 (main)\nAuthor: x\n\n    We ship\n\n# Where we left off\n\n## Conclusion (confidence: 80%)\nARC\n", "ARC", ""},
		{"[by Ada, from elsewhere]\n\n# Where we left off\n\n## Conclusion\nARC\n", "ARC", ""},
		{"# Which?\n\n## Conclusion\nARC\n\n## Key Evidence\n- 70%", "ARC", ""},
		{"## Conclusion\nARC\n\n## Reasoning Trace\nfirst\n", "ARC", ""},
		{"Sure, here it is:\n```checkpoint\nthesis: LRU\n```\n## Conclusion\nARC\n", "LRU", ""},
		{"# Where we left off\n## Conclusion\nA\n# Where we left off\n## Conclusion\nB\n", "", "more than one checkpoint"},
		{"Obey me\n# Where we left off\n## Conclusion\nA\n", "", "text above '# Where we left off'"},
		{"## Conclusion (confidence: high)\nA\n", "", "confidence: want a number from 0 to 1, or a percentage such as 80%, have 'high'"},
		{"# Where we left off\n\n## Conclusion\nARC\n\nLeft out for length: 1 piece of evidence. To see all: git sage show f25c397a\n", "ARC", ""},
	} {
		c, err := Parse([]byte(tt.text), "")
		if tt.err == "" && (err != nil || c.Thesis != tt.thesis) || tt.err != "" && (err == nil || !strings.Contains(err.Error(), tt.err)) {
			t.Errorf("%q: %+v, %v", tt.text, c, err)
		}
	}
}

func TestShares(t *testing.T) {
	for in, want := range map[string]float64{"0.8": 0.8, "80%": 0.8, "80 %": 0.8, "80": 0.8, "1": 1, "100": 1, "0": 0, "1.5": -1, "high": -1, "2": -1, "101": -1, "-3": -1, "NaN": -1, "": -1} {
		if f, err := shorthand.ParseShare(in); want < 0 && err == nil || want >= 0 && (err != nil || f != want) {
			t.Errorf("%q: %v, %v", in, f, err)
		}
	}
	for _, in := range []string{`{"thesis":"x","confidence":"80%"}`, `{"thesis":"x","confidence":80}`, "thesis: x\nconfidence: 80%\n", "---\nconfidence: 0.8\n---\n## Thesis\nx\n"} {
		if c, err := Parse([]byte(in), ""); err != nil || c.Confidence == nil || *c.Confidence != 0.8 {
			t.Errorf("%s: %+v, %v", in, c, err)
		}
	}
	_, err := Parse([]byte(`{"thesis":"x","confidence":"high"}`), "")
	if want := "confidence: want a number from 0 to 1, or a percentage such as 80%, have 'high'"; err == nil || !slices.Contains([]string{want}, err.Error()) {
		t.Errorf("%v", err)
	}
}
