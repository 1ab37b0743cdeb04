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
			ID: s(), Type: ItemType("t" + s()), Keywords: l(), Patterns: l(), Source: s(), Added: day(), Updated: day(),
			Scope:  Scope{Skills: l(), Always: rapid.Bool().Draw(t, "always"), Paths: l(), User: rapid.Bool().Draw(t, "user"), Extra: anyEntries(func(k string) bool { return find(scopeFields(&Scope{}), k) != nil }).Draw(t, "scope")},
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
