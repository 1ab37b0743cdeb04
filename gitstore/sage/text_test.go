package sage

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestDescribe(t *testing.T) {
	long := "The quick brown fox jumps over the lazy dog while seventeen auditors take notes on paper"
	tests := map[string]struct {
		c    Checkpoint
		want string
	}{
		"given":         {Checkpoint{Description: " my\nwords ", Thesis: "No."}, "my words"},
		"sentence":      {Checkpoint{Thesis: "Use cookies, e.g. Lax ones. Tokens leak."}, "Use cookies, e.g. Lax ones."},
		"version":       {Checkpoint{Thesis: "Go 1.26 is enough! More follows."}, "Go 1.26 is enough!"},
		"list":          {Checkpoint{Thesis: "1. First. Second."}, "1. First."},
		"line":          {Checkpoint{Thesis: "\n\nFirst line\nsecond line"}, "First line"},
		"Chinese":       {Checkpoint{Thesis: "使用令牌。不用会话。"}, "使用令牌。"},
		"question":      {Checkpoint{Thesis: " ", CoreQuestion: "Why?"}, "Why?"},
		"nothing":       {Checkpoint{}, "checkpoint at turn 7"},
		"long":          {Checkpoint{Thesis: long}, "The quick brown fox jumps over the lazy dog while seventeen auditors…"},
		"no blank":      {Checkpoint{Thesis: strings.Repeat("ü", 80)}, strings.Repeat("ü", 71) + "…"},
		"marks":         {Checkpoint{Thesis: strings.Repeat("x", 70) + "e\u0301e\u0301e\u0301"}, strings.Repeat("x", 70) + "…"},
		"direction":     {Checkpoint{Thesis: "a\u202eb"}, `a\u{202e}b`},
		"terminal":      {Checkpoint{Description: "\x1b]0;x\a"}, `\u{1b}]0;x\u{7}`},
		"broken bytes":  {Checkpoint{Thesis: "a\xff. b"}, "a\ufffd."},
		"exactly fits":  {Checkpoint{Thesis: strings.Repeat("a ", 35) + "bc"}, strings.Repeat("a ", 35) + "bc"},
		"one too many":  {Checkpoint{Thesis: strings.Repeat("a ", 36) + "b"}, strings.Repeat("a ", 35) + "a…"},
		"abbreviations": {Checkpoint{Thesis: "Ask J. Doe. Then decide."}, "Ask J. Doe."},
		"German":        {Checkpoint{Thesis: "Wir nehmen z. B. Redis bis zum 3. Mai. Danach nicht."}, "Wir nehmen z. B. Redis bis zum 3. Mai."},
		"aside":         {Checkpoint{Thesis: "The pool (5 conns. Not 6!) leaks. It grows."}, "The pool (5 conns. Not 6!) leaks."},
		"Japanese":      {Checkpoint{Thesis: "「はい。」と答えた。次へ。"}, "「はい。」と答えた。"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if d := cmp.Diff(tt.want, Describe(&tt.c, 7)); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestDescriptionFits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := &Checkpoint{Thesis: anyText().Draw(t, "thesis") + rapid.String().Draw(t, "more"), CoreQuestion: rapid.String().Draw(t, "question")}
		s := Describe(c, 1)
		if n := utf8.RuneCountInString(s); n == 0 || n > MaxDescription || strings.ContainsAny(s, "\n\r\x1b") {
			t.Fatalf("%d characters: %q", n, s)
		}
	})
}

// Cases L168 and L169.
func TestVisible(t *testing.T) {
	tests := map[string]struct{ in, want string }{
		"plain":               {"plain\ttext\n", "plain\ttext\n"},
		"terminal":            {"\x1b[31mred\x7f\r", `\u{1b}[31mred\u{7f}\u{d}`},
		"C1":                  {"\u009b31m", `\u{9b}31m`},
		"override":            {"a\u202eb\u2066c\u2069", `a\u{202e}b\u{2066}c\u{2069}`},
		"zero width":          {"pass\u200bword \u2060\ufeff\u00ad", `pass\u{200b}word \u{2060}\u{feff}\u{ad}`},
		"joiner in Latin":     {"a\u200db", `a\u{200d}b`},
		"separators":          {"a\u2028b\u2029", `a\u{2028}b\u{2029}`},
		"hidden tags":         {"hi\U000e0068\U000e0069", `hi\u{e0068}\u{e0069}`},
		"hidden selectors":    {"hi\ufe01\U000e0101", `hi\u{fe01}\u{e0101}`},
		"filler":              {"\u3164\u115f", `\u{3164}\u{115f}`},
		"not UTF-8":           {"a\xffé\xc3", `a\x{ff}é\x{c3}`},
		"replacement":         {"\ufffd", "\ufffd"},
		"family":              {"👨\u200d👩\u200d👧", "👨\u200d👩\u200d👧"},
		"skin and sign":       {"🤷🏽\u200d♂\ufe0f", "🤷🏽\u200d♂\ufe0f"},
		"heart on fire":       {"❤\ufe0f\u200d🔥", "❤\ufe0f\u200d🔥"},
		"keycap":              {"1\ufe0f⃣", "1\ufe0f⃣"},
		"flags":               {"🇩🇪 🏳\ufe0f\u200d🌈", "🇩🇪 🏳\ufe0f\u200d🌈"},
		"flag of tags":        {"🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f!", "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f!"},
		"long flag":           {"🏴" + strings.Repeat("\U000e0067", 9) + "\U000e007f", "🏴" + strings.Repeat(`\u{e0067}`, 9) + `\u{e007f}`},
		"Hebrew and Arabic":   {"שלום مرحبا", "שלום مرحبا"},
		"mark beside Hebrew":  {"שלום\u200f!", "שלום\u200f!"},
		"mark in Latin":       {"a\u200fb", `a\u{200f}b`},
		"Persian":             {"می\u200cخواهم", "می\u200cخواهم"},
		"Devanagari":          {"क्\u200dष", "क्\u200dष"},
		"combining":           {"e\u0301", "e\u0301"},
		"ideographic variant": {"葛\U000e0100", "葛\U000e0100"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if d := cmp.Diff(tt.want, Visible(tt.in)); d != "" {
				t.Error(d)
			}
		})
	}
	if got := OneLine(" a\n\t b\u2028 "); got != `a b\u{2028}` {
		t.Errorf("OneLine: %q", got)
	}
	if got := EstimateTokens("äöüßx"); got != 1 {
		t.Errorf("EstimateTokens: %d", got)
	}
}

// everywhere has s in every text of c, and in place of every word.
func everywhere(s string) *Checkpoint {
	v := func() map[string]any { return map[string]any{s: []any{s, map[string]any{"k": s}}, "k": int64(1)} }
	l := []string{s}
	return &Checkpoint{
		CoreQuestion: s, Thesis: s, KeyEvidence: l, ReasoningTrace: s, OpenQuestions: []string{s},
		Sources: []Source{{s, s, s, s, s, s}}, Tensions: []Tension{{[]string{s}, s, s}}, UniqueContributions: []Contribution{{s, s}},
		Action: Action{s, s, s, []string{s}}, Domain: s, DomainData: v(), Fields: v(), Trigger: Trigger(s), Description: s,
		Skill: s, Project: s, Template: s, KnowledgeRecalled: []string{s}, FilesExplored: []string{s}, FilesChanged: []string{s},
		CodeRefs: []CodeRef{{s, [2]int{1, 2}, s, s, s, s}}, Code: CodeState{s, s, s, s, true}, Session: s, Agent: s, BranchFrom: s,
		MergeSources: []string{s}, ComponentTheses: []ComponentThesis{{s, s}}, Aliases: []string{s}, Extra: []Entry{{s, v()}},
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
	c := &Checkpoint{
		Trigger: Manual, Sources: []Source{{Type: "api", Relation: "supports"}}, Code: CodeState{Commit: sha, Tree: sha, PatchID: sha},
		CodeRefs: []CodeRef{{Blob: sha, Relevance: "stale"}}, Session: "5f0c3a52-8d8e-4f0b-9c53-0d1f3a6b7c21",
		BranchFrom: sha, MergeSources: []string{sha}, ComponentTheses: []ComponentThesis{{From: sha}}, Aliases: []string{sha},
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
	c := &Checkpoint{Fields: map[string]any{"a": "1", "b": "2", "c": "3"}}
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
	c := &Checkpoint{Thesis: "a", Sources: []Source{{}, {Take: "secret"}}}
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
		c := anyCheckpoint().Draw(t, "checkpoint")
		before := string(Export(c))
		d := c.Clone()
		if diff := cmp.Diff(c, d, sameValue); diff != "" {
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
