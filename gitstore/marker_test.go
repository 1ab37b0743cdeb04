package gitstore_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

func mark(t testing.TB, s *gitstore.Store, reason string) {
	t.Helper()
	must(t, s.Session.Mark(gitstore.Marker{Reason: reason}))
}

// claimed is the reason of the marker that s gets, which is delivered; "" is none.
func claimed(t testing.TB, s *gitstore.Store) string {
	t.Helper()
	c, err := s.Session.ClaimMarker()
	if err != nil {
		t.Fatal(err)
	}
	if c == nil {
		return ""
	}
	if err := c.Delivered(); err != nil {
		t.Error(err)
	}
	return c.Reason
}

func waiting(t testing.TB, s *gitstore.Store, all bool) (reasons []string) {
	t.Helper()
	list, err := s.Session.Markers(all)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range list {
		reasons = append(reasons, m.Reason)
	}
	return reasons
}

func TestMarkerIsClaimedOnce(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	s := open(t, w, "r", session("one"))
	if got := claimed(t, s); got != "" {
		t.Errorf("nobody marked: %q", got)
	}
	mark(t, s, "first")
	mark(t, s, "second") // takes the place of the first
	wantList(t, waiting(t, s, false), "second")
	first, err := s.Session.ClaimMarker()
	if err != nil || first == nil {
		t.Fatal(first, err)
	}
	if other, err := open(t, w, "r", session("one")).Session.ClaimMarker(); other != nil || err != nil {
		t.Errorf("claimed twice: %v %v", other, err)
	}
	first.Release()
	if got := claimed(t, s); got != "second" {
		t.Errorf("behind a release: %q", got)
	}
	if got := claimed(t, s); got != "" {
		t.Errorf("delivered twice: %q", got)
	}
	wantList(t, waiting(t, s, true))
}

// What one session lost another one does not get. What was left without a session gets
// who comes first in that work tree.
func TestMarkersOfSessions(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	w.Git("r", "commit", "-q", "--allow-empty", "-m", "one")
	w.Git("r", "worktree", "add", "-q", w.Path("other"))
	one, two := open(t, w, "r", session("one")), open(t, w, "r", session("two"))
	mark(t, one, "of one")
	mark(t, two, "of two")
	wantList(t, waiting(t, one, false), "of one")
	wantList(t, waiting(t, one, true), "of two", "of one")
	if got := claimed(t, open(t, w, "other", session("two"))); got != "of two" {
		t.Errorf("a session that went to another work tree: %q", got)
	}
	mark(t, open(t, w, "r"), "of nobody")
	if got := claimed(t, open(t, w, "other", session("three"))); got != "" {
		t.Errorf("in another work tree: %q", got)
	}
	if got := claimed(t, open(t, w, "r")); got != "of nobody" {
		t.Errorf("a person: %q", got)
	}
	mark(t, open(t, w, "r"), "of nobody")
	if got := claimed(t, two); got != "of nobody" {
		t.Errorf("whoever comes first: %q", got)
	}
	if got := claimed(t, one); got != "of one" {
		t.Errorf("its own: %q", got)
	}
}

// Several who ask at once get one marker in all, with locks and without.
func TestMarkerRace(t *testing.T) {
	for name, lock := range map[string]error{"locks": nil, "no locks here": syscall.ENOLCK} {
		t.Run(name, func(t *testing.T) {
			w := storetest.New(t)
			w.Repo("r")
			var stores []*gitstore.Store
			for range 8 {
				stores = append(stores, open(t, w, "r", session("one")))
			}
			defer fsx.Inject(func(op fsx.Op, path string) error {
				if op == fsx.OpLock && strings.Contains(path, "continuity") {
					return lock
				}
				return nil
			})()
			for range 50 {
				mark(t, stores[0], "again")
				var got atomic.Int32
				var wg sync.WaitGroup
				for i, s := range stores {
					wg.Go(func() {
						c, err := s.Session.ClaimMarker()
						if err != nil {
							t.Error(err)
						} else if c != nil && i%2 == 0 {
							c.Release() // it is free for those who come later, and for nobody twice
						} else if c != nil && c.Delivered() == nil {
							got.Add(1)
						}
					})
				}
				wg.Wait()
				if n := got.Load() + int32(len(claimed(t, stores[0]))/len("again")); n != 1 {
					t.Fatalf("delivered %d times", n)
				}
			}
			wantList(t, waiting(t, stores[0], true))
		})
	}
}

// No clock has a part in who gets what.
func TestMarkersWhereTheClockJumps(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	now := storetest.Epoch
	at := func(o *gitstore.Options) { o.Now = func() time.Time { return now } }
	s, other := open(t, w, "r", session("one"), at), open(t, w, "r", session("two"), at)
	mark(t, other, "of two")
	mark(t, s, "first")
	held, err := s.Session.ClaimMarker()
	if err != nil || held == nil {
		t.Fatal(held, err)
	}
	now = now.AddDate(-30, 0, 0)
	mark(t, s, "second, thirty years before")
	held.Release()
	wantList(t, waiting(t, s, false), "second, thirty years before")
	now = now.AddDate(80, 0, 0)
	if got := claimed(t, s); got != "second, thirty years before" {
		t.Errorf("got %q", got)
	}
	if got := claimed(t, s) + claimed(t, other); got != "of two" {
		t.Errorf("then %q", got)
	}
}

// A marker is its owner's alone, bounded, and holds no secret.
func TestMarkerHolds(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	s := open(t, w, "r", session("one"))
	const secret = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"
	first := save(t, s, "a thesis")
	err := s.Session.Mark(gitstore.Marker{Reason: "because\nof " + secret, Checkpoint: first.ID, Summary: "saw " + secret + strings.Repeat(" und weiß", 4000)})
	if err != nil {
		t.Fatal(err)
	}
	files, _ := filepath.Glob(w.Path("r/.git/sage/continuity/*.json"))
	b, err := os.ReadFile(files[0])
	if st, _ := os.Stat(files[0]); err != nil || st.Mode().Perm() != 0o600 || strings.Contains(string(b), secret) {
		t.Errorf("%v %v: %s", st.Mode(), err, b)
	}
	c, err := s.Session.ClaimMarker()
	if err != nil || c == nil {
		t.Fatal(c, err)
	}
	if c.Session != "one" || c.Checkpoint != first.ID || strings.Contains(c.Reason, "\n") || len(c.Summary) > 8<<10 || len(c.Summary) < 8000 || !utf8.ValidString(c.Summary) || c.Since != "" {
		t.Errorf("%+v", c.Marker)
	}
	must(t, c.Delivered())
	mark(t, s, "again")
	if c, err = s.Session.ClaimMarker(); err != nil || c == nil || c.Since != first.ID {
		t.Errorf("since %+v %v", c, err)
	}
}

func TestClearMarkers(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	one, two := open(t, w, "r", session("one")), open(t, w, "r", session("two"))
	mark(t, one, "of one")
	mark(t, two, "of two")
	held, err := one.Session.ClaimMarker()
	if err != nil || held == nil {
		t.Fatal(held, err)
	}
	if n, err := one.Session.ClearMarkers(false); n != 0 || err != nil {
		t.Errorf("one that is being brought back: %d %v", n, err)
	}
	if n, err := one.Session.ClearMarkers(true); n != 2 || err != nil {
		t.Errorf("all: %d %v", n, err)
	}
	if err := held.Delivered(); err != nil {
		t.Errorf("what was cleared meanwhile: %v", err)
	}
	wantList(t, waiting(t, one, true))
}

// A secret that the end of a reason would cut is taken out before it is cut.
func TestMarkerReasonIsCleanedBeforeItIsCut(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	s := open(t, w, "r", session("one"))
	mark(t, s, strings.Repeat("because ", 23)+"ghp_abcdefghijklmnopqrstuvwxyz0123456789")
	if got := claimed(t, s); strings.Contains(got, "ghp_abc") || utf8.RuneCountInString(got) > 200 || !strings.HasPrefix(got, "because ") {
		t.Errorf("%q", got)
	}
}

// What the disk made of a marker is no marker, and in nobody's way.
func TestDamagedMarkers(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	s := open(t, w, "r", session("one"))
	for i, text := range []string{"", "{", "null", "[]", `{"checkpoint":"--all"}`} {
		mark(t, s, "to be damaged")
		files, _ := filepath.Glob(w.Path("r/.git/sage/continuity/*.json"))
		must(t, os.WriteFile(files[len(files)-1], []byte(text), 0o600))
		if got := claimed(t, s); got != "" {
			t.Errorf("%d: %q", i, got)
		}
	}
	w.Write("r/.git/sage/continuity/99999999999999999999-00-x.json", "{}")
	w.Write("r/.git/sage/continuity/notes.txt", "{}")
	mark(t, s, "whole")
	if got := claimed(t, s); got != "whole" {
		t.Errorf("got %q", got)
	}
}

// Of sessions that never came back a bounded number is kept, the newest.
func TestMarkersAreBounded(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	for n := range 300 {
		w.Write(fmt.Sprintf("r/.git/sage/continuity/%08d-%016x-aaaaaaaa.json", n+1, n), "{}")
	}
	s := open(t, w, "r", session("one"))
	mark(t, s, "the newest")
	files, _ := filepath.Glob(w.Path("r/.git/sage/continuity/*.json"))
	if len(files) != 201 || filepath.Base(files[0])[:8] != "00000101" {
		t.Errorf("%d markers, from %s on", len(files), files[0])
	}
	wantList(t, waiting(t, s, false), "the newest")
}

// Nothing is marked where nothing is saved, and where it cannot be written that is said.
func TestMarkRefused(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	s := open(t, w, "r", session("one"))
	undo := fsx.Inject(func(op fsx.Op, path string) error {
		if op == fsx.OpRename {
			return syscall.ENOSPC
		}
		return nil
	})
	if err := s.Session.Mark(gitstore.Marker{}); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("a full disk: %v", err)
	}
	undo()
	w.Git("r", "config", "sage.enabled", "false")
	if err := open(t, w, "r").Session.Mark(gitstore.Marker{}); !errors.Is(err, gitstore.ErrDisabled) {
		t.Errorf("switched off: %v", err)
	}
}
