package codec

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sagetest"
)

func TestPrintedCheckpointReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := sagetest.Checkpoint().Draw(t, "checkpoint")
		b := Export(c)
		got, err := Parse(b)
		if err != nil {
			t.Fatalf("%v\n%s", err, b)
		}
		if d := cmp.Diff(c, got, sagetest.SameValue); d != "" {
			t.Fatalf("%s\n%s", d, b)
		}
		sagetest.CheckCanonical(t, Marshal(got), Parse, Marshal)
	})
}

// FuzzParse feeds any bytes: what is accepted prints to a form that stays.
func FuzzParse(f *testing.F) {
	seeds, err := filepath.Glob("../testdata/*.md")
	if err != nil || len(seeds) == 0 {
		f.Fatalf("no seeds: %v", err)
	}
	for _, name := range append(seeds, "../../../testdata/store/auth-tokens.md", "../../../testdata/store/auth-cookies.md") {
		b, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		c, err := Parse(b)
		if err != nil {
			return
		}
		sagetest.CheckCanonical(t, Marshal(c), Parse, Marshal)
		again, err := Parse(Export(c))
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(c, again, sagetest.SameValue); d != "" {
			t.Fatal(d)
		}
	})
}

// FuzzText puts any text where the body and the front matter have text.
func FuzzText(f *testing.F) {
	for _, s := range sagetest.Shaped {
		f.Add(s, s)
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		a, b = clean(a), clean(b)
		c := &sage.Checkpoint{
			CoreQuestion: a, Thesis: b, KeyEvidence: []string{a, b}, ReasoningTrace: a + b,
			Sources:             []sage.Source{{ID: a, Type: b, Identifier: a, Credibility: b, Take: a, Relation: b}, {Take: a, Relation: b}, {Type: b, Take: a}},
			Tensions:            []sage.Tension{{Between: []string{a, b}, Nature: a, Resolution: b}, {Between: nil, Nature: b, Resolution: a}, {Between: []string{a}, Nature: "", Resolution: b}},
			UniqueContributions: []sage.Contribution{{Type: a, Content: b}, {Type: "", Content: a}},
			CodeRefs:            []sage.CodeRef{{File: a, Lines: [2]int{1, 2}, Blob: b, Symbol: a, Snippet: b, Relevance: a}, {File: b, Snippet: a}},
			Description:         a, DomainData: map[string]any{a: b}, Extra: []sage.Entry{{Key: "x" + a, Value: []any{b, []any{a}, map[string]any{b: a}}}},
		}
		if sage.IsKnown("x" + a) {
			c.Extra = nil
		}
		got, err := Parse(Marshal(c))
		if err != nil {
			t.Fatalf("%v\n%s", err, Marshal(c))
		}
		if d := cmp.Diff(c, got, sagetest.SameValue); d != "" {
			t.Fatalf("%s\n%s", d, bytes.TrimSpace(Marshal(c)))
		}
	})
}
