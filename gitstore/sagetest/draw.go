package sagetest

import (
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/git-sage/git-sage/gitstore/sage"
)

// Shaped are texts that look like what the format is made of.
var Shaped = []string{
	"", " ", "\n", "\t", "\r", "\r\n", "\x00", "\u2028", "\ufeff", "\u202e", "\u0085", "---", "--- ", "- ", "-", "# ", "## ",
	"## Thesis", "### deep", `\`, `\## Sources`, "```", "````", "~~~", "`", "*", "**", "_", " — _", "— _x_", "(", ")", "[", "]", ": ", ":",
	" vs ", "&", "&#", "&#13;", "&amp;", "&amp;#13;", "&#1114112;", "#10;", "amp;", ";", "&lt;", "- identifier: ", `\- credibility: `,
	"- symbol: ", "- blob: ", "+", "~", "!", "1. ", "* ", ":10", ":10-20", "a:1-2", "null", "true", "no", "0123456", "0x1f", "1_000",
	"2026-01-16", "1.10", "1e3", "~", "<<", "|", ">", "'", "\"", "{", "}", "%", "@", "?", "word", "ünïcödé", "日本語", "🏴\U000e0067\U000e007f",
	"\U0010ffff", "\ufffe", "type: checkpoint", "id: x", "a\nb", "\n\n", "  x", "x  ", "supports",
}

func Text() *rapid.Generator[string] {
	part := rapid.OneOf(rapid.SampledFrom(Shaped), rapid.StringN(0, 6, -1))
	return rapid.Custom(func(t *rapid.T) string {
		var s string
		for range rapid.IntRange(0, 5).Draw(t, "parts") {
			s += part.Draw(t, "part")
		}
		return s
	})
}

func Texts() *rapid.Generator[[]string] { return rapid.SliceOfN(Text(), 0, 3) }

func Value(depth int) *rapid.Generator[any] {
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
			return rapid.SliceOfN(Value(depth-1), 0, 3).Draw(t, "list")
		case 8:
			return rapid.MapOfN(Text(), Value(depth-1), 0, 3).Draw(t, "map")
		}
		return Text().Draw(t, "text")
	})
}

func Values() *rapid.Generator[map[string]any] { return rapid.MapOfN(Text(), Value(3), 0, 3) }

func Checkpoint() *rapid.Generator[*sage.Checkpoint] {
	return rapid.Custom(func(t *rapid.T) *sage.Checkpoint {
		s := func() string { return Text().Draw(t, "s") }
		l := func() []string { return Texts().Draw(t, "l") }
		n := func() int { return rapid.Int().Draw(t, "n") }
		c := &sage.Checkpoint{
			CoreQuestion: s(), Thesis: s(), KeyEvidence: l(), ReasoningTrace: s(), OpenQuestions: l(),
			Action: sage.Action{Goal: s(), Type: s(), Deadline: s(), Stakeholders: l()}, Domain: s(), DomainData: Values().Draw(t, "domain"), Fields: Values().Draw(t, "fields"),
			Trigger: sage.Trigger(s()), Description: s(), Skill: s(), Project: s(), Template: s(), KnowledgeRecalled: l(),
			MessageCount: n(), TokenEstimate: n(), CheckpointTokens: n(), CompressionRatio: rapid.Float64().Draw(t, "ratio"),
			FilesExplored: l(), FilesChanged: l(), Code: sage.CodeState{Commit: s(), Branch: s(), Tree: s(), PatchID: s(), Dirty: rapid.Bool().Draw(t, "dirty")},
			Session: s(), Agent: s(), BranchFrom: s(), MergeSources: l(), Aliases: l(), SaidNone: l(), ID: s(), Parents: l(),
		}
		c.Time = time.Unix(rapid.Int64Range(-62135596799, 253402300799).Draw(t, "time"), 0).UTC()
		if rapid.Bool().Draw(t, "confident") {
			f := rapid.Float64().Draw(t, "confidence")
			c.Confidence = &f
		}
		for range rapid.IntRange(0, 2).Draw(t, "sources") {
			c.Sources = append(c.Sources, sage.Source{ID: s(), Type: s(), Identifier: s(), Credibility: s(), Take: s(), Relation: s()})
		}
		for range rapid.IntRange(0, 2).Draw(t, "tensions") {
			c.Tensions = append(c.Tensions, sage.Tension{Between: l(), Nature: s(), Resolution: s()})
		}
		for range rapid.IntRange(0, 2).Draw(t, "contributions") {
			c.UniqueContributions = append(c.UniqueContributions, sage.Contribution{Type: s(), Content: s()})
		}
		for range rapid.IntRange(0, 2).Draw(t, "refs") {
			lines := [2]int{n(), rapid.IntRange(-9, 9).Draw(t, "to")}
			if rapid.Bool().Draw(t, "whole") {
				lines = [2]int{}
			}
			c.CodeRefs = append(c.CodeRefs, sage.CodeRef{File: s(), Lines: lines, Blob: s(), Symbol: s(), Snippet: s(), Relevance: s()})
		}
		for range rapid.IntRange(0, 2).Draw(t, "components") {
			c.ComponentTheses = append(c.ComponentTheses, sage.ComponentThesis{From: s(), Thesis: s()})
		}
		seen := map[string]bool{}
		for range rapid.IntRange(0, 2).Draw(t, "extra") {
			if k := s(); !seen[k] && !sage.IsKnown(k) {
				seen[k] = true
				c.Extra = append(c.Extra, sage.Entry{Key: k, Value: Value(3).Draw(t, "value")})
			}
		}
		return c
	})
}

var SameValue = cmp.Options{cmpopts.EquateEmpty(), cmpopts.EquateNaNs()}
