package threeway

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/codec"
	"github.com/git-sage/git-sage/gitstore/sage/merge"
	"github.com/git-sage/git-sage/gitstore/sage/versions"
)

func anyItem(t *rapid.T, it sage.Item) sage.Item {
	word := func() string { return rapid.SampledFrom([]string{"", "p", "q", "r s"}).Draw(t, "word") }
	words := func() []string {
		return rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c"}), 0, 3).Draw(t, "words")
	}
	text := func() string {
		return rapid.SampledFrom([]string{"", "one", "two\n\nmore", "<!-- sage: or -->", "---\nx", "three"}).Draw(t, "text")
	}
	switch rapid.IntRange(0, 7).Draw(t, "field") {
	case 0:
		it.Source = word()
	case 1:
		it.Keywords = words()
	case 2:
		it.Scope = sage.Scope{Skills: words(), Always: rapid.Bool().Draw(t, "always"), Extra: []sage.Entry{{Key: "moon", Value: word()}}}
	case 3:
		it.Links = []sage.Link{{Kind: sage.Related, To: word()}, {Kind: sage.Supersedes, To: word()}}
	case 4:
		it.Extra = []sage.Entry{{Key: "mood", Value: rapid.SampledFrom([]any{"x", int64(1), []any{"y"}, map[string]any{"deep": "z"}}).Draw(t, "value")}}
	case 5:
		it.Type, it.Approach, it.Status = sage.Failure, text(), sage.Status(word())
	case 6:
		it.CodeRefs = []sage.CodeRef{{File: word(), Lines: [2]int{1, 2}}}
	case 7:
		it.Content = text()
	}
	it.Updated = it.Updated.Add(time.Duration(rapid.IntRange(0, 3).Draw(t, "later")) * time.Hour)
	it.Tidy()
	return it
}

// Whatever merges make of items are items that can be read, that say they are in
// conflict as the merge said, and that hold every text of every side; and they stay so
// when they are read, printed and merged again.
func TestItemsStayItems(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base := sage.Item{ID: "x", Type: sage.Knowledge, Content: "as it was", Source: "s", Keywords: []string{"a", "z"}, Added: time.Unix(1e9, 0).UTC(), Updated: time.Unix(1e9, 0).UTC()}
		file := codec.MarshalItem(&base)
		for range rapid.IntRange(1, 3).Draw(t, "rounds") {
			was, err := codec.ParseItem(file)
			if err != nil {
				t.Fatalf("%v\n%s", err, file)
			}
			var sides []Version
			for i := range rapid.IntRange(2, 3).Draw(t, "sides") {
				side := *was.Clone()
				for range rapid.IntRange(0, 3).Draw(t, "edits") {
					side = anyItem(t, side)
				}
				sides = append(sides, Version{codec.MarshalItem(&side), fmt.Sprintf("%040d", i)})
			}
			if rapid.IntRange(0, 4).Draw(t, "removed") == 0 {
				sides = append(sides, Version{nil, strings.Repeat("f", 40)})
			}
			r := Merge("knowledge/2d/x.md", file, sides)
			if r.Content == nil {
				return
			}
			checkItem(t, r, file, sides)
			file = r.Content
		}
	})
}

func checkItem(t *rapid.T, r Result, base []byte, sides []Version) {
	it, err := codec.ParseItem(r.Content)
	if err != nil {
		t.Fatalf("%v\n%s", err, r.Content)
	}
	if open := len(merge.Conflicts(it)) > 0; open != Disagrees("x.md", r.Content) || r.Disagree && !open {
		t.Fatalf("conflicts %v, and the merge says %v\n%s", merge.Conflicts(it), r.Disagree, r.Content)
	}
	again, err := codec.ParseItem(codec.MarshalItem(it))
	if err != nil || !bytes.Equal(codec.MarshalItem(again), codec.MarshalItem(it)) || fmt.Sprint(merge.Conflicts(again)) != fmt.Sprint(merge.Conflicts(it)) {
		t.Fatalf("printed it means something else: %v\n%s\n%s", err, codec.MarshalItem(it), r.Content)
	}
	if Disagrees("x.md", codec.MarshalItem(it)) != Disagrees("x.md", r.Content) {
		t.Fatalf("merges do not see what is printed:\n%s", codec.MarshalItem(it))
	}
	was, _ := codec.ParseItem(base)
	kept := versions.Split(it.Content)
	for _, s := range sides {
		side, err := codec.ParseItem(s.Content)
		if s.Content == nil || err != nil || side.Content == was.Content || side.Content == "" {
			continue
		}
		for _, v := range versions.Split(side.Content) {
			if held := strings.TrimRight(v, "\n"); !contains(kept, held) && !contains(versions.Split(was.Content), held) {
				t.Fatalf("%q is lost\n%s", v, r.Content)
			}
		}
	}
}

func contains(list []string, s string) bool {
	for _, v := range list {
		if strings.TrimRight(v, "\n") == s {
			return true
		}
	}
	return false
}
