package sage

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

// shaped are texts that look like what the format is made of.
var shaped = []string{
	"", " ", "\n", "\t", "\r", "\r\n", "\x00", "\u2028", "\ufeff", "\u202e", "\u0085", "---", "--- ", "- ", "-", "# ", "## ",
	"## Thesis", "### deep", `\`, `\## Sources`, "```", "````", "~~~", "`", "*", "**", "_", " — _", "— _x_", "(", ")", "[", "]", ": ", ":",
	" vs ", "&", "&#", "&#13;", "&amp;", "&amp;#13;", "&#1114112;", "#10;", "amp;", ";", "&lt;", "- identifier: ", `\- credibility: `,
	"- symbol: ", "- blob: ", "+", "~", "!", "1. ", "* ", ":10", ":10-20", "a:1-2", "null", "true", "no", "0123456", "0x1f", "1_000",
	"2026-01-16", "1.10", "1e3", "~", "<<", "|", ">", "'", "\"", "{", "}", "%", "@", "?", "word", "ünïcödé", "日本語", "🏴\U000e0067\U000e007f",
	"\U0010ffff", "\ufffe", "type: checkpoint", "id: x", "a\nb", "\n\n", "  x", "x  ", "supports",
}

func anyText() *rapid.Generator[string] {
	part := rapid.OneOf(rapid.SampledFrom(shaped), rapid.StringN(0, 6, -1))
	return rapid.Custom(func(t *rapid.T) string {
		var s string
		for range rapid.IntRange(0, 5).Draw(t, "parts") {
			s += part.Draw(t, "part")
		}
		return s
	})
}

func anyTexts() *rapid.Generator[[]string] { return rapid.SliceOfN(anyText(), 0, 3) }

func anyValue(depth int) *rapid.Generator[any] {
	return rapid.Custom(func(t *rapid.T) any {
		n := 8
		if depth == 0 {
			n = 5
		}
		switch rapid.IntRange(0, n).Draw(t, "kind") {
		case 0:
			return nil
		case 1:
			return rapid.Bool().Draw(t, "bool")
		case 2:
			return rapid.Int64().Draw(t, "int")
		case 3:
			return rapid.Float64().Draw(t, "float")
		case 6, 7:
			return rapid.SliceOfN(anyValue(depth-1), 0, 3).Draw(t, "list")
		case 8:
			return rapid.MapOfN(anyText(), anyValue(depth-1), 0, 3).Draw(t, "map")
		}
		return anyText().Draw(t, "text")
	})
}

func anyValues() *rapid.Generator[map[string]any] { return rapid.MapOfN(anyText(), anyValue(3), 0, 3) }

func anyCheckpoint() *rapid.Generator[*Checkpoint] {
	return rapid.Custom(func(t *rapid.T) *Checkpoint {
		s := func() string { return anyText().Draw(t, "s") }
		l := func() []string { return anyTexts().Draw(t, "l") }
		n := func() int { return rapid.Int().Draw(t, "n") }
		c := &Checkpoint{
			CoreQuestion: s(), Thesis: s(), KeyEvidence: l(), ReasoningTrace: s(), OpenQuestions: l(),
			Action: Action{s(), s(), s(), l()}, Domain: s(), DomainData: anyValues().Draw(t, "domain"), Fields: anyValues().Draw(t, "fields"),
			Trigger: Trigger(s()), Description: s(), Skill: s(), Project: s(), Template: s(), KnowledgeRecalled: l(),
			MessageCount: n(), TokenEstimate: n(), CheckpointTokens: n(), CompressionRatio: rapid.Float64().Draw(t, "ratio"),
			FilesExplored: l(), FilesChanged: l(), Code: CodeState{s(), s(), s(), s(), rapid.Bool().Draw(t, "dirty")},
			Session: s(), Agent: s(), BranchFrom: s(), MergeSources: l(), Aliases: l(), SaidNone: l(), ID: s(), Parents: l(),
		}
		c.Time = time.Unix(rapid.Int64Range(-62135596799, 253402300799).Draw(t, "time"), 0).UTC()
		if rapid.Bool().Draw(t, "confident") {
			f := rapid.Float64().Draw(t, "confidence")
			c.Confidence = &f
		}
		for range rapid.IntRange(0, 2).Draw(t, "sources") {
			c.Sources = append(c.Sources, Source{s(), s(), s(), s(), s(), s()})
		}
		for range rapid.IntRange(0, 2).Draw(t, "tensions") {
			c.Tensions = append(c.Tensions, Tension{l(), s(), s()})
		}
		for range rapid.IntRange(0, 2).Draw(t, "contributions") {
			c.UniqueContributions = append(c.UniqueContributions, Contribution{s(), s()})
		}
		for range rapid.IntRange(0, 2).Draw(t, "refs") {
			lines := [2]int{n(), rapid.IntRange(-9, 9).Draw(t, "to")}
			if rapid.Bool().Draw(t, "whole") {
				lines = [2]int{}
			}
			c.CodeRefs = append(c.CodeRefs, CodeRef{s(), lines, s(), s(), s(), s()})
		}
		for range rapid.IntRange(0, 2).Draw(t, "components") {
			c.ComponentTheses = append(c.ComponentTheses, ComponentThesis{s(), s()})
		}
		seen := map[string]bool{}
		for range rapid.IntRange(0, 2).Draw(t, "extra") {
			if k := s(); !seen[k] && !isKnown(k) {
				seen[k] = true
				c.Extra = append(c.Extra, Entry{k, anyValue(3).Draw(t, "value")})
			}
		}
		return c
	})
}

var sameValue = cmp.Options{cmpopts.EquateEmpty(), cmpopts.EquateNaNs()}

func TestPrintedCheckpointReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := anyCheckpoint().Draw(t, "checkpoint")
		b := Export(c)
		got, err := Parse(b)
		if err != nil {
			t.Fatalf("%v\n%s", err, b)
		}
		if d := cmp.Diff(c, got, sameValue); d != "" {
			t.Fatalf("%s\n%s", d, b)
		}
		checkCanonical(t, Marshal(got), Parse, Marshal)
	})
}

type fataler interface {
	Helper()
	Fatalf(string, ...any)
}

// checkCanonical fails unless b is what we print for what it says.
func checkCanonical[T any](t fataler, b []byte, parse func([]byte) (T, error), print func(T) []byte) {
	t.Helper()
	c, err := parse(b)
	if err != nil {
		t.Fatalf("%v\n%s", err, b)
	}
	if d := cmp.Diff(string(b), string(print(c))); d != "" {
		t.Fatalf("not canonical: %s\n%s", d, b)
	}
}

// FuzzParse feeds any bytes: what is accepted prints to a form that stays.
func FuzzParse(f *testing.F) {
	seeds, err := filepath.Glob("testdata/*.md")
	if err != nil || len(seeds) == 0 {
		f.Fatalf("no seeds: %v", err)
	}
	for _, name := range append(seeds, "../../testdata/store/auth-tokens.md", "../../testdata/store/auth-cookies.md") {
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
		checkCanonical(t, Marshal(c), Parse, Marshal)
		again, err := Parse(Export(c))
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(c, again, sameValue); d != "" {
			t.Fatal(d)
		}
	})
}

// FuzzText puts any text where the body and the front matter have text.
func FuzzText(f *testing.F) {
	for _, s := range shaped {
		f.Add(s, s)
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		a, b = clean(a), clean(b)
		c := &Checkpoint{
			CoreQuestion: a, Thesis: b, KeyEvidence: []string{a, b}, ReasoningTrace: a + b,
			Sources:             []Source{{a, b, a, b, a, b}, {Take: a, Relation: b}, {Type: b, Take: a}},
			Tensions:            []Tension{{[]string{a, b}, a, b}, {nil, b, a}, {[]string{a}, "", b}},
			UniqueContributions: []Contribution{{a, b}, {"", a}},
			CodeRefs:            []CodeRef{{a, [2]int{1, 2}, b, a, b, a}, {File: b, Snippet: a}},
			Description:         a, DomainData: map[string]any{a: b}, Extra: []Entry{{"x" + a, []any{b, []any{a}, map[string]any{b: a}}}},
		}
		if isKnown("x" + a) {
			c.Extra = nil
		}
		got, err := Parse(Marshal(c))
		if err != nil {
			t.Fatalf("%v\n%s", err, Marshal(c))
		}
		if d := cmp.Diff(c, got, sameValue); d != "" {
			t.Fatalf("%s\n%s", d, bytes.TrimSpace(Marshal(c)))
		}
	})
}
