package gitstore_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

func queued(s *gitstore.Store) (ids []string) {
	for _, q := range s.Session.QueuedByOthers() {
		ids = append(ids, q.Checkpoint[:4])
	}
	return ids
}

// Others are told for 4 hours, nobody behind 24, and a session of its own never.
func TestQueueOfOthers(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	now := storetest.Epoch
	at := func(o *gitstore.Options) { o.Now = func() time.Time { return now } }
	one, two := open(t, w, "r", session("one"), at), open(t, w, "r", session("two"), at)
	put := func(s *gitstore.Store, id string) {
		t.Helper()
		if err := s.Session.Enqueue(id); err != nil {
			t.Fatal(err)
		}
	}
	id := func(n int) string { return fmt.Sprintf("%04d", n) + "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" }
	put(one, id(1))
	now = now.Add(time.Hour)
	put(one, id(2))
	put(one, id(1)) // again, which does not make it newer
	put(two, id(3))
	put(one, "no id")
	put(open(t, w, "r", at), id(4)) // a person has no queue
	for _, tt := range []struct {
		after time.Duration
		want  []string
	}{{0, []string{"0002", "0001"}}, {3*time.Hour + time.Second, []string{"0002"}}, {4*time.Hour + time.Second, nil}} {
		now = storetest.Epoch.Add(time.Hour + tt.after)
		if got := queued(two); !slices.Equal(got, tt.want) {
			t.Errorf("after %s: %q, want %q", tt.after, got, tt.want)
		}
	}
	now = storetest.Epoch.Add(-time.Hour) // the clock was ahead
	if got := queued(one); !slices.Equal(got, []string{"0003"}) {
		t.Errorf("one is told of %q", got)
	}
	now = storetest.Epoch.Add(30 * time.Hour)
	put(two, id(5))
	files, _ := filepath.Glob(w.Path("r/.git/sage/sessions/*.queue.json"))
	b, err := os.ReadFile(files[0])
	if len(files) != 1 || err != nil || string(b) != `[{"checkpoint":"`+id(5)+`","time":"2026-01-03T09:04:05Z"}]`+"\n" {
		t.Errorf("kept in %q: %s %v", files, b, err)
	}
	for _, text := range []string{"", "{}", "null", `[{"checkpoint":"--all","time":"2026-01-17T18:00:00Z"}]`, "[{"} {
		if err := os.WriteFile(files[0], []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := queued(one); got != nil {
			t.Errorf("%q: %q", text, got)
		}
	}
}

func TestQueueIsBounded(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	s := open(t, w, "r", session("one"))
	for n := range 60 {
		if err := s.Session.Enqueue(fmt.Sprintf("%040x", n)); err != nil {
			t.Fatal(err)
		}
	}
	if got := open(t, w, "r", session("two")).Session.QueuedByOthers(); len(got) != 50 {
		t.Errorf("%d are queued", len(got))
	}
}

// Who was met is known, and still to be shown what there is.
func TestMetIsNotBegun(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	s := open(t, w, "r", session("a"))
	for range 2 {
		if err := s.Session.Meet(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if !s.Session.Knows("a") || s.Session.Begun() {
		t.Errorf("known %v, begun %v", s.Session.Knows("a"), s.Session.Begun())
	}
	first := save(t, s, "a thesis")
	if err := s.Session.Begin(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, seen := s.Session.Position(); !s.Session.Begun() || seen != first.ID {
		t.Errorf("begun %v, at %q", s.Session.Begun(), seen)
	}
	if err := s.Session.Meet(t.Context()); err != nil || !s.Session.Begun() {
		t.Errorf("%v, begun %v", err, s.Session.Begun())
	}
}
