package gitstore

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/git-sage/git-sage/gitstore/internal/commits"
	"github.com/git-sage/git-sage/gitstore/internal/ledger"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

// unconfirmed are the theses of what is listed as unconfirmed, newest first; a record that
// is asked for by itself, and the checkpoint itself, must say the same.
func unconfirmed(t *testing.T, s *Store) (out []string) {
	t.Helper()
	list, err := s.Commits.Log(ctx, commits.Query{All: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range list {
		if r.Unconfirmed {
			out = append(out, r.Thesis)
		}
		alone, err := s.Commits.Record(ctx, r.ID)
		if err != nil || alone.Unconfirmed != r.Unconfirmed {
			t.Errorf("%s: the list says %v, the record %v (%v)", r.Thesis, r.Unconfirmed, alone.Unconfirmed, err)
		}
		c, err := s.Commits.Load(ctx, r.ID)
		if err != nil || c.Unconfirmed != r.Unconfirmed {
			t.Errorf("%s: the list says %v, the checkpoint %v (%v)", r.Thesis, r.Unconfirmed, c.Unconfirmed, err)
		}
	}
	return out
}

func savesAs(t *testing.T, s *Store, agent, thesis string) ledger.Saved {
	t.Helper()
	saved, err := s.Checkpoints.Save(ctx, ledger.Draft{Checkpoint: sage.Checkpoint{Thesis: thesis, Agent: agent}})
	if err != nil {
		t.Fatal(err)
	}
	return saved
}

// What rules made is unconfirmed until somebody confirms it, or saves on top of it.
func TestRulesAreConfirmed(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	s := trusting(t, w, "r")
	is := func(want ...string) {
		t.Helper()
		got := unconfirmed(t, s)
		if len(got) != len(want) {
			t.Fatalf("unconfirmed: %q, want %q", got, want)
		}
		for i := range got {
			if got[i] != want[i] {
				t.Errorf("unconfirmed: %q, want %q", got, want)
			}
		}
	}
	savesAs(t, s, "claude-code", "an agent's")
	first := savesAs(t, s, sage.Rules, "first")
	savesAs(t, s, sage.Rules, "second")
	is("second", "first")
	if now, known, err := s.Review.Confirm(ctx, first.ID); err != nil || len(now) != 1 || len(known) != 0 {
		t.Errorf("confirmed %v, known %v, %v", now, known, err)
	}
	is("second")
	if _, known, err := s.Review.Confirm(ctx, first.ID); err != nil || len(known) != 1 {
		t.Errorf("confirmed again: %v, %v", known, err)
	}
	savesAs(t, s, sage.Rules, "third")
	is("third", "second")
	if saved := savesAs(t, s, "claude-code", "on top"); len(saved.Warnings) > 0 {
		t.Errorf("warned %q", saved.Warnings)
	}
	is()
	if n, err := s.Review.ConfirmAll(ctx, true, false); err != nil || n.Checkpoints != 0 {
		t.Errorf("confirmed %+v, %v", n, err)
	}
	savesAs(t, s, sage.Rules, "fourth")
	if n, err := s.Review.ConfirmAll(ctx, true, false); err != nil || n.Checkpoints != 1 {
		t.Errorf("confirmed %+v, %v", n, err)
	}
	is()
}

// Who confirms a record of a session has confirmed those of it that it continues, and no others;
// a save on top of a confirmed one confirms what lies below that.
func TestRecordsOfASessionAreConfirmedTogether(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	s := trusting(t, w, "r")
	of := func(session, thesis string) ledger.Saved {
		t.Helper()
		saved, err := s.Checkpoints.Save(ctx, ledger.Draft{Checkpoint: sage.Checkpoint{Thesis: thesis, Agent: sage.Rules, Session: session}})
		if err != nil {
			t.Fatal(err)
		}
		return saved
	}
	of("monday", "of another session")
	of("tuesday", "before the compaction")
	last := of("tuesday", "at the end")
	if now, _, err := s.Review.Confirm(ctx, last.ID); err != nil || len(now) != 1 || now[0].ID != last.ID {
		t.Fatalf("confirmed %v, %v", now, err)
	}
	if got := unconfirmed(t, s); len(got) != 1 || got[0] != "of another session" {
		t.Fatalf("unconfirmed: %q", got)
	}
	savesAs(t, s, "claude-code", "on top")
	if got := unconfirmed(t, s); len(got) != 0 {
		t.Errorf("unconfirmed: %q", got)
	}
}

// What cannot be noted is no reason not to save, and is said.
func TestRulesStayUnconfirmed(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	s := trusting(t, w, "r")
	savesAs(t, s, sage.Rules, "by rules")
	_ = os.Remove(s.Ownership.VouchedFile())
	must(t, os.MkdirAll(filepath.Join(s.Ownership.VouchedFile(), "x"), 0o700))
	if saved := savesAs(t, s, "", "on top"); len(saved.Warnings) != 1 {
		t.Errorf("warned %q", saved.Warnings)
	}
	if got := unconfirmed(t, s); len(got) != 1 {
		t.Errorf("unconfirmed: %q", got)
	}
}
