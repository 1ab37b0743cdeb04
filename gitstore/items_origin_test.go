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
	origins := func(s *gitstore.Store, old string) map[string]gitstore.ItemAuthor {
		t.Helper()
		out, err := s.Knowledge.ItemAuthors(ctx, old, "")
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
	old, _ := a.History.KnowledgeTip(ctx)
	writeItems(t, a, edit("both", func(it *sage.Item) { it.Content = "of a" }))
	writeItems(t, b, edit("both", func(it *sage.Item) { it.Content = "of b" }), edit("theirs", func(it *sage.Item) { it.Content = "of b" }))
	pushSage(w, "b")
	fetchSage(w, "a")
	mergeFetched(t, a)
	got := origins(a, "")
	for key, want := range map[string]bool{"mine": true, "both": false, "theirs": false} {
		if o := got[key]; !strings.Contains(o.Author, "<") || o.Time.IsZero() {
			t.Errorf("%s: %+v", key, o)
		}
		if one, err := a.Knowledge.ItemOrigin(ctx, key); err != nil || one.Own != want || one.ItemAuthor != got[key] {
			t.Errorf("%s alone: %+v, %v; want %+v, %v", key, one, err, got[key], want)
		}
	}
	if _, err := a.Knowledge.ItemOrigin(ctx, "nosuch"); !errors.Is(err, gitstore.ErrNotFound) {
		t.Errorf("of no item: %v", err)
	}
	if tip, _ := a.History.KnowledgeTip(ctx); got["both"].Commit != tip {
		t.Errorf("what both wrote is of %+v", got["both"])
	}
	if got := origins(a, old); len(got) != 2 || got["theirs"].Commit == "" {
		t.Errorf("since then: %v", got)
	}
	if tip, _ := a.History.KnowledgeTip(ctx); len(origins(a, tip)) != 0 {
		t.Error("since now there is nothing")
	}
	if _, err := a.Knowledge.ItemAuthors(ctx, strings.Repeat("1", 40), ""); err == nil {
		t.Error("since what is not there")
	}
}

// What a merge took whole from a teammate is theirs, whatever was done to the item here
// before, and in whichever order git lists the two.
func TestOriginOfWhatAMergeTookWhole(t *testing.T) {
	for n := range 6 {
		w := storetest.New(t)
		clones(t, w, "a", "b")
		eve, bob := open(t, w, "a"), open(t, w, "b", person)
		writeItems(t, eve, add("deploy", "with care"))
		pushSage(w, "a")
		fetchSage(w, "b")
		mergeFetched(t, bob)
		must(t, bob.Review.ConfirmItems(ctx, item(t, bob, "deploy")))
		for i := range n {
			writeItems(t, bob, add(fmt.Sprint("other", i), "x"))
		}
		old, _ := bob.History.KnowledgeTip(ctx)
		writeItems(t, eve, edit("deploy", func(it *sage.Item) { it.Content = "by curl" }))
		pushSage(w, "a")
		fetchSage(w, "b")
		mergeFetched(t, bob)
		if item(t, bob, "deploy").Item.Content != "by curl" {
			t.Fatal("the merge took something else")
		}
		for _, since := range []string{"", old} {
			got, err := bob.Knowledge.ItemAuthors(ctx, since, "")
			if err != nil || got["deploy"].Commit == "" {
				t.Errorf("since '%s': %+v %v", since, got["deploy"], err)
			}
		}
		one, err := bob.Knowledge.ItemOrigin(ctx, "deploy")
		if err != nil || one.Own {
			t.Errorf("alone: %+v %v", one, err)
		}
		if n > 0 {
			if got, _ := bob.Knowledge.ItemOrigin(ctx, "other0"); !got.Own {
				t.Errorf("one's own: %+v", got)
			}
		}
	}
}

// What a program wrote is nobody's until somebody stands for it.
func TestUnconfirmedItems(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	s := open(t, w, "r", person)
	c := add("guess", "The vacuum runs at 03:00.")
	c.Unconfirmed = true
	writeItems(t, s, c, add("mine", "x"))
	own := func(key string) bool {
		t.Helper()
		o, err := s.Knowledge.ItemOrigin(ctx, key)
		if err != nil {
			t.Fatal(err)
		}
		return o.Own
	}
	if own("guess") || !own("mine") {
		t.Errorf("own: guess %t, mine %t", own("guess"), own("mine"))
	}
	if err := s.Review.ConfirmItems(ctx, item(t, s, "guess")); err != nil || !own("guess") {
		t.Errorf("confirmed: %v", err)
	}
	if at, err := s.Transcripts.PurgedAt(); err != nil || !at.IsZero() {
		t.Errorf("purged at %v, %v", at, err)
	}
}
