package gitstore_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/git-sage/git-sage/gitstore/storetest"
)

func TestKept(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	one, two, nobody := open(t, w, "r", session("one")), open(t, w, "r", session("two")), open(t, w, "r")
	for _, part := range []string{"memo", "digest"} {
		if err := one.Session.Keep(part, []byte(`{"part":"`+part+`"}`)); err != nil {
			t.Fatal(err)
		}
	}
	if got := string(one.Session.Kept("memo")); got != `{"part":"memo"}` {
		t.Errorf("kept %q", got)
	}
	if got := two.Session.Kept("memo"); got != nil {
		t.Errorf("another session has %q", got)
	}
	if err := nobody.Session.Keep("memo", []byte("{}")); err != nil || nobody.Session.Kept("memo") != nil {
		t.Errorf("without a session: %q, %v", nobody.Session.Kept("memo"), err)
	}
	files, _ := filepath.Glob(w.Path("r", ".git", "sage", "sessions", "*.json"))
	for _, f := range files {
		if st, err := os.Stat(f); err != nil || st.Mode().Perm() != 0o600 {
			t.Errorf("%s: mode %v (%v)", f, st.Mode(), err)
		}
	}
	if found, err := one.Fsck.Findings(ctx); err != nil || len(found) != 0 {
		t.Errorf("fsck: %v (%v)", found, err)
	}
	long := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, f := range files {
		_ = os.Chtimes(f, long, long)
	}
	save(t, one, "still here") // a position is kept for ever
	if err := two.Session.Keep("memo", []byte("{}")); err != nil {
		t.Fatal(err)
	}
	if one.Session.Kept("memo") != nil || one.Session.Kept("digest") == nil {
		t.Error("what ended long ago is not cleaned up by what it is")
	}
	if _, seen := one.Session.Position(); seen == "" {
		t.Error("the position is gone")
	}
}

func TestKeptIsLocked(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	a, b, other := open(t, w, "r", session("one")), open(t, w, "r", session("one")), open(t, w, "r", session("two"))
	done, ok := a.Session.LockKept(ctx)
	if !ok {
		t.Fatal("no lock")
	}
	if _, ok := b.Session.LockKept(ctx); ok {
		t.Error("two have the lock")
	}
	if free, ok := other.Session.LockKept(ctx); !ok {
		t.Error("another session waits")
	} else {
		free()
	}
	done()
	again, ok := b.Session.LockKept(ctx)
	if !ok {
		t.Error("the lock is not given up")
	}
	again()
	if done, ok := open(t, w, "r").Session.LockKept(ctx); ok {
		t.Error("a lock for nobody")
	} else {
		done()
	}
}

// TestKeptLinkIsRefused: what an archive brought may lead anywhere.
func TestKeptLinkIsRefused(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	s := open(t, w, "r", session("one"))
	if err := s.Session.Keep("memo", []byte("{}")); err != nil {
		t.Fatal(err)
	}
	files, _ := filepath.Glob(w.Path("r", ".git", "sage", "sessions", "*.memo.json"))
	victim := w.Path("victim")
	if err := os.WriteFile(victim, []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	_ = os.Remove(files[0])
	if err := os.Symlink(victim, files[0]); err != nil {
		t.Skip(err)
	}
	if got := s.Session.Kept("memo"); got != nil {
		t.Errorf("read %q", got)
	}
	_ = s.Session.Keep("memo", []byte("{}"))
	if b, _ := os.ReadFile(victim); strings.TrimSpace(string(b)) != "secret" {
		t.Errorf("wrote %q through the link", b)
	}
}
