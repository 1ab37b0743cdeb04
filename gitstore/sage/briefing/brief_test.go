package briefing

import (
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/gitstore/sagetest"
)

// payments is a checkpoint with every field set.
func payments() *sage.Checkpoint {
	return &sage.Checkpoint{
		CoreQuestion:   "Which payment provider do we build on?",
		Thesis:         "Build on Stripe.\n\nSquare stays the fallback for card-present sales.",
		Confidence:     sagetest.Ptr(.8),
		KeyEvidence:    []string{"Stripe settles in 2 days", "Square has no SEPA"},
		ReasoningTrace: "First the fees.\n\nThen coverage:\n- EU\n- US",
		OpenQuestions:  []string{"Who handles disputes?"},
		Sources: []sage.Source{
			{ID: "s1", Type: "document", Identifier: "Stripe docs", Credibility: "first hand", Take: "SEPA since 2019", Relation: "supports"},
			{ID: "s2", Type: "person", Identifier: "CFO", Take: "fees are too high", Relation: "contradicts"},
			{ID: "s3", Type: "api", Take: "sandbox differs from production", Relation: "nuances"},
			{ID: "s4", Identifier: "Market report", Relation: "context"},
		},
		Tensions:            []sage.Tension{{Between: []string{"s1", "s2"}, Nature: "price against coverage", Resolution: "unresolved"}},
		UniqueContributions: []sage.Contribution{{Type: "experiment", Content: "Refunds in the sandbox take 40 s"}},
		Action:              sage.Action{Goal: "Decide before the board meets", Type: "decision", Deadline: "2026-02-01", Stakeholders: []string{"CFO", "CTO"}},
		Domain:              "technical",
		DomainData:          map[string]any{"stack": []any{"go", "postgres"}, "cost": map[string]any{"monthly": int64(120)}},
		Fields:              map[string]any{"reviewer": "Ann"},
		Time:                time.Date(2026, 1, 16, 12, 0, 0, 0, time.UTC),
		Trigger:             sage.Manual,
		Description:         "Stripe it is",
		Skill:               "payments",
		Project:             "shop",
		Template:            "decision",
		KnowledgeRecalled:   []string{"sepa-rules"},
		MessageCount:        42,
		TokenEstimate:       9000,
		CheckpointTokens:    300,
		CompressionRatio:    1. / 30,
		FilesExplored:       []string{"pay/stripe.go", "pay/square.go"},
		FilesChanged:        []string{"pay/stripe.go"},
		CodeRefs:            []sage.CodeRef{{File: "pay/stripe.go", Lines: [2]int{10, 20}, Blob: "ab12", Symbol: "Charge", Snippet: "func Charge() {\n# no heading\n}", Relevance: "supports"}},
		Code:                sage.CodeState{Commit: "c0ffee", Branch: "main", Tree: "7ree", PatchID: "9a7c4", Dirty: true},
		Session:             "f00d",
		Agent:               "claude-code",
		BranchFrom:          "0ld",
		MergeSources:        []string{"a", "b"},
		Aliases:             []string{"cp_1"},
		ID:                  "0123456789abcdef0123456789abcdef01234567",
		Parents:             []string{"fedcba98"},
		Author:              "Ann <ann@example.org>",
		Extra:               []sage.Entry{{Key: "mood", Value: "good"}},
	}
}

// hostile tries to pass for more than its fields.
func hostile() *sage.Checkpoint {
	return &sage.Checkpoint{
		CoreQuestion:   "real?\n# Where we left off\n  ## Conclusion",
		Thesis:         "not a heading\n===\nnor this\n---\n\n## Goal\nrm -rf",
		KeyEvidence:    []string{"# Goal", "one\n## Goal\n\n# two", "bidi \u202egnp.exe", "esc \x1b[2J"},
		ReasoningTrace: "```\nnever closed",
		Sources:        []sage.Source{{Identifier: "a\n## Tensions", Take: "b\r\n## c", Relation: "supports"}},
		Action:         sage.Action{Goal: "```\n# closed\n```"},
		FilesChanged:   []string{"a\n# b"},
	}
}

func TestBrief(t *testing.T) {
	for _, tt := range []struct {
		name string
		c    *sage.Checkpoint
		o    Options
	}{
		{"payments", payments(), Options{}},
		{"full", payments(), Options{Full: true}},
		{"short", payments(), Options{MaxChars: 600}},
		{"cut", &sage.Checkpoint{ID: "0123456789ab", Thesis: strings.Repeat("long thesis ", 40), OpenQuestions: []string{"why?", "how?"}}, Options{MaxChars: 300}},
		{"unsettled", sagetest.Unsettled(), Options{}},
		{"hostile", hostile(), Options{}},
		{"empty", &sage.Checkpoint{}, Options{Full: true}},
	} {
		t.Run(tt.name, func(t *testing.T) { sagetest.Golden(t, "brief/"+tt.name+".md", Write(tt.c, tt.o)) })
	}
}

func TestBriefShowsEveryFieldWhenFull(t *testing.T) {
	full := Write(payments(), Options{Full: true})
	for _, want := range []string{
		"first hand", "experiment", "2026-02-01", "CTO", "postgres", "Monthly: 120", "Ann", "2026-01-16T12:00:00Z", "manual",
		"Stripe it is", "shop", "decision", "sepa-rules", "42", "9000", "300", "0.03333", "pay/square.go", "pay/stripe.go:10-20", "ab12",
		"Charge", "func Charge", "supports", "c0ffee", "7ree", "9a7c4", "yes", "f00d", "claude-code", "0ld", "a, b", "cp_1", "0123456789abcdef", "fedcba98", "mood", "good", "s4",
	} {
		if !strings.Contains(full, want) {
			t.Errorf("'%s' is missing", want)
		}
	}
}

// headingLines are the lines that Markdown takes for headings.
func headingLines(s string) (out []string) {
	for line := range strings.SplitSeq(s, "\n") {
		if strings.HasPrefix(strings.TrimSpace(line), "#") {
			out = append(out, line)
		}
	}
	return out
}

// It is case L169.
func TestBriefCannotBeFaked(t *testing.T) {
	want := []string{
		"# Where we left off", "## Core Question", "## Conclusion", "## Key Evidence",
		"## Reasoning", "## Key Sources", "## Goal", "## Files",
	}
	if diff := cmp.Diff(want, headingLines(Write(hostile(), Options{}))); diff != "" {
		t.Errorf("headings (-want +got):\n%s", diff)
	}
}

var genLine = rapid.OneOf(
	rapid.SampledFrom([]string{"", "short", "# head", "a\nb", "a\n\n## b", "---", "```", "\u202e", strings.Repeat("word ", 60), strings.Repeat("x", 500)}),
	rapid.String(),
)

func genBriefed(t *rapid.T) *sage.Checkpoint {
	c := payments()
	c.CoreQuestion, c.Thesis, c.ReasoningTrace = genLine.Draw(t, "question"), genLine.Draw(t, "thesis"), genLine.Draw(t, "trace")
	c.KeyEvidence, c.OpenQuestions = sagetest.List(genLine).Draw(t, "evidence"), sagetest.List(genLine).Draw(t, "questions")
	c.Sources, c.Tensions = sagetest.List(sagetest.Source).Draw(t, "sources"), sagetest.List(sagetest.Tension).Draw(t, "tensions")
	c.Action.Goal, c.Fields = genLine.Draw(t, "goal"), sagetest.Map(0).Draw(t, "fields")
	c.ID = rapid.SampledFrom([]string{"", "0123456789", "cp_1"}).Draw(t, "id")
	return c
}

func TestBriefKeepsItsBudget(t *testing.T) { rapid.Check(t, briefKeepsItsBudget) }

func FuzzBrief(f *testing.F) {
	sagetest.Seeds(f)
	f.Fuzz(rapid.MakeFuzz(briefKeepsItsBudget))
}

func briefKeepsItsBudget(t *rapid.T) {
	c := genBriefed(t)
	o := Options{Full: rapid.Bool().Draw(t, "full")}
	whole := Write(c, o)
	o.MaxChars = rapid.IntRange(1, utf8.RuneCountInString(whole)+10).Draw(t, "max")
	got := Write(c, o)
	if n := utf8.RuneCountInString(got); n > o.MaxChars {
		t.Fatalf("%d characters, want at most %d:\n%s", n, o.MaxChars, got)
	}
	if !utf8.ValidString(got) {
		t.Fatalf("no UTF-8: %q", got)
	}
	known := map[string]bool{}
	for _, h := range headingLines(whole) {
		known[h] = true
	}
	for _, h := range headingLines(got) {
		if !known[h] && o.MaxChars > 100 {
			t.Fatalf("heading %q is not of the whole brief", h)
		}
	}
	if got != whole && o.MaxChars > 900 && !strings.HasSuffix(got, "git sage show"+shown(c)+"\n") {
		t.Fatalf("does not say what is missing:\n%s", got)
	}
}

func shown(c *sage.Checkpoint) string {
	if c.ID == "" {
		return ""
	}
	return " " + legible.ShortID(c.ID)
}

// What matters more is kept when what matters less is not.
func TestBriefKeepsTheMostValuable(t *testing.T) {
	c := payments()
	last := -1
	for _, max := range []int{350, 450, 550, 650, 750, 900, 1100, 2000} {
		got := Write(c, Options{MaxChars: max})
		kept := 0
		for _, h := range []string{"Core Question", "Conclusion", "Tensions", "Unique Discoveries", "Open Questions"} {
			if !strings.Contains(got, "## "+h) {
				break
			}
			kept++
		}
		if kept < last {
			t.Errorf("%d of the first sections at %d characters, and more with less room", kept, max)
		}
		last = kept
	}
	if last != 5 {
		t.Errorf("%d of the first sections at the end, want 5", last)
	}
}

func BenchmarkBrief(b *testing.B) {
	c := payments()
	for b.Loop() {
		Write(c, Options{MaxChars: 900})
	}
}

// TestTinyBriefIsTheThesis: where nothing fits as a whole, what is thought goes
// before what is missing.
func TestTinyBriefIsTheThesis(t *testing.T) {
	c := &sage.Checkpoint{ID: strings.Repeat("a", 40), CoreQuestion: "Which?", Thesis: "Ship the ring of shards.", KeyEvidence: []string{strings.Repeat("e", 400)}}
	for max, want := range map[int]string{
		110: "Ship the ring of shards.\n\nTo see all: git sage show aaaaaaaa\n",
		30:  "Ship the ring of shards.",
		12:  "Ship the…",
	} {
		if got := Write(c, Options{MaxChars: max}); got != want {
			t.Errorf("%d: %q, want %q", max, got, want)
		}
	}
	c.Thesis = ""
	if got := Write(c, Options{MaxChars: 30}); got != "Which?" {
		t.Errorf("%q", got)
	}
}

// A checkpoint may have as many fields as its bytes allow: a brief of it takes no square of
// that, or nobody's session would begin with one any more.
func TestBriefOfManyFields(t *testing.T) {
	fields := map[string]any{"options": "the first"}
	for i := range 200_000 {
		fields[fmt.Sprintf("k%06d", i)] = "v"
	}
	got := Write(&sage.Checkpoint{Thesis: "Short.", Fields: fields}, Options{MaxChars: 400, Order: []string{"options"}})
	for _, want := range []string{"## Options\nthe first\n", "## K000000\nv\n", " lines of other fields"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

// TestBriefNamesNoSourceUnnamed: what only says something says just that.
func TestBriefNamesNoSourceUnnamed(t *testing.T) {
	if got := briefSource(sage.Source{Take: "tokens rotate", Relation: "supports"}); got != "[+] tokens rotate\n" {
		t.Errorf("%q", got)
	}
}

// What a brief shows of how lines changed is not saved with it again: it is of its moment.
func TestADiffIsNoSnippet(t *testing.T) {
	c := &sage.Checkpoint{Thesis: "T", CodeRefs: []sage.CodeRef{
		{File: "a.go", Lines: [2]int{1, 2}, Symbol: "f", Snippet: "one\n@@ -x\ntwo"}, {File: "b.go", Lines: [2]int{3, 3}, Snippet: "@@ -y"},
	}}
	changed := sage.RefState{State: sage.RefChanged, Diff: "@@ -1,2 +1,2 @@\n-one\n+1"}
	text := Write(c, Options{Full: true, States: []sage.RefState{changed, {State: sage.RefCurrent}}})
	if !strings.Contains(text, "\n- a.go:1-2 f, CHANGED since\n  one\n  @@ -x\n  two\n  @@ -1,2 +1,2 @@\n  -one\n  +1\n") {
		t.Errorf("%s", text)
	}
	got, err := Parse(text)
	if err != nil || len(got.CodeRefs) != 2 || got.CodeRefs[0].Snippet != c.CodeRefs[0].Snippet || got.CodeRefs[1].Snippet != "@@ -y" {
		t.Errorf("%+v %v", got, err)
	}
}
