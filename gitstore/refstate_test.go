package gitstore_test

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

// A code reference says how its file is now by git's own ids, in either object format, and
// looks at nothing outside of the work tree.
func TestRefStates(t *testing.T) {
	for _, format := range []string{"sha1", "sha256"} {
		t.Run(format, func(t *testing.T) {
			w := storetest.New(t)
			if _, err := w.TryGit("", "init", "-q", "--object-format="+format, "r"); err != nil {
				t.Skip("this git has no", format)
			}
			files := map[string]string{
				"same.go": "package a\n", "changed.go": "package b\n", "moved.go": "package moved\n", "gone.go": "package gone\n",
				"dos.txt": "one\ntwo\n", "large.bin": strings.Repeat("x", 5<<20),
			}
			blobs := map[string]string{}
			for name, text := range files {
				w.Write("r/"+name, text)
				blobs[name] = strings.TrimSpace(w.Git("r", "hash-object", name))
			}
			w.Git("r", "add", ".")
			w.Git("r", "mv", "moved.go", "is here.go")
			w.Git("r", "rm", "-qf", "gone.go")
			w.Write("r/changed.go", "package b // other\n")
			w.Write("r/dos.txt", "one\r\ntwo\r\n")
			w.Write("outside.go", "package outside\n")
			must(t, os.Symlink(w.Path("outside.go"), w.Path("r", "link.go")))
			s := open(t, w, "r")
			if got := s.Repo.FileBlob("same.go"); got != blobs["same.go"] {
				t.Errorf("FileBlob: %q, git says %q", got, blobs["same.go"])
			}
			for _, file := range []string{"large.bin", "link.go", "../outside.go", "/etc/passwd", "no such file"} {
				if got := s.Repo.FileBlob(file); got != "" {
					t.Errorf("FileBlob(%q) = %q", file, got)
				}
			}
			outside := strings.TrimSpace(w.Git("r", "hash-object", "../outside.go"))
			got := s.Repo.RefStates(t.Context(), []sage.CodeRef{
				{File: "same.go", Blob: blobs["same.go"]}, {File: "changed.go", Blob: blobs["changed.go"]}, {File: "dos.txt", Blob: blobs["dos.txt"]},
				{File: "moved.go", Blob: blobs["moved.go"]}, {File: "gone.go", Blob: blobs["gone.go"]}, {File: "gone.go"},
				{File: "same.go"}, {File: "large.bin", Blob: blobs["large.bin"]}, {File: "link.go", Blob: outside}, {File: "../outside.go", Blob: outside},
			})
			want := []sage.RefState{
				{State: sage.RefCurrent}, {State: sage.RefChanged}, {State: sage.RefCurrent},
				{State: sage.RefMoved, To: "is here.go"}, {State: sage.RefGone}, {State: sage.RefGone},
				{}, {}, {}, {},
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("-want +got\n%s", d)
			}
			stopped, stop := context.WithCancel(t.Context())
			stop()
			if got := s.Repo.RefStates(stopped, []sage.CodeRef{{File: "same.go", Blob: blobs["same.go"]}}); got[0] != (sage.RefState{}) {
				t.Errorf("behind the end: %v", got)
			}
			if got := s.Repo.RefStates(t.Context(), nil); len(got) != 0 {
				t.Errorf("of none: %v", got)
			}
		})
	}
}

// Lines that moved in their file are named where they are now; so is a file that was
// renamed and changed, or moved without git, before anything is committed.
func TestRefStatesOfLinesAndUncommittedMoves(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	body := "package a\n\nfunc a() {\n\tone()\n}\n\nfunc b() {\n\ttwo()\n}\n"
	files := []string{"stays.go", "moves.go", "twice.go", "edited.go", "renamed.go", "dirty.go", "plain.go", "unread.go"}
	for _, name := range files {
		w.Write("r/"+name, "// "+name+"\n"+body)
	}
	w.Git("r", "add", ".")
	w.Git("r", "commit", "-q", "-m", "first")
	w.Write("r/dirty.go", "// dirty.go\n"+body+"// more\n")
	blobs := map[string]string{}
	for _, name := range files {
		blobs[name] = strings.TrimSpace(w.Git("r", "hash-object", name))
	}
	w.Write("r/stays.go", "// stays.go\r\n"+strings.ReplaceAll(body, "\n", "\r\n")+"// more\r\n")
	w.Write("r/moves.go", "// one more line\n// moves.go\n"+body)
	w.Write("r/twice.go", "// twice.go\nx\n"+body+body)
	w.Write("r/edited.go", "// edited.go\n"+strings.ReplaceAll(body, "two", "three"))
	w.Write("r/unread.go", "other")
	w.Git("r", "mv", "renamed.go", "new name.go")
	w.Write("r/new name.go", "// on top\n// renamed.go\n"+body)
	w.Git("r", "mv", "dirty.go", "still dirty.go")
	must(t, os.Rename(w.Path("r", "plain.go"), w.Path("r", "untracked.go")))
	s := open(t, w, "r")
	at := func(file string, from, to int) sage.CodeRef {
		return sage.CodeRef{File: file, Lines: [2]int{from, to}, Blob: blobs[file]}
	}
	now := s.Repo.FileBlob("stays.go") // it has 11 lines
	lost := at("unread.go", 1, 2)
	lost.Blob = strings.Repeat("1", 40)
	refs := []sage.CodeRef{
		at("stays.go", 8, 10), at("moves.go", 8, 10), at("moves.go", 9, 9), at("twice.go", 8, 10), at("edited.go", 8, 10), at("moves.go", 6, 6), at("moves.go", 90, 91),
		at("renamed.go", 8, 10), at("dirty.go", 8, 10), at("plain.go", 8, 10), lost, {File: "moves.go", Blob: blobs["moves.go"]}, {File: "renamed.go"},
		{File: "stays.go", Lines: [2]int{12, 12}, Blob: now}, {File: "stays.go", Lines: [2]int{11, 12}, Blob: now}, {File: "stays.go", Lines: [2]int{1, 11}, Blob: now},
	}
	changed := sage.RefState{State: sage.RefChanged}
	want := []sage.RefState{
		{State: sage.RefCurrent}, {State: sage.RefMoved, To: "moves.go", Lines: [2]int{9, 11}}, {State: sage.RefMoved, To: "moves.go", Lines: [2]int{10, 10}},
		changed, {State: sage.RefChanged, Now: [2]int{8, 10}, Diff: "@@ -8,3 +8,3 @@\n-\ttwo()\n+\tthree()"}, changed, changed,
		{State: sage.RefMoved, To: "new name.go", Lines: [2]int{9, 11}}, {State: sage.RefMoved, To: "still dirty.go"}, {State: sage.RefMoved, To: "untracked.go"},
		changed, changed, {State: sage.RefMoved, To: "new name.go"},
		{State: sage.RefGone, NoLines: true}, {State: sage.RefGone, NoLines: true}, {State: sage.RefCurrent},
	}
	got := s.Repo.RefStates(t.Context(), refs)
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("-want +got\n%s", d)
	}
	for i, want := range map[int]string{1: "MOVED to moves.go:9-11", 2: "MOVED to moves.go:10", 8: "MOVED to still dirty.go", 13: "NO SUCH LINES"} {
		if got[i].String() != want {
			t.Errorf("%d: %q, want %q", i, got[i], want)
		}
	}

	refs = []sage.CodeRef{{File: "moves.go"}, {File: "no such file"}, {File: "unread.go", Blob: "kept"}}
	s.Repo.NoteBlobs(refs)
	if refs[0].Blob != strings.TrimSpace(w.Git("r", "hash-object", "moves.go")) || refs[1].Blob != "" || refs[2].Blob != "kept" {
		t.Errorf("NoteBlobs: %+v", refs)
	}
	for file, want := range map[string]int{"moves.go": 11, "unread.go": 1, "no such file": 0} {
		if n, ok := s.Repo.FileLines(file); n != want || ok != (want > 0) {
			t.Errorf("FileLines(%q) = %d, %v", file, n, ok)
		}
	}
}

// A rename that was committed is followed, also over several and where the file changed; and
// a secret in what changed is not shown.
func TestRefStatesFollowCommittedRenames(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	body := "package a\n\nfunc a() {\n\tone()\n}\n\nfunc b() {\n\ttwo()\n}\n" + strings.Repeat("// more\n", 20)
	w.Write("r/old.go", body)
	w.Write("r/gone.go", "package gone\n")
	w.Git("r", "add", ".")
	w.Git("r", "commit", "-q", "-m", "first")
	blob := strings.TrimSpace(w.Git("r", "hash-object", "old.go"))
	token := "ghp_" + "Zk3vQ9" + "xT2mR7" + "bW5nL8" + "cY4pH6" + "dJ1sF0" + "gV3kA9"
	w.Git("r", "mv", "old.go", "newer.go")
	w.Git("r", "rm", "-q", "gone.go")
	w.Write("r/newer.go", "// on top\n"+body)
	w.Git("r", "commit", "-qam", "second")
	w.Git("r", "mv", "newer.go", "newest.go")
	w.Git("r", "commit", "-qm", "third")
	w.Write("r/newest.go", "// on top\n"+strings.Replace(body, "two()", "three() // "+token, 1))
	s := open(t, w, "r")
	got := s.Repo.RefStates(t.Context(), []sage.CodeRef{
		{File: "old.go", Lines: [2]int{3, 5}, Blob: blob}, {File: "old.go", Lines: [2]int{7, 9}, Blob: blob}, {File: "old.go", Blob: blob}, {File: "gone.go", Blob: blob},
	})
	secret := got[1].Diff
	got[1].Diff = ""
	want := []sage.RefState{
		{State: sage.RefMoved, To: "newest.go", Lines: [2]int{4, 6}}, {State: sage.RefChanged, To: "newest.go", Now: [2]int{8, 10}},
		{State: sage.RefChanged, To: "newest.go"}, {State: sage.RefGone},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("-want +got\n%s", d)
	}
	if !strings.HasPrefix(secret, "@@ -7,3 +8,3 @@\n-\ttwo()\n+\tthree() // ") || strings.Contains(secret, token) {
		t.Errorf("%q", secret)
	}
	if got := got[1].String(); got != "CHANGED since and moved to newest.go" {
		t.Errorf("%q", got)
	}
}

// Where git never had what a reference saw, its snippet tells where that is now.
func TestRefStatesBySnippet(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	w.Write("r/a.go", "package a\n\nfunc a() {\n\tone()\n}\n")
	s := open(t, w, "r")
	none := strings.Repeat("1", 40)
	got := s.Repo.RefStates(t.Context(), []sage.CodeRef{
		{File: "a.go", Lines: [2]int{3, 5}, Blob: none, Snippet: "func a() {\n\tone()\n}\n"},
		{File: "a.go", Lines: [2]int{1, 3}, Blob: none, Snippet: "func a() {\n\tone()\n}"},
		{File: "a.go", Lines: [2]int{3, 5}, Blob: none, Snippet: "func a() {\n\ttwo()\n}"},
		{File: "a.go", Snippet: "func a() {"}, {File: "a.go", Snippet: "func b() {"}, {File: "a.go", Lines: [2]int{1, 1}, Snippet: "func a() {"},
	})
	want := []sage.RefState{
		{State: sage.RefCurrent}, {State: sage.RefMoved, To: "a.go", Lines: [2]int{3, 5}}, {State: sage.RefChanged},
		{State: sage.RefCurrent}, {}, {State: sage.RefMoved, To: "a.go", Lines: [2]int{3, 3}},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("-want +got\n%s", d)
	}
}

// A repository without a work tree has no files to compare.
func TestRefStatesOfBareRepository(t *testing.T) {
	w := storetest.New(t)
	w.Git("", "init", "-q", "--bare", "r")
	s := open(t, w, "r")
	if got := s.Repo.RefStates(t.Context(), []sage.CodeRef{{File: "a.go", Blob: strings.Repeat("a", 40)}}); got[0] != (sage.RefState{}) {
		t.Errorf("%v", got)
	}
}

// What a tool of ours puts into the work tree is kept out of what git shows, once, and
// comes back as it was.
func TestExcludeAndInclude(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	w.Write("r/.git/info/exclude", "# mine\n*.o")
	w.Write("r/tracked.txt", "x")
	w.Git("r", "add", "tracked.txt")
	s := open(t, w, "r")
	read := func() string {
		t.Helper()
		b, err := os.ReadFile(w.Path("r", ".git", "info", "exclude"))
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	for line, want := range map[string]bool{"/tracked.txt": true, "/.tool/settings.json": false} {
		if got := s.Repo.Tracked(t.Context(), line); got != want {
			t.Errorf("Tracked(%q) = %v", line, got)
		}
	}
	if list, err := s.Repo.Exclude(t.Context(), "/a.o", false); err != nil || list != "" {
		t.Errorf("what git ignores already: %q, %v", list, err)
	}
	list, err := s.Repo.Exclude(t.Context(), "/.tool/settings.json", true)
	if err != nil || list != w.Path("r", ".git", "info", "exclude") || read() != "# mine\n*.o" {
		t.Errorf("a dry one: %q, %v, %q", list, err, read())
	}
	if list, err = s.Repo.Exclude(t.Context(), "/.tool/settings.json", false); err != nil || list == "" || read() != "# mine\n*.o\n/.tool/settings.json\n" {
		t.Errorf("%q, %v, %q", list, err, read())
	}
	if did, err := s.Repo.Init(t.Context()); err != nil || len(did) == 0 {
		t.Errorf("%q, %v", did, err)
	}
	if list, err = s.Repo.Include(t.Context(), "/.tool/settings.json", true); err != nil || list == "" || !strings.Contains(read(), ".tool") {
		t.Errorf("a dry one: %q, %v", list, err)
	}
	if list, err = s.Repo.Include(t.Context(), "/.tool/settings.json", false); err != nil || list == "" || read() != "# mine\n*.o\n/.sage/local/\n" {
		t.Errorf("%q, %v, %q", list, err, read())
	}
	if list, err = s.Repo.Include(t.Context(), "/.tool/settings.json", false); err != nil || list != "" {
		t.Errorf("what is not there: %q, %v", list, err)
	}
	must(t, os.RemoveAll(w.Path("r", ".git", "info")))
	if _, err = s.Repo.Include(t.Context(), "/x", false); err == nil {
		t.Error("without a list: no error")
	}
}

// Who wrote a shelf of pinned notes is found once, and known until the shelf changes.
func TestShelfAuthors(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	s := open(t, w, "r")
	if got, err := s.Knowledge.ShelfAuthors(t.Context(), "system"); err != nil || len(got) != 0 {
		t.Fatalf("before there is one: %v, %v", got, err)
	}
	for _, name := range []string{"one", "two"} {
		writeItems(t, s, gitstore.ItemChange{Key: "system/" + name, Item: &sage.Item{Content: "The text of " + name + "."}})
		for range 2 { // the second comes from the cache
			got, err := open(t, w, "r").Knowledge.ShelfAuthors(t.Context(), "system")
			if err != nil || got["system/"+name].Author == "" {
				t.Errorf("%s: %v, %v", name, got, err)
			}
		}
	}
}
