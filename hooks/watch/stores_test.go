package watch

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

// until lets turns come until something was ordered.
func (r *rig) until(want string) {
	r.t.Helper()
	var all []string
	for end := time.Now().Add(deadline); !slices.Contains(all, want); {
		if time.Now().After(end) {
			r.t.Fatalf("waited in vain for %q; ordered %q\n%s", want, all, r.logged())
		}
		all = append(all, r.after(pollTurn)...)
		select {
		case f := <-r.w.inbox:
			f()
		case <-time.After(lookAgain):
		}
	}
}

// A ref of a session's repository that moves is told of, with the checkpoints that it has
// since: they are queued for other sessions. What was there before is not.
func TestRefsThatMoved(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	open := func(session string) *gitstore.Store {
		t.Helper()
		s, err := gitstore.Open(t.Context(), gitstore.Options{Dir: w.Path("r"), Env: w.Env, Session: session, Now: func() time.Time { return storetest.Epoch }})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { s.Close() })
		return s
	}
	save := func(session, thesis string) string {
		t.Helper()
		got, err := open(session).Checkpoints.Save(t.Context(), gitstore.Draft{Checkpoint: sage.Checkpoint{Thesis: thesis, Trigger: sage.Manual}})
		if err != nil {
			t.Fatal(err)
		}
		return got.ID
	}
	save("one", "before")
	r := newRig(t).start()
	r.work = w.Path("r")
	r.w.o.Open = func(ctx context.Context, dir string) (*gitstore.Store, error) {
		return gitstore.Open(ctx, gitstore.Options{Dir: dir, Env: w.Env})
	}
	r.write("-a/one.jsonl", r.says("u1"))
	r.expect(pollTurn, "one"+begun)
	for end := time.Now().Add(deadline); len(r.w.stores) == 0 && time.Now().Before(end); {
		r.after(pollTurn)
	}
	save("one", "a thesis")
	r.until("one queue_for_injection")
	save("two", "another")
	r.until("two queue_for_injection")
	journal := filepath.Join(w.Path("r"), ".git", "sage", "journal")
	noted := func() { // a line that moves nothing, and is looked into
		t.Helper()
		r.now = r.now.Add(time.Second)
		must(t, os.Chtimes(journal, time.Time{}, r.now))
		if got := r.after(pollTurn); len(got) > 0 {
			t.Errorf("ordered %q", got)
		}
		for _, s := range r.w.stores {
			for s.busy {
				(<-r.w.inbox)()
			}
		}
	}
	noted()
	if text := r.logged(); strings.Contains(text, "before") || strings.Count(text, "refs/sage/heads/main moved to") != 2 {
		t.Errorf("logged:\n%s", text)
	}
	w.Git("r", "config", "sage.enabled", "false")
	w.Git("r", "update-ref", "refs/sage/heads/other", "refs/sage/heads/main")
	noted()
	if text := r.logged(); strings.Contains(text, "other moved") {
		t.Errorf("where it is switched off:\n%s", text)
	}
}
