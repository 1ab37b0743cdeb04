package gitstore_test

import (
	"os"
	"strings"
	"testing"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

// outside opens the user's own store for a folder outside of git.
func outside(t *testing.T, w *storetest.World, folder string, change ...func(*gitstore.Options)) *gitstore.Store {
	t.Helper()
	must(t, os.MkdirAll(w.Path(folder), 0o777))
	return open(t, w, folder, append(change, func(o *gitstore.Options) { o.Global, o.Folder = true, w.Path(folder) })...)
}

func TestLinesOfFoldersOutsideOfGit(t *testing.T) {
	w := storetest.New(t)
	notes := outside(t, w, "notes")
	if notes.Repo.HasLine(notes.Session.CurrentLine()) {
		t.Error("a line of which nothing was saved")
	}
	one := save(t, notes, "one")
	for folder, same := range map[string]bool{"notes/deep/er": true, "other/notes": false, "notes-2": false, "home/x": false} {
		got := outside(t, w, folder).Session.CurrentLine()
		if (got == one.Line) != same {
			t.Errorf("%s is on %s", folder, got)
		}
	}
	// Neither the home folder nor what it lies in takes other folders along.
	for _, above := range []string{"home", ""} {
		line := save(t, outside(t, w, above), "at home").Line
		if got := outside(t, w, "home/x").Session.CurrentLine(); got == line {
			t.Errorf("home/x is on the line of '%s'", above)
		}
	}
	// A session stands where it began, and a person where they switched to.
	agent := outside(t, w, "notes/deep", session("s-1"))
	if got := save(t, agent, "two"); got.Line != one.Line || got.Follows != one.ID {
		t.Errorf("%+v", got)
	}
	if _, err := notes.Lines.Switch(ctx, "idea", true, ""); err != nil {
		t.Fatal(err)
	}
	if got := outside(t, w, "notes/deep").Session.CurrentLine(); got != "idea" {
		t.Errorf("below: %s", got)
	}
	if got := outside(t, w, "other").Session.CurrentLine(); got == "idea" {
		t.Error("another folder was switched, too")
	}
	if _, err := notes.Lines.Restore(ctx, one.ID); err != nil {
		t.Fatal(err)
	}
	if got := save(t, outside(t, w, "notes"), "three"); !got.Forked || got.Follows != one.ID {
		t.Errorf("behind a restore: %+v", got)
	}
	if r, err := notes.Fsck.Check(ctx); err != nil || len(r.Findings) > 0 {
		t.Errorf("%+v %v", r.Findings, err)
	}
}

func TestNamesOfFoldersOutsideOfGit(t *testing.T) {
	w := storetest.New(t)
	for folder, want := range map[string]string{
		"Notes":                              "notes-",
		"my notes.v2":                        "my-notes-v2-",
		"...":                                "folder-",
		"-_-":                                "folder-",
		strings.Repeat("n", 120):             strings.Repeat("n", 60) + "-",
		"ghp_" + strings.Repeat("a1B2c3", 6): "folder-",
	} {
		got := outside(t, w, folder).Session.CurrentLine()
		if name, ok := strings.CutPrefix(got, want); !ok || len(name) != 8 || gitstore.CheckName(got) != nil {
			t.Errorf("%s: %s, want %s and eight digits", folder, got, want)
		}
	}
}

// Where nothing can be kept of a folder, a switch says so.
func TestFolderOutsideThatCannotBeKept(t *testing.T) {
	w := storetest.New(t)
	s := outside(t, w, "notes")
	one := save(t, s, "one")
	w.Write("home/.sage/memory.git/sage/folders", "in the way")
	if _, err := s.Lines.Switch(ctx, "idea", true, ""); err == nil {
		t.Error("a switch that is not kept")
	}
	if _, err := s.Lines.Restore(ctx, one.ID); err == nil {
		t.Error("a position that is not kept")
	}
}
