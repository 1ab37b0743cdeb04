package codec

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/versions"
	"github.com/git-sage/git-sage/gitstore/sagetest"
)

func anyEntries(known func(string) bool) *rapid.Generator[[]sage.Entry] {
	return rapid.Custom(func(t *rapid.T) (out []sage.Entry) {
		seen := map[string]bool{}
		for range rapid.IntRange(0, 2).Draw(t, "extra") {
			if k := sagetest.Text().Draw(t, "key"); !seen[k] && !known(k) {
				seen[k] = true
				out = append(out, sage.Entry{Key: k, Value: sagetest.Value(3).Draw(t, "value")})
			}
		}
		return out
	})
}

func anyItem() *rapid.Generator[*sage.Item] {
	return rapid.Custom(func(t *rapid.T) *sage.Item {
		s := func() string { return sagetest.Text().Draw(t, "s") }
		l := func() []string { return sagetest.Texts().Draw(t, "l") }
		day := func() time.Time {
			return time.Unix(rapid.Int64Range(-62135596799, 253402300799).Draw(t, "time"), 0).UTC()
		}
		it := &sage.Item{
			ID: s(), Type: sage.ItemType("t" + s()), Keywords: l(), Patterns: l(), When: l(), Source: s(), Added: day(), Updated: day(),
			Scope:  sage.Scope{Skills: l(), Always: rapid.Bool().Draw(t, "always"), Paths: l(), User: rapid.Bool().Draw(t, "user"), Extra: anyEntries(func(k string) bool { return Find((&sage.Scope{}).Fields(), k) != nil }).Draw(t, "scope")},
			Status: sage.Status("s" + s()), Reason: s(), Replacement: s(), Approach: s(), WhyFailed: s(), Learned: s(), DeletedBy: l(),
			Content: versions.Tidy(strings.ReplaceAll(s(), "\x00", "")), Extra: anyEntries(func(k string) bool { return sage.IsItemKey(k) || k == "skill" }).Draw(t, "extra"),
		}
		for range rapid.IntRange(0, 3).Draw(t, "links") {
			kind := rapid.SampledFrom(append(slices.Clone(sage.LinkKinds), "of its own")).Draw(t, "kind")
			it.Links = append(it.Links, sage.Link{Kind: kind, To: s()})
		}
		it.Links = sage.LinksOf(sage.LinkFields(it.Links))
		for range rapid.IntRange(0, 2).Draw(t, "refs") {
			it.CodeRefs = append(it.CodeRefs, sage.CodeRef{File: s(), Lines: [2]int{rapid.IntRange(1, 9).Draw(t, "from"), rapid.IntRange(-9, 9).Draw(t, "to")}, Blob: s(), Symbol: s(), Snippet: s(), Relevance: s()})
		}
		return it
	})
}

func TestPrintedItemReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		it := anyItem().Draw(t, "item")
		b := MarshalItem(it)
		got, err := ParseItem(b)
		if err != nil {
			t.Fatalf("%v\n%s", err, b)
		}
		if d := cmp.Diff(it, got, sagetest.SameValue); d != "" {
			t.Fatalf("%s\n%s", d, b)
		}
		if d := cmp.Diff(string(b), string(MarshalItem(got))); d != "" {
			t.Fatalf("not canonical: %s", d)
		}
		if d := cmp.Diff(it, it.Clone(), sagetest.SameValue); d != "" {
			t.Fatal(d)
		}
	})
}

func TestParseItem(t *testing.T) {
	for name, tt := range map[string]struct {
		text string
		want sage.Item
		err  string
	}{
		"plain":     {text: "# Only text\n", want: sage.Item{Type: sage.Knowledge, Status: sage.Active, Content: "# Only text"}},
		"empty":     {text: "", want: sage.Item{Type: sage.Knowledge, Status: sage.Active}},
		"windows":   {text: "\ufeff---\r\ntype: todo\r\n---\r\n\r\none\r\ntwo\r\n", want: sage.Item{Type: sage.Todo, Status: sage.Pending, Content: "one\ntwo"}},
		"one text":  {text: "---\nkeywords: staging\nscope: {skills: privacy}\nlinks: {related: y}\n---\nx", want: sage.Item{Type: sage.Knowledge, Status: sage.Active, Keywords: []string{"staging"}, Scope: sage.Scope{Skills: []string{"privacy"}}, Links: []sage.Link{{Kind: sage.Related, To: "y"}}, Content: "x"}},
		"old skill": {text: "---\nskill: privacy\ntokens: 12\n---\nx", want: sage.Item{Type: sage.Knowledge, Status: sage.Active, Scope: sage.Scope{Skills: []string{"privacy"}}, Content: "x"}},
		"no skill":  {text: "---\nskill: null\n---\nx", want: sage.Item{Type: sage.Knowledge, Status: sage.Active, Content: "x"}},
		"both":      {text: "---\nskill: a\nscope: {always: true}\n---\nx", want: sage.Item{Type: sage.Knowledge, Status: sage.Active, Scope: sage.Scope{Always: true}, Content: "x", Extra: []sage.Entry{{Key: "skill", Value: "a"}}}},
		"rule":      {text: "---\nid: x\n---\n\na\n\n---\n\nb\n", want: sage.Item{ID: "x", Type: sage.Knowledge, Status: sage.Active, Content: "a\n\n---\n\nb"}},
		"no end":    {text: "---\nid: x\n", err: "front matter is not closed"},
		"list":      {text: "---\n- a\n---\n", err: "front matter: want a mapping, have a list"},
		"YAML":      {text: "---\n\t: [\n---\n", err: "front matter: yaml: "},
		"time":      {text: "---\nadded: soon\n---\n", err: "added: want a time such as"},
		"links":     {text: "---\nlinks: [a]\n---\n", err: "links: want a mapping of related, supersedes"},
		"scope":     {text: "---\nscope: all\n---\n", err: "scope: want a mapping of skills, always, paths, user, have 'all'"},
		"twice":     {text: "---\nid: a\nid: b\n---\n", err: "'id' is given twice"},
		"NUL":       {text: "a\x00b", err: "NUL byte"},
		"bytes":     {text: "\xff", err: "not UTF-8"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := ParseItem([]byte(tt.text))
			if tt.err != "" {
				if err == nil || !strings.Contains(err.Error(), tt.err) {
					t.Errorf("got %v, want %s", err, tt.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(&tt.want, got, sagetest.SameValue); d != "" {
				t.Error(d)
			}
		})
	}
}

// What has its own place is not printed twice.
func TestExtraIsNotWhatIsKnown(t *testing.T) {
	it := sage.Item{ID: "x", Type: sage.Todo, Status: sage.Done, Content: "c", Extra: []sage.Entry{{Key: "id", Value: "y"}, {Key: "tokens", Value: 3}, {Key: "z", Value: int64(1)}}, Scope: sage.Scope{Extra: []sage.Entry{{Key: "user", Value: true}, {Key: "moon", Value: "full"}}}}
	want := "---\nid: x\ntype: todo\nscope:\n  moon: full\nstatus: done\nz: 1\n---\n\nc\n"
	if d := cmp.Diff(want, string(MarshalItem(&it))); d != "" {
		t.Error(d)
	}
}

func TestMapTextOfItem(t *testing.T) {
	it := sagetest.Parsed(t, ParseItem, sagetest.Left)
	it.Patterns, it.CodeRefs = []string{"p"}, []sage.CodeRef{{File: "f.go", Blob: "8d1f0a6b", Relevance: "supports"}}
	it.Scope = sage.Scope{Skills: []string{"privacy", "Not A Name"}, Extra: []sage.Entry{{Key: "k", Value: "v"}}}
	var seen []string
	err := it.MapText(func(s string) (string, error) { seen = append(seen, s); return "-" + s, nil })
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []string{"x", "knowledge", "active", "related", "other", "z", "8d1f0a6b", "supports", "8d1f0a6b2c3e4f5061728394a5b6c7d8e9f00112"} {
		if slices.Contains(seen, s) {
			t.Errorf("%q is no text of a person", s)
		}
	}
	for _, s := range []string{"a", "p", "a book", "a talk", "Not A Name", "v", "f.go", "mood", "deep"} {
		if !slices.Contains(seen, s) {
			t.Errorf("%q was not seen", s)
		}
	}
	if it.Source != "-a book" || it.Extra[0].Key != "-mood" || !strings.HasPrefix(it.Content, "-") {
		t.Errorf("%+v", it)
	}
}
