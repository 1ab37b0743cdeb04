package gitstore

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/git-sage/git-sage/gitstore/internal/journal"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

func fresh(t *testing.T) (*Store, *storetest.World) {
	t.Helper()
	w := storetest.New(t)
	w.Repo("r")
	s, err := Open(context.Background(), repo.Options{Dir: w.Path("r"), Env: w.Env, Now: storetest.Clock()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s, w
}

// The journal stays short, and what it knows it still knows afterwards, with what
// others append while it is written anew.
func TestJournalIsCompacted(t *testing.T) {
	s, _ := fresh(t)
	id := func(n int) string { return fmt.Sprintf("%040x", n) }
	for i := range 4000 {
		ref := fmt.Sprintf("refs/sage/heads/l%d", i%3)
		if err := s.journal.Journal([]journal.Move{{Ref: ref, Old: id(i), New: id(i + 3)}}, ""); err != nil {
			t.Fatal(err)
		}
	}
	if st, err := os.Stat(s.journal.JournalFile()); err != nil || st.Size() > journal.JournalMax+1000 {
		t.Errorf("%v %v", st.Size(), err)
	}
	for ref, want := range map[string]int{"l0": 4002, "l1": 4000, "l2": 4001} {
		if e, ok := s.journal.LastEntry("refs/sage/heads/" + ref); !ok || e.New != id(want) {
			t.Errorf("%s: %+v", ref, e)
		}
	}
	err := s.journal.RewriteJournal(func(known map[string]journal.Entry) error {
		delete(known, "refs/sage/heads/l1")
		return s.journal.Journal([]journal.Move{{Ref: "refs/sage/heads/l2", Old: id(4001), New: id(9999)}}, "") // by another process
	})
	if err != nil {
		t.Fatal(err)
	}
	known, err := s.journal.Journaled()
	if err != nil || len(known) != 2 || known["refs/sage/heads/l2"].New != id(9999) {
		t.Errorf("%v %v", known, err)
	}
	if _, err := os.Stat(s.journal.OldJournal()); err == nil {
		t.Error("its second name stays")
	}
}

// A journal whose rewriter was killed at any step is read whole.
func TestJournalRewriterKilled(t *testing.T) {
	s, _ := fresh(t)
	if err := s.journal.Journal([]journal.Move{{Ref: refname.HeadRef(refname.DefaultLine), Old: "", New: "aa"}}, ""); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(s.journal.JournalFile())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Link(s.journal.JournalFile(), s.journal.OldJournal()); err != nil { // killed behind this
		t.Fatal(err)
	}
	if err := s.journal.Journal([]journal.Move{{Ref: refname.HeadRef(refname.DefaultLine), Old: "aa", New: "bb"}}, ""); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(s.journal.JournalFile()+".x", before, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(s.journal.JournalFile()+".x", s.journal.JournalFile()); err != nil { // or behind this, with "bb" not carried over
		t.Fatal(err)
	}
	known, err := s.journal.Journaled()
	if err != nil || known[refname.HeadRef(refname.DefaultLine)].New != "bb" {
		t.Errorf("%v %v", known, err)
	}
	if err := s.journal.RewriteJournal(func(map[string]journal.Entry) error { return nil }); err != nil {
		t.Fatal(err)
	}
	if e, ok := s.journal.LastEntry(refname.HeadRef(refname.DefaultLine)); !ok || e.New != "bb" {
		t.Errorf("%+v", e)
	}
	if left, _ := filepath.Glob(s.Repo.Dir("journal.old")); len(left) != 0 {
		t.Error(left)
	}
}
