package session_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/storetest"
	"github.com/git-sage/git-sage/hooks/session"
)

// must ends the test at an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// open is a store on behalf of a session, and a transcript of so many bytes.
func open(t *testing.T, id string, bytes int) (*gitstore.Store, string) {
	t.Helper()
	w := storetest.New(t)
	w.Repo("r")
	s, err := gitstore.Open(t.Context(), gitstore.Options{Dir: w.Path("r"), Env: w.Env, Session: id, Now: func() time.Time { return storetest.Epoch }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	file := filepath.Join(t.TempDir(), id+".jsonl")
	must(t, os.WriteFile(file, []byte(strings.Repeat("x", bytes)), 0o600))
	return s, file
}

// TestCompactionIsDealtWithOnce: by the hook that ran between two summaries, or by the
// watcher, which names its summary.
func TestCompactionIsDealtWithOnce(t *testing.T) {
	s, file := open(t, "one", 100)
	state := session.Of(s)
	if state.DealtWith("sum-1", 120, -1) {
		t.Fatal("nobody dealt with it yet")
	}
	must(t, state.NoteCompacting(file))
	for _, tt := range []struct {
		at, before int64
		want       bool
	}{{120, -1, true}, {100, 99, true}, {99, -1, false}, {300, 120, false}} {
		if got := state.DealtWith("sum-1", tt.at, tt.before); got != tt.want {
			t.Errorf("summary at %d behind one at %d: dealt with %t, want %t", tt.at, tt.before, got, tt.want)
		}
	}
	must(t, state.NoteCompacted("sum-2", 300))
	if !state.DealtWith("sum-2", 300, 120) || state.DealtWith("sum-3", 400, 310) {
		t.Error("the watcher dealt with the second, and nobody with the third")
	}
	if got := state.Compacted(); got != 300 {
		t.Errorf("%d bytes were dealt with, want 300", got)
	}
}

func TestRefusalIsOncePerCheckpoint(t *testing.T) {
	s, _ := open(t, "one", 0)
	state := session.Of(s)
	if state.WasRefused("") {
		t.Error("refused before the first checkpoint")
	}
	for _, id := range []string{"", "abc"} {
		if err := state.NoteRefused(id); err != nil || !state.WasRefused(id) || state.WasRefused("other") {
			t.Errorf("behind '%s': %v", id, err)
		}
	}
}

// TestEndIsKnownUntilMoreIsSaid: and to every other session.
func TestEndIsKnownUntilMoreIsSaid(t *testing.T) {
	s, file := open(t, "one", 100)
	must(t, session.Of(s).NoteEnd(file))
	if !session.EndKnown(s, "one", 100) || session.EndKnown(s, "one", 101) || session.EndKnown(s, "two", 100) {
		t.Error("the end is known of 'one' at 100 bytes alone")
	}
}

// TestSummaryIsBounded: a marker holds no more of it.
func TestSummaryIsBounded(t *testing.T) {
	s, _ := open(t, "one", 0)
	state := session.Of(s)
	long := strings.Repeat("ä", session.MaxSummary)
	must(t, state.NoteSummary(long, storetest.Epoch))
	text, at := state.Summary()
	if len(text) != session.MaxSummary || !strings.HasPrefix(long, text) || !at.Equal(storetest.Epoch) {
		t.Errorf("%d bytes of %s are kept", len(text), at)
	}
}

// TestMemoBeginsAnewWithAnotherTranscript: only what was saved last is still true.
func TestMemoBeginsAnewWithAnotherTranscript(t *testing.T) {
	s, _ := open(t, "one", 0)
	state := session.Of(s)
	must(t, state.NoteTranscript(t.Context(), "/a.jsonl"))
	if err := state.NoteSavedUntil(t.Context(), "abc", 70); err != nil || state.SavedAt("abc") != 70 || state.SavedAt("other") != 0 {
		t.Fatalf("saved at %d (%v), want 70", state.SavedAt("abc"), err)
	}
	must(t, state.NoteTranscript(t.Context(), "/b.jsonl"))
	if m := state.Memo(); m.Transcript != "/b.jsonl" || m.Saved != (session.Mark{Checkpoint: "abc"}) {
		t.Errorf("%+v", m)
	}
}

// TestNobodysSessionIsNotRemembered: without a session there is nothing to go on with.
func TestNobodysSessionIsNotRemembered(t *testing.T) {
	s, file := open(t, "", 100)
	state := session.Of(s)
	for _, err := range []error{state.NoteTranscript(t.Context(), file), state.NoteEnd(file), state.NoteDistilled(9), state.NoteRefused("abc")} {
		if err != nil {
			t.Error(err)
		}
	}
	if m := state.Memo(); m.Transcript != "" || state.Distilled() != 0 || state.WasRefused("abc") {
		t.Errorf("remembered: %+v", m)
	}
}

// What a session keeps of topics is its own, and what is damaged begins anew.
func TestTopicsAreKept(t *testing.T) {
	s, _ := open(t, "one", 0)
	state := session.Of(s)
	if got := state.Topics(); got == nil || len(got) > 0 {
		t.Errorf("at first %v", got)
	}
	must(t, state.KeepTopics(map[string][]byte{"a": {1, 2}}))
	if got := state.Topics(); len(got) != 1 || string(got["a"]) != "\x01\x02" {
		t.Errorf("kept %v", got)
	}
	for _, b := range []string{"null", "[1]", "{"} {
		must(t, s.Session.Keep("topics", []byte(b)))
		if got := state.Topics(); got == nil || len(got) > 0 {
			t.Errorf("%s: %v", b, got)
		}
	}
}
