package sage

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// left is an item as merges may leave it, wherever versions can stand.
const left = `---
id: x
type:
  variants:
  - knowledge
  - reference
keywords:
- a
scope:
  variants:
  - everywhere
  - skills:
    - privacy
source:
  variants:
  - a book
  - a talk
added: "2026-01-02T00:00:00Z"
updated: "2026-01-03T00:00:00Z"
status: active
links:
  related:
  - other
  supersedes:
    variants:
    - - z
    - "1"
deleted_by:
- "8d1f0a6b2c3e4f5061728394a5b6c7d8e9f00112"
mood:
  deep:
    variants:
    - 1
    - 2
---
<!-- sage: 2 versions disagree; keep one, and delete these lines -->

One.
\<!-- sage: or -->
<!-- sage: or -->

Two.
<!-- sage: end -->
`

// parsed fails unless a text can be read.
func parsed[T any](t fataler, parse func([]byte) (T, error), text string) T {
	t.Helper()
	it, err := parse([]byte(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return it
}

func TestWhatAMergeLeftIsKept(t *testing.T) {
	it := parsed(t, ParseItem, left)
	if d := cmp.Diff(left, string(it.Marshal())); d != "" {
		t.Errorf("printed: %s", d)
	}
	if it.Type != Knowledge || it.Source != "a book" || it.Scope.Skills[0] != "privacy" || len(it.Links) != 2 || it.Links[1].To != "z" {
		t.Errorf("of several the first that can be read: %+v", it)
	}
	var got []string
	for _, c := range it.Conflicts() {
		got = append(got, c.String())
	}
	want := []string{"type: 2 versions disagree", "scope: 2 versions disagree", "source: 2 versions disagree", "links.supersedes: 2 versions disagree",
		"mood.deep: 2 versions disagree", "content: 2 versions disagree", "removed and edited at once"}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]string{"\nOne.\n<!-- sage: or -->\n", "\nTwo.\n"}, versionsWithBlank(it.Content)); d != "" {
		t.Error(d)
	}
	if err := it.Validate(); err != nil {
		t.Errorf("it cannot be edited: %v", err)
	}
}

func versionsWithBlank(s string) (out []string) {
	for _, v := range Versions(s) {
		out = append(out, "\n"+v)
	}
	return out
}

func TestSettling(t *testing.T) {
	it := parsed(t, ParseItem, left)
	it.Source = "a film" // a new value settles
	it.Settle("type", "deleted_by")
	text := string(it.Marshal())
	if !strings.Contains(text, "source: a film\n") || !strings.Contains(text, "type: knowledge\n") || strings.Contains(text, "deleted_by") || !strings.Contains(text, "scope:\n  variants:") {
		t.Error(text)
	}
	it.Settle()
	if got := it.Conflicts(); len(got) != 1 || got[0].Field != "mood.deep" {
		t.Errorf("of keys that nobody knows nothing is known: %v", got)
	}
	if it.Content != "One.\n<!-- sage: or -->" {
		t.Errorf("content %q", it.Content)
	}
}

func TestSomebodyIsAtWork(t *testing.T) {
	for _, s := range []string{
		"<!-- sage: 2 versions disagree; keep one, and delete these lines -->\nb\n<!-- sage: or -->\na\n<!-- sage: end -->\n",
		"<!-- sage: 3 versions disagree; keep one, and delete these lines -->\na\n<!-- sage: or -->\nb\n<!-- sage: end -->\n",
		"<!-- sage: 1 versions disagree; keep one, and delete these lines -->\na\n<!-- sage: end -->\n",
		"<!-- sage: end -->", "<!-- sage: 2\n<!-- sage: end -->", "",
	} {
		if got := Versions(s); len(got) != 1 || got[0] != s {
			t.Errorf("%q is one text, got %q", s, got)
		}
	}
}

func TestVersionsAreTakenApart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		line := rapid.SampledFrom([]string{"", "a", "b", textOr, textEnd, `\` + textOr, `\\` + textEnd, textBegin + "2" + textFirst})
		var list []string
		for range rapid.IntRange(2, 4).Draw(t, "versions") {
			list = append(list, strings.Join(rapid.SliceOfN(line, 1, 3).Draw(t, "lines"), "\n")+"\n")
		}
		joined := JoinVersions(list)
		if d := cmp.Diff(joined, JoinVersions(Versions(joined))); d != "" {
			t.Fatal(d)
		}
		for _, v := range list {
			if got := Versions(joined); len(got) > 1 && !strings.Contains(strings.Join(got, "\x00"), v) {
				t.Fatalf("%q is lost in %q", v, got)
			}
		}
	})
}
