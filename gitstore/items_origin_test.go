package gitstore_test

import (
	"strings"
	"testing"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

// What a teammate wrote, and what a merge made of both, is not one's own.
func TestItemOrigins(t *testing.T) {
	w := storetest.New(t)
	clones(t, w, "a", "b")
	a, b := open(t, w, "a"), open(t, w, "b")
	origins := func(s *gitstore.Store, old string) map[string]gitstore.ItemOrigin {
		t.Helper()
		out, err := s.ItemOrigins(ctx, old, "")
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	if got := origins(a, ""); len(got) != 0 {
		t.Errorf("of nothing: %v", got)
	}
	writeItems(t, a, add("mine", "x"), add("both", "x"), add("theirs", "x"))
	pushSage(w, "a")
	fetchSage(w, "b")
	mergeFetched(t, b)
	old, _ := a.KnowledgeTip(ctx)
	writeItems(t, a, edit("both", func(it *sage.Item) { it.Content = "of a" }))
	writeItems(t, b, edit("both", func(it *sage.Item) { it.Content = "of b" }), edit("theirs", func(it *sage.Item) { it.Content = "of b" }))
	pushSage(w, "b")
	fetchSage(w, "a")
	mergeFetched(t, a)
	got := origins(a, "")
	for key, want := range map[string]bool{"mine": true, "both": false, "theirs": false} {
		if o := got[key]; o.Own != want || !strings.Contains(o.Author, "<") || o.Time.IsZero() {
			t.Errorf("%s: %+v", key, o)
		}
	}
	if tip, _ := a.KnowledgeTip(ctx); got["both"].Commit != tip {
		t.Errorf("what both wrote is of %+v", got["both"])
	}
	if got := origins(a, old); len(got) != 2 || got["theirs"].Own {
		t.Errorf("since then: %v", got)
	}
	if tip, _ := a.KnowledgeTip(ctx); len(origins(a, tip)) != 0 {
		t.Error("since now there is nothing")
	}
	if _, err := a.ItemOrigins(ctx, strings.Repeat("1", 40), ""); err == nil {
		t.Error("since what is not there")
	}
}
