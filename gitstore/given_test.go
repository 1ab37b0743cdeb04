package gitstore_test

import (
	"maps"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/git-sage/git-sage/gitstore/storetest"
)

func TestGiven(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	one, two := open(t, w, "r", session("one")), open(t, w, "r", session("two"))
	want := map[string]string{"k/a": "11", "k/b c": "22"}
	must(t, one.Session.NoteGiven(map[string]string{"k/a": "00", "k/b c": "22"}))
	must(t, one.Session.NoteGiven(map[string]string{"k/a": "11"}))
	if got := one.Session.Given(); !maps.Equal(got, want) {
		t.Errorf("given: %v", got)
	}
	if got := two.Session.Given(); len(got) != 0 {
		t.Errorf("another session was given %v", got)
	}
	files, _ := filepath.Glob(w.Path("r", ".git", "sage", "cache", "given", "*"))
	long := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, f := range files {
		must(t, os.Chtimes(f, long, long))
	}
	must(t, two.Session.NoteGiven(map[string]string{"k/a": "11"}))
	if got := one.Session.Given(); len(files) != 1 || len(got) != 0 {
		t.Errorf("of a session long ago: %v in %q", got, files)
	}
	two.Session.ForgetGiven()
	if got := two.Session.Given(); len(got) != 0 {
		t.Errorf("behind a summary: %v", got)
	}
	if got := open(t, w, "r").Session.Given(); got != nil {
		t.Errorf("without a session: %v", got)
	}
}
