package export

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/git-sage/git-sage/imports/markdown"
)

// An export that was killed anywhere knows its files again, and takes none of the user's for
// its own.
func TestFolderAfterAKill(t *testing.T) {
	dir := t.TempDir()
	put := func(name, data string) {
		t.Helper()
		f, err := newFolder(dir, true, false)
		if err == nil {
			err = f.put(name, []byte(data))
		}
		if err != nil {
			t.Fatal(err)
		}
		if f.list != nil {
			_ = f.list.Close() // and not the folder: it was killed
		}
	}
	read := func(name, want string) {
		t.Helper()
		if b, _ := os.ReadFile(filepath.Join(dir, name)); string(b) != want {
			t.Errorf("%s: %q, want %q", name, b, want)
		}
	}
	put("a.md", "one\n")
	list, err := os.OpenFile(filepath.Join(dir, listName), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = list.WriteString("0123") // a line that was cut
	_ = list.Close()
	put("a.md", "two\n")
	put("b.md", "one\n")
	put("a.md", "three\n")
	put("b.md", "two\n")
	read("a.md", "three\n")
	read("b.md", "two\n")

	f, err := newFolder(dir, true, false)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.note("a.md", markdown.SumOf([]byte("four\n"))); err != nil { // killed before the file was written
		t.Fatal(err)
	}
	_ = f.list.Close()
	put("a.md", "five\n")
	read("a.md", "five\n")

	if err := os.WriteFile(filepath.Join(dir, "a.md"), []byte("mine\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	put("a.md", "six\n")
	read("a.md", "mine\n")
}
