package sage

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseTakesWhatPeopleEdit(t *testing.T) {
	head := "---\ntype: checkpoint\n---\n"
	tests := map[string]struct {
		in   string
		want *Checkpoint
	}{
		"front matter only":      {"---\ntype: checkpoint\n---", &Checkpoint{}},
		"empty front matter":     {"---\n---\n# Why?\n", &Checkpoint{CoreQuestion: "Why?"}},
		"rule inside a value":    {"---\nthesis: |\n  a\n  ---\n  b\ntype: checkpoint\n---\n", &Checkpoint{Thesis: "a\n---\nb\n"}},
		"rule in the body":       {head + "## Thesis\n---\n", &Checkpoint{Thesis: "---"}},
		"unknown words stay":     {"---\ntype: checkpoint\ntrigger: later\n---\n## Tensions\n- **a**: b — _parked_\n", &Checkpoint{Trigger: "later", Tensions: []Tension{{[]string{"a"}, "b", "parked"}}}},
		"near keys stay":         {"---\ntheses: 1\ncode: {commit: a, comit: 2}\n---\n", &Checkpoint{Code: CodeState{Commit: "a"}, Extra: []Entry{{"theses", int64(1)}, {"code.comit", int64(2)}}}},
		"unset keys":             {"---\nskill:\nconfidence: null\naliases: []\ndomain_data: {}\n---\n", &Checkpoint{}},
		"numbers for text":       {"---\nskill: 0123456\nid: 1e3\n---\n", &Checkpoint{Skill: "0123456", ID: "1e3"}},
		"any order, any case":    {head + "## Open Questions\n- a\n## THESIS\nb\n", &Checkpoint{OpenQuestions: []string{"a"}, Thesis: "b"}},
		"a section twice":        {head + "## Thesis\na\n## Thesis\nb\n## Key Evidence\n- a\n## Key Evidence\n- b\n", &Checkpoint{Thesis: "a\n\nb", KeyEvidence: []string{"a", "b"}}},
		"other bullets":          {head + "## Key Evidence\n* a\n1. b\n\n+ c\nnot indented\n  indented\n\n  after a blank line\n", &Checkpoint{KeyEvidence: []string{"a", "b", "c\nnot indented\nindented\n\nafter a blank line"}}},
		"unknown heading":        {head + "## Thesis\na\n\n## Next\nb\n", &Checkpoint{Thesis: "a\n\n## Next\nb"}},
		"list without bullets":   {head + "## Key Evidence\nnone yet\n", &Checkpoint{KeyEvidence: []string{"none yet"}}},
		"references that escape": {head + "## Thesis\nR&D &amp;amp; &#97; &#xx; &#55296; &lt;\n", &Checkpoint{Thesis: "R&D &amp; a &#xx; &#55296; &lt;"}},
		"source without a head":  {head + "## Sources\n- somebody said so\n- **b** (x) no colon\n", &Checkpoint{Sources: []Source{{Take: "somebody said so"}, {Take: "**b** (x) no colon"}}}},
		"code without quotes":    {head + "## Code References\n- main.go\n- `a.go:99999999999999999999`\n- `b.go:0`\n", &Checkpoint{CodeRefs: []CodeRef{{File: "main.go"}, {File: "a.go:99999999999999999999"}, {File: "b.go:0"}}}},
		"open fence":             {head + "## Code References\n- `a`\n  ```\n  x\n", &Checkpoint{CodeRefs: []CodeRef{{File: "`a`\n```\nx"}}}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := Parse([]byte(tt.in))
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(tt.want, got, sameValue); d != "" {
				t.Error(d)
			}
			checkCanonical(t, Marshal(got), Parse, Marshal)
		})
	}
}

func TestParseRefuses(t *testing.T) {
	tests := map[string]struct{ in, want string }{
		"nothing":         {"", "no front matter"},
		"no front matter": {"# Why?\n", "no front matter"},
		"no end":          {"---\ntype: checkpoint\n", "no front matter"},
		"only indented":   {"---\na: |\n  ---\n", "no front matter"},
		"other end":       {"---\ntype: checkpoint\n...\n", "no front matter"},
		"list":            {"---\n- a\n---\n", "front matter: want a mapping, have a list"},
		"conflict":        {"---\n<<<<<<< ours\na: b\n---\n", "front matter: yaml:"},
		"bad quote":       {"---\na: \"b\n---\n", "front matter: yaml:"},
		"bomb":            {"---\na: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n---\n", "aliases are not supported"},
		"merge":           {"---\na: &a {x: 1}\n<<: *a\n---\n", "aliases are not supported"},
		"second document": {"---\na: b\n... \nc: d\n---\n", "more than one document"},
		"key is a list":   {"---\n[a]: b\n---\n", "a key must be text"},
		"binary":          {"---\na: !!binary aGk=\n---\n", "tag !!binary is not supported"},
		"wrong type":      {"---\nmessage_count: many\ncode: main\n---\n", "message_count: want a whole number, have 'many'\ncode: want a mapping of commit, branch, tree, patch_id, dirty, have 'main'"},
		"raw control":     {"---\na: \"\x01\"\n---\n", "control characters"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := Parse([]byte(tt.in))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
}

// What cannot be said in the format is said as nearly as possible.
func TestMarshalMendsWhatCannotBeStored(t *testing.T) {
	c := &Checkpoint{
		Thesis: "a\xffb", Fields: map[string]any{"n": 3, "l": []string{"x"}, "o": struct{ A int }{1}},
		Extra: []Entry{{"skill", "hidden by the field"}, {"x", int64(1)}, {"x", int64(2)}},
	}
	want := &Checkpoint{
		Thesis: "a\ufffdb", Fields: map[string]any{"n": int64(3), "l": []any{"x"}, "o": "{1}"}, Extra: []Entry{{"x", int64(1)}},
	}
	got, err := Parse(Marshal(c))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, got, sameValue); d != "" {
		t.Error(d)
	}
}

func TestLongKeysReadBack(t *testing.T) {
	key := strings.Repeat("k ", 2000)
	deep := map[string]any{key: map[string]any{key: []any{map[string]any{key: "v", "w": []any{}}, []any{[]any{int64(1)}}}}}
	c := &Checkpoint{DomainData: deep, Extra: []Entry{{key, []any{deep}}, {key + "x", nil}}}
	got, err := Parse(Marshal(c))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(c, got, sameValue); d != "" {
		t.Error(d)
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
			if c, err := Parse([]byte(in)); err == nil {
				checkCanonical(t, Marshal(c), Parse, Marshal)
			} else if len(err.Error()) > 5000 {
				t.Errorf("the error has %d bytes", len(err.Error()))
			}
			if c, err := ParseInput([]byte(in), ""); err != nil && len(err.Error()) > 5000 {
				t.Errorf("the error has %d bytes", len(err.Error()))
			} else if c != nil {
				Describe(c, 0)
			}
		})
	}
}

// Of a long text that came from elsewhere no more is read than its beginning, which says
// what it is about.
func TestParseBeginning(t *testing.T) {
	const head = "---\ntype: checkpoint\ntrigger: manual\n"
	long := strings.Repeat("- e\n", 1000)
	for name, in := range map[string]string{
		"body":  head + "---\n\n# Why?\n\n## Thesis\nSo.\n\n## Key Evidence\n" + long + "\n## Sources\n- **a** (b): c — _d_\n",
		"front": head + "files_explored:\n" + long + "skill: x\n---\n\n# Why?\n\n## Thesis\nSo.\n",
		"flow":  head + "domain_data: {a: [\nx,\n" + strings.Repeat("x,\n", 1000) + "]}\n---\n\n# Why?\n\n## Thesis\nSo.\n",
	} {
		c, err := ParseBeginning([]byte(in), 400)
		if err != nil || c.CoreQuestion != "Why?" || c.Thesis != "So." || len(c.KeyEvidence) > 100 || len(c.FilesExplored) > 0 || len(c.Sources) > 0 {
			t.Errorf("%s: %v %+v", name, err, c)
		}
		whole, err := ParseBeginning([]byte(in), len(in))
		if err != nil || len(whole.KeyEvidence)+len(whole.FilesExplored)+len(whole.DomainData) == 0 {
			t.Errorf("%s, of which all is wanted: %v", name, err)
		}
	}
	if _, err := ParseBeginning([]byte(strings.Repeat("text\n", 1000)), 400); err == nil {
		t.Error("what is no checkpoint is read")
	}
}
