//go:build unix

package plainfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestReadAndWrite(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "state")
	for _, text := range []string{"one", "two"} {
		if err := Write(file, []byte(text)); err != nil {
			t.Fatal(err)
		}
		if b, err := Read(file, 3); err != nil || string(b) != text {
			t.Errorf("%q, %v", b, err)
		}
	}
	if list, err := os.ReadDir(dir); err != nil || len(list) != 1 {
		t.Errorf("it leaves %v, %v", list, err)
	}
	if err := os.Symlink(file, filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	for name, most := range map[string]int64{"state": 2, "link": 3, ".": 1 << 20, "none": 3} {
		if b, err := Read(filepath.Join(dir, name), most); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %q, %v", name, b, err)
		}
	}
	if err := Write(filepath.Join(dir, "none", "state"), nil); err == nil {
		t.Error("written into a folder that is not there")
	}
}

// TestOpen: what is no regular file is neither read nor written, nobody waits for it, and
// the error is a line that says what to type.
func TestOpen(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	err := errors.Join(Write(at("theirs"), []byte("theirs")), os.Mkdir(at("folder"), 0o700), os.Symlink("theirs", at("link")),
		os.Symlink("none", at("dangling")), syscall.Mkfifo(at("pipe"), 0o600))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"link":     "' is a symbolic link, and nothing of git-sage's: rm '" + at("link") + "'",
		"dangling": "' is a symbolic link, and nothing of git-sage's: rm '" + at("dangling") + "'",
		"pipe":     "' is a named pipe, and nothing of git-sage's: rm '" + at("pipe") + "'",
		"folder":   "' is a folder, and nothing of git-sage's: mv '" + at("folder") + "' '" + at("folder.old") + "'",
	} {
		for _, flag := range []int{os.O_RDONLY, os.O_RDWR | os.O_CREATE, os.O_WRONLY | os.O_CREATE | os.O_APPEND, os.O_WRONLY | os.O_TRUNC} {
			f, err := Open(at(name), flag)
			if err == nil {
				f.Close()
			}
			if !errors.Is(err, ErrOther) || !strings.HasSuffix(err.Error(), want) {
				t.Errorf("%s, %#x: %v, want %s", name, flag, err, want)
			}
		}
	}
	if b, err := os.ReadFile(at("theirs")); err != nil || string(b) != "theirs" {
		t.Errorf("written through a link: %q, %v", b, err)
	}
	if _, err := os.Lstat(at("none")); err == nil {
		t.Error("made behind a link")
	}
	if f, err := Open(at("new"), os.O_WRONLY|os.O_CREATE); err != nil {
		t.Error(err)
	} else if st, err := f.Stat(); err != nil || st.Mode() != 0o600 || f.Close() != nil {
		t.Errorf("%v, %v", st.Mode(), err)
	}
	if b, err := ReadLinked(at("link"), 6); err != nil || string(b) != "theirs" {
		t.Errorf("%q, %v", b, err)
	}
	for _, name := range []string{"pipe", "folder", "theirs"} {
		if _, err := ReadLinked(at(name), 5); !errors.Is(err, ErrOther) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestFolders: a link in the place of a folder is not followed, at any depth.
func TestFolders(t *testing.T) {
	base, theirs := t.TempDir(), t.TempDir()
	ours := filepath.Join(base, "a", "b")
	if err := CheckFolder(base, ours); !errors.Is(err, fs.ErrNotExist) || errors.Is(err, ErrOther) {
		t.Errorf("missing: %v", err)
	}
	if err := errors.Join(MakeFolder(base, ours), CheckFolder(base, ours), MakeFolder(base, ours)); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Symlink(theirs, filepath.Join(base, "link")), os.Symlink(filepath.Join(theirs, "none"), filepath.Join(base, "dangling"))); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"link", "link/b", "link/b/c", "dangling", "dangling/b"} {
		dir := filepath.Join(base, name)
		if err := CheckFolder(base, dir); !errors.Is(err, ErrOther) {
			t.Errorf("%s: %v", name, err)
		}
		if err := MakeFolder(base, dir); !errors.Is(err, ErrOther) {
			t.Errorf("%s is made: %v", name, err)
		}
	}
	for _, other := range []string{base + "/", base + "/./", filepath.Join(base, "a", "b", "c")} {
		if err := CheckFolder(other, ours); err != nil {
			t.Errorf("below %s: %v", other, err)
		}
	}
	gone := filepath.Join(base, "gone", ".git", "sage")
	if err := MakeFolderIn(gone, filepath.Join(gone, "called")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("in a repository that is gone: %v", err)
	}
	if err := MakeFolder(gone, filepath.Join(gone, "called")); err != nil {
		t.Errorf("in a home folder that is not there yet: %v", err)
	}
	if list, err := os.ReadDir(theirs); err != nil || len(list) > 0 {
		t.Errorf("made behind a link: %v, %v", list, err)
	}
}
