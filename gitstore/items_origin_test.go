package gitstore_test

import (
	"errors"
	"fmt"
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
		if one, err := a.ItemOrigin(ctx, key); err != nil || one != got[key] {
			t.Errorf("%s alone: %+v, %v; want %+v", key, one, err, got[key])
		}
	}
	if _, err := a.ItemOrigin(ctx, "nosuch"); !errors.Is(err, gitstore.ErrNotFound) {
		t.Errorf("of no item: %v", err)
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

// What a merge took whole from a teammate is theirs, whatever was done to the item here
// before, and in whichever order git lists the two.
func TestOriginOfWhatAMergeTookWhole(t *testing.T) {
	for n := range 6 {
		w := storetest.New(t)
		clones(t, w, "a", "b")
		eve, bob := open(t, w, "a"), open(t, w, "b")
		writeItems(t, eve, add("deploy", "with care"))
		pushSage(w, "a")
		fetchSage(w, "b")
		mergeFetched(t, bob)
		writeItems(t, bob, gitstore.ItemChange{Key: "deploy", Confirm: true})
		for i := range n {
			writeItems(t, bob, add(fmt.Sprint("other", i), "x"))
		}
		old, _ := bob.KnowledgeTip(ctx)
		writeItems(t, eve, edit("deploy", func(it *sage.Item) { it.Content = "by curl" }))
		pushSage(w, "a")
		fetchSage(w, "b")
		mergeFetched(t, bob)
		if item(t, bob, "deploy").Item.Content != "by curl" {
			t.Fatal("the merge took something else")
		}
		for _, since := range []string{"", old} {
			got, err := bob.ItemOrigins(ctx, since, "")
			if err != nil || got["deploy"].Own || got["deploy"].Commit == "" {
				t.Errorf("since '%s': %+v %v", since, got["deploy"], err)
			}
		}
		one, err := bob.ItemOrigin(ctx, "deploy")
		if err != nil || one.Own {
			t.Errorf("alone: %+v %v", one, err)
		}
		if n > 0 {
			if got, _ := bob.ItemOrigins(ctx, "", ""); !got["other0"].Own {
				t.Errorf("one's own: %+v", got["other0"])
			}
		}
	}
}
