package ingest

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/codec"
	"github.com/git-sage/git-sage/gitstore/sagetest"
)

var noon = time.Date(2026, 1, 16, 12, 0, 0, 0, time.UTC)

func TestInputForms(t *testing.T) {
	stripe := &sage.Checkpoint{CoreQuestion: "Which provider?", Thesis: "Stripe", Confidence: sagetest.Ptr(0.8)}
	tests := map[string]struct {
		in, format string
		want       *sage.Checkpoint
	}{
		"Markdown without front matter": {"# Which provider?\n\n## Thesis\nStripe\n", "", &sage.Checkpoint{CoreQuestion: "Which provider?", Thesis: "Stripe"}},
		"BOM and Windows line ends":     {"\ufeff---\r\ntype: checkpoint\r\nconfidence: 0.8\r\n---\r\n# Which provider?\r\n## Thesis\r\nStripe\r\n", "", stripe},
		"YAML":                          {"core_question: Which provider?\nthesis: Stripe\nconfidence: 0.8\n", "", stripe},
		"YAML with a rule":              {"---\ncore_question: Which provider?\nthesis: Stripe\nconfidence: 0.8\n", "", stripe},
		"YAML under one key":            {"checkpoint:\n  core_question: Which provider?\n  thesis: |\n    Stripe\n  confidence: '0.8'\n", "yaml", stripe},
		"YAML after a comment":          {"# what we know\ncore_question: Which provider?\nthesis: Stripe\nconfidence: .8\n", "", stripe},
		"JSON":                          {`{"core_question": "Which provider?", "thesis": "Stripe", "confidence": 8e-1}`, "", stripe},
		"JSON under one key":            {`{"checkpoint": {"core_question": "Which provider?", "thesis": "Stripe\n", "confidence": 0.80}}`, "json", stripe},
		"fence in a longer text":        {"# Notes\nSo:\n\n  ```checkpoint\n  core_question: |\n    Which provider?\n  thesis: Stripe\n  confidence: 0.8\n  ```\nDone.\n", "", stripe},
		"fence, asked for Markdown":     {"So:\n~~~ checkpoint\ncore_question: Which provider?\nthesis: Stripe\nconfidence: 0.8\n~~~\n", "md", stripe},
		"JSON in a fence":               {"So:\n```checkpoint\n{\"core_question\": \"Which provider?\", \"thesis\": \"Stripe\", \"confidence\": 0.8}\n```\n", "", stripe},
		"Markdown in tags":              {"<checkpoint>\n# Which provider?\n## Thesis\nStripe\n</checkpoint>", "", &sage.Checkpoint{CoreQuestion: "Which provider?", Thesis: "Stripe"}},
		"example in another fence":      {"````md\n```checkpoint\nthesis: no\n```\n````\n```checkpoint\nthesis: yes\n```\n```\nthesis: later\n```\n", "", &sage.Checkpoint{Thesis: "yes"}},
		"the last complete block":       {"<checkpoint>\nthesis: one\n</checkpoint>\n<checkpoint>\nthesis: two\n</checkpoint>\nuse <checkpoint> and </checkpoint>\n<checkpoint>\nthesis: thr", "", &sage.Checkpoint{Thesis: "two"}},
		"attributes":                    {"<checkpoint branch_from=\"cp_1\" trigger='branch-point'>\n  thesis: Square\n</checkpoint>", "", &sage.Checkpoint{Thesis: "Square", BranchFrom: "cp_1", Trigger: sage.BranchPoint}},
		"a block quoted in a thesis":    {"---\ntype: checkpoint\n---\n\n## Thesis\nWrite\n```checkpoint\nthesis: x\n```\n", "", &sage.Checkpoint{Thesis: "Write\n```checkpoint\nthesis: x\n```"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := Parse([]byte(tt.in), tt.format)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(tt.want, got, sagetest.SameValue); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestOtherSpellings(t *testing.T) {
	in := `
created_at: 2026-01-16 12:00:00.5
trigger: Constraint
parent_id: cp_0
goal_type: output
sources:
- {id: a, type: API, core_take: slow, relation: Supports}
tensions:
- {sources: [a, b], nature: speed, resolution: unresolved}
unique_contributions:
- {type: internal knowledge, content: known}
open_questions:
- Option A: cheap
- 0123456
code_refs:
- {file: a.go, lines: [3, 9]}
- {file: b.go, lines: 7}
metadata: {skill: db, message_count: 3}
git_context: {branch: main, commit: 0123456, dirty: true, recent_commits: [x]}
related_knowledge: [k]
novel: {version: 1.10, size: 3, when: 2026-01-16}
`
	want := &sage.Checkpoint{
		Time: noon, Trigger: sage.ConstraintDiscovered, Parents: []string{"cp_0"}, Action: sage.Action{Type: "output"},
		Sources:             []sage.Source{{ID: "a", Type: "api", Take: "slow", Relation: "supports"}},
		Tensions:            []sage.Tension{{Between: []string{"a", "b"}, Nature: "speed", Resolution: "unresolved"}},
		UniqueContributions: []sage.Contribution{{Type: "internal_knowledge", Content: "known"}},
		OpenQuestions:       []string{"Option A: cheap", "0123456"},
		CodeRefs:            []sage.CodeRef{{File: "a.go", Lines: [2]int{3, 9}}, {File: "b.go", Lines: [2]int{7, 7}}},
		Skill:               "db", MessageCount: 3, Code: sage.CodeState{Commit: "0123456", Branch: "main", Dirty: true},
		KnowledgeRecalled: []string{"k"},
		Extra: []sage.Entry{
			{Key: "git_context", Value: map[string]any{"recent_commits": []any{"x"}}},
			{Key: "novel", Value: map[string]any{"version": "1.10", "size": int64(3), "when": "2026-01-16"}},
		},
	}
	got, err := Parse([]byte(in), "")
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, got, sagetest.SameValue); d != "" {
		t.Error(d)
	}
}

// What the tool before us wrote was not escaped, so nothing is unescaped.
func TestOldFile(t *testing.T) {
	in := `---
id: 2026-03-01T10-00-00_swap
type: checkpoint
ts: '2026-01-16T12:00:00.847303+00:00'
trigger: transition
parent_checkpoint: 2026-02-28T10-00-00_start
continues_from: 2026-02-28T10-00-00_start
action_goal: Write 0043
---

# Multi
line question

## Thesis
&#33; stays
## Sources
\## stays

## Next
is text

## Open Questions
- One
more
- ## Thesis

## Thesis
- is late

## Sources
- **a (b)** (api (v2)): x — _with_ inside — _nuances_

## Tensions
- **x** vs **y** vs **z**: three — _custom__

## Unique Contributions
- **dis**covery**: stars

## Code References
- [!] ` + "`old.go:10-90`\n  ```\n  l1\n\n  l2\n  ```\n"
	want := &sage.Checkpoint{
		ID: "2026-03-01T10-00-00_swap", Time: noon, Trigger: sage.TopicShift, Parents: []string{"2026-02-28T10-00-00_start"},
		Action: sage.Action{Goal: "Write 0043"}, CoreQuestion: "Multi\nline question",
		Thesis:              "&#33; stays\n## Sources\n\\## stays\n\n## Next\nis text",
		OpenQuestions:       []string{"One\nmore", "## Thesis\n\n## Thesis", "is late"},
		Sources:             []sage.Source{{ID: "a (b)", Type: "api (v2)", Take: "x — _with_ inside", Relation: "nuances"}},
		Tensions:            []sage.Tension{{Between: []string{"x", "y", "z"}, Nature: "three", Resolution: "custom_"}},
		UniqueContributions: []sage.Contribution{{Type: "dis**covery", Content: "stars"}},
		CodeRefs:            []sage.CodeRef{{File: "old.go", Lines: [2]int{10, 90}, Snippet: "l1\n\nl2", Relevance: "stale"}},
		Extra:               []sage.Entry{{Key: "continues_from", Value: "2026-02-28T10-00-00_start"}},
	}
	got, err := Parse([]byte(in), "")
	if got == nil {
		t.Fatal(err)
	}
	if err == nil || !strings.Contains(err.Error(), "sources[0].type") {
		t.Errorf("unknown words pass: %v", err)
	}
	if d := cmp.Diff(want, got, sagetest.SameValue); d != "" {
		t.Error(d)
	}
	sagetest.CheckCanonical(t, codec.Marshal(got), codec.Parse, codec.Marshal)
}

func TestRescuedConversation(t *testing.T) {
	in := "---\nid: 2026-06-02T16-00-00_recovery-outage\ntype: recovery\ntrigger: pre_compact\nextracted_at: '2026-01-16T12:00:00+00:00'\nsalience_score: 0.8\n---\n\n# Outage\n\n## Decisions\n- Raise it\n"
	want := &sage.Checkpoint{
		ID: "2026-06-02T16-00-00_recovery-outage", Time: noon, Trigger: sage.Recovery, CoreQuestion: "Outage\n\n## Decisions\n- Raise it",
		Extra: []sage.Entry{{Key: "salience_score", Value: 0.8}, {Key: "recovery_trigger", Value: "pre_compact"}},
	}
	got, err := Parse([]byte(in), "")
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, got, sagetest.SameValue); d != "" {
		t.Error(d)
	}
}

func TestRefusedInput(t *testing.T) {
	tests := map[string]struct{ in, format, want string }{
		"empty":                {" \n", "", "no checkpoint: the text is empty"},
		"prose":                {"Just a note.\n", "", "no checkpoint found"},
		"note with a list":     {"note:\n- a: [\n", "", "no checkpoint found"},
		"format":               {"a", "xml", "format 'xml': want md, yaml or json"},
		"key of a brief":       {"conclusion: x", "", "conclusion: unknown key; did you mean 'thesis'?"},
		"near key":             {"theses: x", "", "theses: unknown key; did you mean 'thesis'?"},
		"near key inside":      {"sources: [{id: a, relatoin: supports}]", "yaml", "sources[0].relatoin: unknown key; did you mean 'relation'?"},
		"wrong type":           {"thesis: [a]", "yaml", "thesis: want text, have a list"},
		"not a number":         {"confidence: high", "yaml", "confidence: want a number from 0 to 1, or a percentage such as 80%, have 'high'"},
		"out of range":         {"confidence: 180", "yaml", "confidence: want a number from 0 to 1, have 180"},
		"not a time":           {"ts: 2026-02-30", "yaml", "ts: want a time such as 2026-01-16T12:00:00Z, have '2026-02-30'"},
		"list wanted":          {"open_questions: {a: b, c: d}", "yaml", "open_questions: want a list of texts, have a mapping"},
		"mapping wanted":       {"sources: [[x]]", "yaml", "sources[0]: want a mapping of id, type"},
		"word":                 {"thesis: a\ntrigger: whim", "", "trigger: want one of manual, synthesis"},
		"lines":                {"code_refs: [{file: a, lines: all}]", "yaml", "code_refs[0].lines: want lines such as 10-20"},
		"both spellings":       {"ts: 2026-01-16\ncreated_at: 2026-01-17", "yaml", "created_at: is another name for 'ts', which is given too"},
		"other type":           {"---\ntype: knowledge\n---\n# x\n", "", "type: want 'checkpoint', have 'knowledge'"},
		"open block":           {"So\n```checkpoint\nthesis: a\n", "", "the checkpoint block is not closed"},
		"open front matter":    {"---\nthesis: a\n", "md", "front matter is not closed"},
		"text first":           {"---\ntype: checkpoint\n---\nhello\n## Thesis\n", "", "text before the first heading"},
		"alias":                {"a: &x 1\nthesis: *x", "yaml", "aliases are not supported"},
		"tag":                  {"thesis: !!python/name:os.system x", "yaml", "is not supported"},
		"twice":                {"thesis: a\nthesis: b", "yaml", "key 'thesis' is given twice"},
		"twice in JSON":        {`{"a": 1, "a": 2}`, "", "key 'a' is given twice"},
		"two documents":        {"thesis: a\n---\nthesis: b\n", "yaml", "more than one document"},
		"two JSON values":      {`{} {}`, "", "text after the end"},
		"cut JSON":             {`{"thesis": "a`, "", "json: the text ends before the value does"},
		"open JSON":            {`{"thesis": 3`, "", "json: the text ends before the value does"},
		"deep JSON":            {strings.Repeat("[", 100), "json", "nested more than 64 deep"},
		"deep YAML":            {"a: " + strings.Repeat("[", 100) + strings.Repeat("]", 100), "yaml", "nested more than 64 deep"},
		"NUL":                  {"thesis: a\nx: \x00", "", "line 2: NUL byte"},
		"not UTF-8":            {"thesis: \xe9", "", "text is not UTF-8"},
		"UTF-16":               {"\xff\xfet\x00", "", "text is UTF-16"},
		"too big":              {strings.Repeat("a", codec.MaxSize+1), "", "bytes exceed the limit of"},
		"control in a message": {"x\x1b[31m_y: 1\nconfidence: \"\\e[31m\"", "yaml", `control characters`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := Parse([]byte(tt.in), tt.format)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
}

// FuzzParseInput: whatever comes, no panic, and what is accepted can be stored.
func FuzzParseInput(f *testing.F) {
	for _, s := range []string{
		"thesis: a", `{"thesis": "a"}`, "<checkpoint a='b'>\nthesis: a\n</checkpoint>", "```checkpoint\nthesis: |\n  a\n```",
		"---\nid: 2026-03-01T10-00-00_a\ntype: recovery\n---\n# a\n\n## Sources\n- **a** (b): c — _d_\n", "metadata: {a: b}\ngit_context: {}\nparent_id: x",
	} {
		f.Add([]byte(s), "")
	}
	f.Fuzz(func(t *testing.T, b []byte, format string) {
		c, err := Parse(b, format)
		if c == nil {
			return
		}
		sagetest.CheckCanonical(t, codec.Marshal(c), codec.Parse, codec.Marshal)
		got, perr := codec.Parse(codec.Export(c))
		if err != nil {
			return // what Validate refuses is not stored
		}
		if perr != nil {
			t.Fatal(perr)
		}
		if d := cmp.Diff(c, got, sagetest.SameValue); d != "" {
			t.Fatal(d)
		}
	})
}

// Whatever the format, a text in place of a mapping means the same, and nothing is
// called unnamed.
func TestTextsInPlaceOfMappings(t *testing.T) {
	want := &sage.Checkpoint{
		Thesis:      "t",
		KeyEvidence: []string{"p99 is 800 ms", "p50: 20 ms"},
		Sources:     []sage.Source{{ID: "RFC 6749"}, {ID: "blog", Take: "tokens rotate"}},
	}
	for format, text := range map[string]string{
		"yaml": "thesis: t\nkey_evidence:\n- p99 is 800 ms\n- 'p50: 20 ms'\nsources:\n- RFC 6749\n- blog: tokens rotate\n",
		"json": `{"thesis":"t","key_evidence":"- p99 is 800 ms\n- p50: 20 ms","sources":["RFC 6749","blog: tokens rotate"]}`,
		"md":   "## Thesis\nt\n\n## Key Evidence\n- p99 is 800 ms\n- p50: 20 ms\n\n## Sources\n- RFC 6749\n- blog: tokens rotate\n",
		"":     "```checkpoint\nthesis: t\nkey_evidence: |\n  p99 is 800 ms\n  p50: 20 ms\nsources: |\n  RFC 6749\n  blog: tokens rotate\n```\n",
	} {
		got, err := Parse([]byte(text), format)
		if d := cmp.Diff(want, got); d != "" || err != nil {
			t.Errorf("%s: %v, -want +got\n%s", format, err, d)
		}
	}
	got, err := Parse([]byte(`{"tensions":["a vs b: cost [moot]","too dear"],"unique_contributions":"experiment: 7 fail","code_refs":["a.go:1-2:stale"],"sources":{"id":"x"}}`), "json")
	other := &sage.Checkpoint{
		Tensions:            []sage.Tension{{Between: []string{"a", "b"}, Nature: "cost", Resolution: "moot"}, {Nature: "too dear", Resolution: "unresolved"}},
		UniqueContributions: []sage.Contribution{{Type: "experiment", Content: "7 fail"}},
		CodeRefs:            []sage.CodeRef{{File: "a.go", Lines: [2]int{1, 2}, Relevance: "stale"}},
		Sources:             []sage.Source{{ID: "x"}},
	}
	if d := cmp.Diff(other, got); d != "" || err != nil {
		t.Errorf("%v, -want +got\n%s", err, d)
	}
	for _, bad := range []string{`{"sources":["a:document:supports"]}`, `{"sources":[{"relaton":"supports"}]}`, `{"code_refs":["a.go:9-2"]}`} {
		if _, err := Parse([]byte(bad), "json"); err == nil {
			t.Errorf("%s was taken", bad)
		}
	}
}

// Large texts of every sort that once took quadratic time, or might. Each ends
// well within a test's time if it takes linear time, and does not otherwise.
// Case L171.
func TestLargeTexts(t *testing.T) {
	const n = 300_000
	fill := func(s string) string { return strings.Repeat(s, n/len(s)) }
	var keys strings.Builder
	for i := range n / 10 {
		fmt.Fprintf(&keys, "key%d: 1\n", i)
	}
	head := "---\ntype: checkpoint\n---\n"
	for name, in := range map[string]string{
		"lines of an item": head + "## Key Evidence\n- a\n" + fill("  b\n"),
		"blank lines":      head + "## Key Evidence\n- a\n" + fill("\n") + "  b\n",
		"items":            head + "## Sources\n" + fill("- **a** (b): c — _d_\n"),
		"stars":            head + "## Sources\n- " + fill("**a** ("),
		"sub lines":        head + "## Sources\n- a\n" + fill("  - identifier: x\n"),
		"back quotes":      head + "## Code References\n- `a`\n  ```\n  " + fill("`") + "\n  ```\n",
		"headings":         head + fill("## Thesis\n"),
		"references":       head + "## Thesis\n" + fill("&#"),
		"backslashes":      head + "## Thesis\n" + fill(`\`) + "## x",
		"keys":             "---\n" + keys.String() + "---\n",
		"comments":         "---\n" + fill("# c\n") + "---\n",
		"list":             "---\na:\n" + fill("- b\n") + "---\n",
		"flow":             "---\na: [" + fill("b,") + "]\n---\n",
		"tags":             fill("<checkpoint>\n"),
		"closing tags":     fill("<checkpoint>\n</checkpoint>"),
		"fences":           fill("```checkpoint\n"),
		"wrong":            "sources: [" + fill("x,") + "]",
	} {
		t.Run(name, func(t *testing.T) {
			if c, err := codec.Parse([]byte(in)); err == nil {
				sagetest.CheckCanonical(t, codec.Marshal(c), codec.Parse, codec.Marshal)
			} else if len(err.Error()) > 5000 {
				t.Errorf("the error has %d bytes", len(err.Error()))
			}
			if c, err := Parse([]byte(in), ""); err != nil && len(err.Error()) > 5000 {
				t.Errorf("the error has %d bytes", len(err.Error()))
			} else if c != nil {
				sage.Describe(c, 0)
			}
		})
	}
}

// Unquoted words of YAML 1.1 are words here: replicated: no is not false.
func TestDomainInput(t *testing.T) {
	in := "domain: literature\ndomain_data:\n  replication_status:\n  - {finding: x, replicated: no}\n  - {finding: y, replicated: yes}\n"
	if _, err := Parse([]byte(in), ""); err != nil {
		t.Error(err)
	}
}
