package codec

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sagetest"
)

func TestParseTakesWhatPeopleEdit(t *testing.T) {
	head := "---\ntype: checkpoint\n---\n"
	tests := map[string]struct {
		in   string
		want *sage.Checkpoint
	}{
		"front matter only":      {"---\ntype: checkpoint\n---", &sage.Checkpoint{}},
		"empty front matter":     {"---\n---\n# Why?\n", &sage.Checkpoint{CoreQuestion: "Why?"}},
		"rule inside a value":    {"---\nthesis: |\n  a\n  ---\n  b\ntype: checkpoint\n---\n", &sage.Checkpoint{Thesis: "a\n---\nb\n"}},
		"rule in the body":       {head + "## Thesis\n---\n", &sage.Checkpoint{Thesis: "---"}},
		"unknown words stay":     {"---\ntype: checkpoint\ntrigger: later\n---\n## Tensions\n- **a**: b — _parked_\n", &sage.Checkpoint{Trigger: "later", Tensions: []sage.Tension{{Between: []string{"a"}, Nature: "b", Resolution: "parked"}}}},
		"near keys stay":         {"---\ntheses: 1\ncode: {commit: a, comit: 2}\n---\n", &sage.Checkpoint{Code: sage.CodeState{Commit: "a"}, Extra: []sage.Entry{{Key: "theses", Value: int64(1)}, {Key: "code.comit", Value: int64(2)}}}},
		"unset keys":             {"---\nskill:\nconfidence: null\naliases: []\ndomain_data: {}\n---\n", &sage.Checkpoint{}},
		"numbers for text":       {"---\nskill: 0123456\nid: 1e3\n---\n", &sage.Checkpoint{Skill: "0123456", ID: "1e3"}},
		"any order, any case":    {head + "## Open Questions\n- a\n## THESIS\nb\n", &sage.Checkpoint{OpenQuestions: []string{"a"}, Thesis: "b"}},
		"a section twice":        {head + "## Thesis\na\n## Thesis\nb\n## Key Evidence\n- a\n## Key Evidence\n- b\n", &sage.Checkpoint{Thesis: "a\n\nb", KeyEvidence: []string{"a", "b"}}},
		"other bullets":          {head + "## Key Evidence\n* a\n1. b\n\n+ c\nnot indented\n  indented\n\n  after a blank line\n", &sage.Checkpoint{KeyEvidence: []string{"a", "b", "c\nnot indented\nindented\n\nafter a blank line"}}},
		"unknown heading":        {head + "## Thesis\na\n\n## Next\nb\n", &sage.Checkpoint{Thesis: "a\n\n## Next\nb"}},
		"list without bullets":   {head + "## Key Evidence\nnone yet\n", &sage.Checkpoint{KeyEvidence: []string{"none yet"}}},
		"references that escape": {head + "## Thesis\nR&D &amp;amp; &#97; &#xx; &#55296; &lt;\n", &sage.Checkpoint{Thesis: "R&D &amp; a &#xx; &#55296; &lt;"}},
		"source without a head":  {head + "## Sources\n- somebody said so\n- **b** (x) no colon\n", &sage.Checkpoint{Sources: []sage.Source{{Take: "somebody said so"}, {Take: "**b** (x) no colon"}}}},
		"code without quotes":    {head + "## Code References\n- main.go\n- `a.go:99999999999999999999`\n- `b.go:0`\n", &sage.Checkpoint{CodeRefs: []sage.CodeRef{{File: "main.go"}, {File: "a.go:99999999999999999999"}, {File: "b.go:0"}}}},
		"open fence":             {head + "## Code References\n- `a`\n  ```\n  x\n", &sage.Checkpoint{CodeRefs: []sage.CodeRef{{File: "`a`\n```\nx"}}}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := Parse([]byte(tt.in))
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(tt.want, got, sagetest.SameValue); d != "" {
				t.Error(d)
			}
			sagetest.CheckCanonical(t, Marshal(got), Parse, Marshal)
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
	c := &sage.Checkpoint{
		Thesis: "a\xffb", Fields: map[string]any{"n": 3, "l": []string{"x"}, "o": struct{ A int }{1}},
		Extra: []sage.Entry{{Key: "skill", Value: "hidden by the field"}, {Key: "x", Value: int64(1)}, {Key: "x", Value: int64(2)}},
	}
	want := &sage.Checkpoint{
		Thesis: "a\ufffdb", Fields: map[string]any{"n": int64(3), "l": []any{"x"}, "o": "{1}"}, Extra: []sage.Entry{{Key: "x", Value: int64(1)}},
	}
	got, err := Parse(Marshal(c))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, got, sagetest.SameValue); d != "" {
		t.Error(d)
	}
}

func TestLongKeysReadBack(t *testing.T) {
	key := strings.Repeat("k ", 2000)
	deep := map[string]any{key: map[string]any{key: []any{map[string]any{key: "v", "w": []any{}}, []any{[]any{int64(1)}}}}}
	c := &sage.Checkpoint{DomainData: deep, Extra: []sage.Entry{{Key: key, Value: []any{deep}}, {Key: key + "x", Value: nil}}}
	got, err := Parse(Marshal(c))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(c, got, sagetest.SameValue); d != "" {
		t.Error(d)
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
