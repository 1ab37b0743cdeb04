package gitstore_test

import (
	"errors"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

func TestReviewedIsKept(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	s := open(t, w, "r")
	for _, sum := range []string{"aa", "bb"} {
		must(t, s.Review.NoteReviewed(sum))
	}
	if got, err := open(t, w, "r").Review.Reviewed(); err != nil || len(got) != 2 || !got["aa"] || !got["bb"] {
		t.Errorf("%v, %v", got, err)
	}
	broken := errors.New("broken")
	restore := fsx.Inject(func(_ fsx.Op, path string) error {
		if filepath.Base(path) == "reviewed" {
			return broken
		}
		return nil
	})
	defer restore()
	if _, err := s.Review.Reviewed(); !errors.Is(err, broken) {
		t.Errorf("read: %v", err)
	}
	if err := s.Review.NoteReviewed("cc"); !errors.Is(err, broken) {
		t.Errorf("written: %v", err)
	}
}

func TestRecalledIsKnownToTheDay(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	s := open(t, w, "r", session("a"), func(o *gitstore.Options) { o.Now = func() time.Time { return now } })
	if !s.Session.LastRecalled("k/a").IsZero() || !s.Session.RecallsKnownSince().IsZero() {
		t.Error("it knows something at first")
	}
	give := func(given map[string]string) {
		t.Helper()
		must(t, s.Session.NoteGiven(given))
	}
	first := now
	give(map[string]string{"k/a": "1", "file": "-"})
	now = now.Add(time.Hour)
	give(map[string]string{"k/a": "2"})
	if got := s.Session.LastRecalled("k/a"); !got.Equal(first) {
		t.Errorf("within a day: %v, want %v", got, first)
	}
	now = now.Add(48 * time.Hour)
	give(map[string]string{"k/a": "3"})
	if got := s.Session.LastRecalled("k/a"); !got.Equal(now) {
		t.Errorf("later: %v, want %v", got, now)
	}
	if got := s.Session.RecallsKnownSince(); !got.Equal(first) {
		t.Errorf("since %v, want %v", got, first)
	}
	if !s.Session.LastRecalled("file").IsZero() {
		t.Error("what is no item is known as one")
	}
	restore := fsx.Inject(func(op fsx.Op, path string) error {
		if filepath.Base(filepath.Dir(path)) == "recalled" {
			return errors.New("broken")
		}
		return nil
	})
	defer restore()
	now = now.Add(48 * time.Hour)
	give(map[string]string{"k/a": "4"}) // it is not worth an error
}

// rules lets a draft be one that rules took out of a conversation.
func rules(d *gitstore.Draft) { d.Checkpoint.Agent = sage.Rules }

func TestUnconfirmedAreListed(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	s := open(t, w, "r", person)
	save(t, s, "mine")
	var made []string
	for _, thesis := range []string{"one", "two", "three", "four"} {
		d := gitstore.Draft{Checkpoint: sage.Checkpoint{Thesis: thesis}}
		rules(&d)
		saved, err := s.Checkpoints.Save(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		made = append(made, saved.ID)
	}
	list := func(dir string) []string {
		t.Helper()
		ids, err := open(t, w, dir, person).Review.Unconfirmed(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return slices.Sorted(slices.Values(ids))
	}
	if got, want := list("r"), slices.Sorted(slices.Values(made)); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if _, err := s.Checkpoints.Remove(t.Context(), made[:1]); err != nil {
		t.Fatal(err)
	}
	if got, want := list("r"), slices.Sorted(slices.Values(made[1:])); !slices.Equal(got, want) {
		t.Errorf("without what was removed: %v, want %v", got, want)
	}
	w.Git("", "clone", "-q", w.Path("r"), w.Path("clone"))
	w.Git("clone", "fetch", "-q", "origin", "refs/sage/heads/*:refs/sage/heads/*")
	if got := list("clone"); len(got) != 4 {
		t.Errorf("of a clone: %v, want all but the removed one", got)
	}
}

func TestCorrectionLeavesTheRestUnconfirmed(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	s := open(t, w, "r", person)
	for _, thesis := range []string{"one", "two"} {
		d := gitstore.Draft{Checkpoint: sage.Checkpoint{Thesis: thesis}}
		rules(&d)
		if _, err := s.Checkpoints.Save(t.Context(), d); err != nil {
			t.Fatal(err)
		}
	}
	d := gitstore.Draft{Checkpoint: sage.Checkpoint{Thesis: "One, rather"}, Correction: true}
	if _, err := s.Checkpoints.Save(t.Context(), d); err != nil {
		t.Fatal(err)
	}
	if ids, err := s.Review.Unconfirmed(t.Context()); err != nil || len(ids) != 2 {
		t.Errorf("%v, %v, want both", ids, err)
	}
}
