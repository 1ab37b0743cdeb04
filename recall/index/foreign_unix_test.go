//go:build unix

package index

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/git-sage/git-sage/recall/index/disk"
	"github.com/git-sage/git-sage/recall/index/internal/segment"
)

// foreign puts something in the place of a file.
var foreign = map[string]func(file string) error{
	"a pipe":          func(file string) error { return syscall.Mkfifo(file, 0o600) },
	"a link":          func(file string) error { return os.Symlink("/etc/hostname", file) },
	"a link to a pit": func(file string) error { return os.Symlink(file, file) },
	"a socket": func(file string) error {
		l, err := net.ListenUnix("unix", &net.UnixAddr{Name: file, Net: "unix"})
		if err == nil {
			l.SetUnlinkOnClose(false)
			err = l.Close()
		}
		return err
	},
}

// Whatever stands in the place of a file, nobody waits for it, nothing is read through
// it, and the next update puts a file there.
// It is case A11.
func TestForeignThings(t *testing.T) {
	dir := t.TempDir()
	want, err := ask(small(t, dir, testOptions()))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range filesIn(t, dir, "*.seg", "*.list", "*.lock") {
		for what, put := range foreign {
			name := filepath.Base(file)
			t.Run(name+"/"+what, func(t *testing.T) {
				dir := filepath.Join("/tmp", fmt.Sprintf("x%d", os.Getpid())) // the path of a socket is short
				defer os.RemoveAll(dir)
				must(t, os.CopyFS(dir, os.DirFS(filepath.Dir(file))))
				must(t, errors.Join(os.Remove(filepath.Join(dir, name)), put(filepath.Join(dir, name))))
				checkDamaged(t, dir, want)
				if filepath.Ext(name) != ".lock" {
					checkHealed(t, dir)
				}
			})
		}
	}
}

func filesIn(t *testing.T, dir string, patterns ...string) (files []string) {
	t.Helper()
	for _, p := range patterns {
		more, err := filepath.Glob(filepath.Join(dir, p))
		if err != nil || len(more) == 0 {
			t.Fatal(p, err)
		}
		files = append(files, more...)
	}
	return files
}

// A file that may not be read is as good as none, and replaced.
func TestUnreadableFiles(t *testing.T) {
	dir := t.TempDir()
	want, err := ask(small(t, dir, testOptions()))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range filesIn(t, dir, "*.seg", "*.list") {
		name := filepath.Base(file)
		t.Run(name, func(t *testing.T) {
			dir := copyOf(t, dir)
			replaced := false
			defer disk.Inject(func(op, path string) error {
				switch {
				case filepath.Base(path) != name || replaced:
				case op == "open" || op == "read":
					return syscall.EACCES
				case op == "rename":
					replaced = true
				}
				return nil
			})()
			checkDamaged(t, dir, want)
			checkHealed(t, dir)
		})
	}
}

// What cannot be written is answered all the same, from memory over what is on disk,
// and the disk stays as it was.
// It is case B20.
func TestNothingCanBeWritten(t *testing.T) {
	dir := t.TempDir()
	small(t, dir, testOptions())
	for what, at := range map[string]string{"over files": dir, "over nothing": filepath.Join(t.TempDir(), "none")} {
		for _, errno := range []error{syscall.EROFS, syscall.ENOSPC} {
			t.Run(what+"/"+errno.Error(), func(t *testing.T) {
				x := open(t, at, testOptions())
				before, err := x.Tips()
				if err != nil {
					t.Fatal(err)
				}
				restore := disk.Inject(func(op, _ string) error {
					if op == "create" || op == "write" && errno == syscall.ENOSPC || op == "flock" && errno == syscall.EROFS {
						return errno
					}
					return nil
				})
				defer restore()
				update(t, x, Change{From: before, To: tipsOf(3), Docs: []segment.Doc{smallDoc(30, "wiped")}})
				update(t, x, Change{From: tipsOf(3), To: tipsOf(4), Docs: []segment.Doc{smallDoc(31, "wiped")}, Removed: []string{"doc2"}})
				embedAll(t, x)
				if err := x.Compact(context.Background()); err != nil {
					t.Error(err)
				}
				if err := x.Unwritten(); !errors.Is(err, errno) {
					t.Errorf("why: %v", err)
				}
				whole := open(t, t.TempDir(), testOptions())
				restore()
				c := Change{To: tipsOf(4)}
				if len(before) > 0 {
					c.Docs = smallDocs()
				}
				c.Docs, c.Removed = append(c.Docs, smallDoc(30, "wiped"), smallDoc(31, "wiped")), []string{"doc2"}
				update(t, whole, c)
				update(t, whole, Change{From: tipsOf(4), To: tipsOf(5), Removed: []string{"doc2"}})
				embedAll(t, whole)
				want, err := ask(whole)
				if err != nil {
					t.Fatal(err)
				}
				got, err := ask(x)
				if err != nil {
					t.Fatal(err)
				}
				checkAnswer(t, got, want)
				if tips, err := open(t, at, testOptions()).Tips(); err != nil || fmt.Sprint(tips) != fmt.Sprint(before) {
					t.Errorf("on disk: %v %v, want %v", tips, err, before)
				}
			})
		}
	}
}
