package sage

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func anyEntries(known func(string) bool) *rapid.Generator[[]Entry] {
	return rapid.Custom(func(t *rapid.T) (out []Entry) {
		seen := map[string]bool{}
		for range rapid.IntRange(0, 2).Draw(t, "extra") {
			if k := anyText().Draw(t, "key"); !seen[k] && !known(k) {
				seen[k] = true
				out = append(out, Entry{k, anyValue(3).Draw(t, "value")})
			}
		}
		return out
	})
}

func anyItem() *rapid.Generator[*Item] {
	return rapid.Custom(func(t *rapid.T) *Item {
		s := func() string { return anyText().Draw(t, "s") }
		l := func() []string { return anyTexts().Draw(t, "l") }
		day := func() time.Time {
			return time.Unix(rapid.Int64Range(-62135596799, 253402300799).Draw(t, "time"), 0).UTC()
		}
		it := &Item{
			ID: s(), Type: ItemType("t" + s()), Keywords: l(), Patterns: l(), When: l(), Source: s(), Added: day(), Updated: day(),
			Scope:  Scope{Skills: l(), Always: rapid.Bool().Draw(t, "always"), Paths: l(), User: rapid.Bool().Draw(t, "user"), Extra: anyEntries(func(k string) bool { return find((&Scope{}).fields(), k) != nil }).Draw(t, "scope")},
			Status: Status("s" + s()), Reason: s(), Replacement: s(), Approach: s(), WhyFailed: s(), Learned: s(), DeletedBy: l(),
			Content: tidyContent(strings.ReplaceAll(s(), "\x00", "")), Extra: anyEntries(func(k string) bool { return isItemKey(k) || k == "skill" }).Draw(t, "extra"),
		}
		for range rapid.IntRange(0, 3).Draw(t, "links") {
			kind := rapid.SampledFrom(append(slices.Clone(linkKinds), "of its own")).Draw(t, "kind")
			it.Links = append(it.Links, Link{kind, s()})
		}
		it.Links = fromFields(linkFields(it.Links))
		for range rapid.IntRange(0, 2).Draw(t, "refs") {
			it.CodeRefs = append(it.CodeRefs, CodeRef{s(), [2]int{rapid.IntRange(1, 9).Draw(t, "from"), rapid.IntRange(-9, 9).Draw(t, "to")}, s(), s(), s(), s()})
		}
		return it
	})
}

func TestPrintedItemReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		it := anyItem().Draw(t, "item")
		b := it.Marshal()
		got, err := ParseItem(b)
		if err != nil {
			t.Fatalf("%v\n%s", err, b)
		}
		if d := cmp.Diff(it, got, sameValue); d != "" {
			t.Fatalf("%s\n%s", d, b)
		}
		if d := cmp.Diff(string(b), string(got.Marshal())); d != "" {
			t.Fatalf("not canonical: %s", d)
		}
		if d := cmp.Diff(it, it.Clone(), sameValue); d != "" {
			t.Fatal(d)
		}
	})
}

func TestParseItem(t *testing.T) {
	for name, tt := range map[string]struct {
		text string
		want Item
		err  string
	}{
		"plain":     {text: "# Only text\n", want: Item{Type: Knowledge, Status: Active, Content: "# Only text"}},
		"empty":     {text: "", want: Item{Type: Knowledge, Status: Active}},
		"windows":   {text: "\ufeff---\r\ntype: todo\r\n---\r\n\r\none\r\ntwo\r\n", want: Item{Type: Todo, Status: Pending, Content: "one\ntwo"}},
		"one text":  {text: "---\nkeywords: staging\nscope: {skills: privacy}\nlinks: {related: y}\n---\nx", want: Item{Type: Knowledge, Status: Active, Keywords: []string{"staging"}, Scope: Scope{Skills: []string{"privacy"}}, Links: []Link{{Related, "y"}}, Content: "x"}},
		"old skill": {text: "---\nskill: privacy\ntokens: 12\n---\nx", want: Item{Type: Knowledge, Status: Active, Scope: Scope{Skills: []string{"privacy"}}, Content: "x"}},
		"no skill":  {text: "---\nskill: null\n---\nx", want: Item{Type: Knowledge, Status: Active, Content: "x"}},
		"both":      {text: "---\nskill: a\nscope: {always: true}\n---\nx", want: Item{Type: Knowledge, Status: Active, Scope: Scope{Always: true}, Content: "x", Extra: []Entry{{"skill", "a"}}}},
		"rule":      {text: "---\nid: x\n---\n\na\n\n---\n\nb\n", want: Item{ID: "x", Type: Knowledge, Status: Active, Content: "a\n\n---\n\nb"}},
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
			if d := cmp.Diff(&tt.want, got, sameValue); d != "" {
				t.Error(d)
			}
		})
	}
}

// What has its own place is not printed twice.
func TestExtraIsNotWhatIsKnown(t *testing.T) {
	it := Item{ID: "x", Type: Todo, Status: Done, Content: "c", Extra: []Entry{{"id", "y"}, {"tokens", 3}, {"z", int64(1)}}, Scope: Scope{Extra: []Entry{{"user", true}, {"moon", "full"}}}}
	want := "---\nid: x\ntype: todo\nscope:\n  moon: full\nstatus: done\nz: 1\n---\n\nc\n"
	if d := cmp.Diff(want, string(it.Marshal())); d != "" {
		t.Error(d)
	}
}

func TestMapTextOfItem(t *testing.T) {
	it := parsed(t, ParseItem, left)
	it.Patterns, it.CodeRefs = []string{"p"}, []CodeRef{{File: "f.go", Blob: "8d1f0a6b", Relevance: "supports"}}
	it.Scope = Scope{Skills: []string{"privacy", "Not A Name"}, Extra: []Entry{{"k", "v"}}}
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

func TestDiffItems(t *testing.T) {
	a := parsed(t, ParseItem, left)
	b := a.Clone()
	b.Type, b.Keywords, b.Source = Reference, []string{"b"}, "a film"
	b.Scope, b.Links = Scope{Skills: []string{"privacy"}, Always: true}, []Link{{Contradicts, "y"}}
	b.CodeRefs = []CodeRef{{File: "a.go", Lines: [2]int{1, 9}, Symbol: "F"}}
	b.Learned, b.Content = "one\n\ntwo", "Settled.\n\nFor good."
	b.Extra = []Entry{{"mood", "bright"}}
	b.Updated = b.Updated.Add(time.Hour)
	b.Settle("type", "deleted_by")
	golden(t, "diff/item.txt", DiffItems(a, b).Text(false))
	if d := DiffItems(a, a.Clone()); !d.Empty() || d.Text(true) != "" || d.ID != "x" {
		t.Errorf("with itself: %+v", d)
	}
	if d := DiffItems(b, nil); d.ID != "x" || len(d.Fields) < 9 || !strings.Contains(d.Text(true), "\x1b[31m  - Settled.") {
		t.Errorf("with nothing: %s", d.Text(true))
	}
	if d := DiffItems(nil, nil); !d.Empty() {
		t.Errorf("of nothing: %+v", d)
	}
}

// FuzzParseItem feeds any bytes: what is accepted prints to a form that stays, with
// all that it says.
func FuzzParseItem(f *testing.F) {
	for _, s := range append(slices.Clone(shaped), left, "---\nkeywords: a\nskill: b\n---\nc\r\n", "---\nscope:\n  variants:\n  - 1\n  - {skills: [a], x: y}\n---\n", "---\nlinks: {variants: [{related: [a]}, b]}\n---\n<!-- sage: end -->") {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		it, err := ParseItem(b)
		if err != nil {
			return
		}
		it.Conflicts()
		_, _ = it.Title(), it.Validate()
		text := it.Marshal()
		again, err := ParseItem(text)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if d := cmp.Diff(it, again, sameValue); d != "" {
			t.Fatalf("%s\n%s", d, text)
		}
		if d := cmp.Diff(string(text), string(again.Marshal())); d != "" {
			t.Fatal(d)
		}
		if d := DiffItems(it, again); !d.Empty() {
			t.Fatal(d)
		}
	})
}
