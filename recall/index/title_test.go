package index

import (
	"strings"
	"testing"

	"github.com/git-sage/git-sage/recall/index/internal/segment"
)

// A title that is a whole text counts as far as a title goes; it is found as the body.
func TestLongTitles(t *testing.T) {
	long := strings.Repeat("filler ", 1<<10/7) + " zebra"
	x := open(t, t.TempDir(), testOptions())
	update(t, x, Change{To: tipsOf(1), Docs: []segment.Doc{{Meta: segment.Meta{Key: "a", Title: long}, Body: strings.Repeat("line of words\n", 200) + long}, {Meta: segment.Meta{Key: "b", Title: long}, Body: "none"}}})
	r, err := x.Search(t.Context(), Query{Text: "zebra"})
	if err != nil || len(r.Hits) != 1 || r.Hits[0].Meta.Key != "a" || r.Hits[0].Meta.Title != long {
		t.Errorf("%+v %v", r, err)
	}
}
