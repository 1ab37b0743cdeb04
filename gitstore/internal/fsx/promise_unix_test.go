//go:build unix

package fsx_test

import (
	"bufio"
	"context"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"testing"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
)

// TestMain also is the process that has a lock until it is killed.
func TestMain(m *testing.M) {
	if name := os.Getenv("FSXTEST_LOCK"); name != "" {
		l, _, err := fsx.TryLock(context.Background(), name)
		if l == nil || err != nil {
			os.Exit(1)
		}
		os.Stdout.WriteString("locked\n")
		_, _ = os.Stdin.Read(make([]byte, 1))
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// A process that is killed gives its lock up.
func TestLockGoesWithItsProcess(t *testing.T) {
	name := filepath.Join(t.TempDir(), "lock")
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "FSXTEST_LOCK="+name)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatal(line, err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if l, _, _ := fsx.TryLock(ended, name); l != nil {
		t.Error("two processes have the lock")
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if l, _, err := fsx.TryLock(ended, name); l == nil || err != nil {
		t.Errorf("behind the kill: %v %v", l, err)
	}
}

// A pipe is not waited for, and a link is no file of ours.
func TestReadOwnRefuses(t *testing.T) {
	dir := t.TempDir()
	pipe, link, file := filepath.Join(dir, "pipe"), filepath.Join(dir, "link"), filepath.Join(dir, "file")
	if err := syscall.Mkfifo(pipe, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("theirs"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(file, link); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{pipe, link} {
		if b, err := fsx.ReadOwn(name); err == nil {
			t.Errorf("%s: read %q", name, b)
		}
	}
	if b, err := fsx.ReadFile(link); err != nil || string(b) != "theirs" {
		t.Errorf("a user's link: %q %v", b, err)
	}
}

// Folders and files that are made at the same time, one within the other, are for
// those whom the outermost is for, whatever the umask: none is made in a folder that
// is not yet as it is to be.
func TestMadeForTheGroup(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0o077))
	for range 50 {
		root := t.TempDir()
		if err := os.Chmod(root, 0o770); err != nil {
			t.Fatal(err)
		}
		var wg sync.WaitGroup
		for _, name := range []string{"a/one", "a/b/two", "a/b/c/three", "a/b/d/four"} {
			wg.Go(func() {
				if err := fsx.WriteDerived(filepath.Join(root, name), []byte("x"), 0o644); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		for name, want := range map[string]fs.FileMode{"a": 0o770, "a/b": 0o770, "a/b/c": 0o770, "a/b/d": 0o770, "a/one": 0o660, "a/b/two": 0o660, "a/b/c/three": 0o660, "a/b/d/four": 0o660} {
			if st, err := os.Stat(filepath.Join(root, name)); err != nil || st.Mode().Perm() != want {
				t.Fatalf("%s: %v %v", name, st.Mode(), err)
			}
		}
	}
}
