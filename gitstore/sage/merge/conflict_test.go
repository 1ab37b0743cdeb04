package merge

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/codec"
	"github.com/git-sage/git-sage/gitstore/sage/validate"
	"github.com/git-sage/git-sage/gitstore/sage/versions"
	"github.com/git-sage/git-sage/gitstore/sagetest"
)

func TestWhatAMergeLeftIsKept(t *testing.T) {
	it := sagetest.Parsed(t, codec.ParseItem, sagetest.Left)
	if d := cmp.Diff(sagetest.Left, string(codec.MarshalItem(it))); d != "" {
		t.Errorf("printed: %s", d)
	}
	if it.Type != sage.Knowledge || it.Source != "a book" || it.Scope.Skills[0] != "privacy" || len(it.Links) != 2 || it.Links[1].To != "z" {
		t.Errorf("of several the first that can be read: %+v", it)
	}
	var got []string
	for _, c := range Conflicts(it) {
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
	if err := validate.Item(it); err != nil {
		t.Errorf("it cannot be edited: %v", err)
	}
}

func versionsWithBlank(s string) (out []string) {
	for _, v := range versions.Split(s) {
		out = append(out, "\n"+v)
	}
	return out
}

func TestSettling(t *testing.T) {
	it := sagetest.Parsed(t, codec.ParseItem, sagetest.Left)
	it.Source = "a film" // a new value settles
	SettleItem(it, "type", "deleted_by")
	text := string(codec.MarshalItem(it))
	if !strings.Contains(text, "source: a film\n") || !strings.Contains(text, "type: knowledge\n") || strings.Contains(text, "deleted_by") || !strings.Contains(text, "scope:\n  variants:") {
		t.Error(text)
	}
	SettleItem(it)
	if got := Conflicts(it); len(got) != 1 || got[0].Field != "mood.deep" {
		t.Errorf("of keys that nobody knows nothing is known: %v", got)
	}
	if it.Content != "One.\n<!-- sage: or -->" {
		t.Errorf("content %q", it.Content)
	}
}
