package template

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-sage/git-sage/gitstore/sage"
)

var update = flag.Bool("update", false, "write the golden files")

func sample() *sage.Checkpoint {
	sure := 0.85
	return &sage.Checkpoint{
		CoreQuestion:   "How long may a token live?",
		Thesis:         "Tokens rotate hourly.\nTwo keys are kept.",
		Confidence:     &sure,
		KeyEvidence:    []string{"the gateway caches for 60 s", "no client needs more"},
		ReasoningTrace: "Measured, then compared.",
		OpenQuestions:  []string{"What of mobile clients?"},
		Sources: []sage.Source{
			{ID: "rfc", Type: "document", Identifier: "https://example.com/rfc", Credibility: "standard", Take: "short lives", Relation: "supports"},
			{ID: "ops", Take: "pages at night"},
		},
		Tensions:            []sage.Tension{{Between: []string{"rfc", "ops"}, Nature: "rotation causes pages", Resolution: "unresolved"}},
		UniqueContributions: []sage.Contribution{{Type: "experiment", Content: "rotation takes 3 ms"}},
		CodeRefs:            []sage.CodeRef{{File: "auth/token.go", Lines: [2]int{10, 20}, Symbol: "Rotate", Relevance: "supports"}, {File: "go.mod"}},
		FilesChanged:        []string{"auth/token.go"},
		Fields: map[string]any{
			"decision": "rotate hourly", "options": []any{"hourly", "daily"}, "risks": "clock skew",
			"findings": []any{"lock is held too long"}, "verdict": "approve", "owner": map[string]any{"team": "auth", "n": int64(2)},
		},
	}
}

func TestBuiltinRenders(t *testing.T) {
	for _, tmpl := range Builtin() {
		for name, c := range map[string]*sage.Checkpoint{"": sample(), "-thesis": {Thesis: "tokens rotate hourly"}} {
			got, err := tmpl.Render(context.Background(), c)
			if err != nil {
				t.Fatalf("%s: %v", tmpl.Name, err)
			}
			file := filepath.Join("testdata", tmpl.Name+name+".md")
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(string(want), got); d != "" {
				t.Errorf("%s: %s", file, d)
			}
		}
	}
}
