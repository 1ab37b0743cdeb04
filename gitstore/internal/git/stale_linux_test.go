package git

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/git-sage/git-sage/gitstore/storetest"
	"golang.org/x/sys/unix"
)

// git moves a ref only from the value that it has, also where that is packed twice
// within a second. git tells by size and time whether packed-refs was written anew;
// one that has looked into it before it locks the ref, to warn of ambiguous names,
// takes the old value for the one that is there.
func TestStaleValueIsRefused(t *testing.T) {
	dir := t.TempDir()
	env := append(storetest.Env(dir), "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b")
	plain := func(args ...string) string {
		t.Helper()
		cmd := exec.Command("git", args...)
		cmd.Dir, cmd.Env = dir, env
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	plain("init", "-q")
	plain("config", "core.checkStat", "minimal") // else the inode would have to be the same
	plain("config", "core.trustctime", "false")  // and the second of another clock
	var ids []string
	for i := range 3 {
		ids = append(ids, plain("commit-tree", "-m", fmt.Sprint(i), plain("write-tree")))
	}
	const ref = "refs/sage/heads/main"
	plain("update-ref", ref, ids[0])
	plain("pack-refs", "--all")

	r, err := New(dir, env, false)
	if err != nil {
		t.Fatal(err)
	}
	w, err := r.Start(context.Background(), nil, "update-ref", "--no-deref", "--stdin", "-z")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fmt.Fprintf(w.in, "start\x00update %s\x00%s\x00%s\x00", ref, ids[1], ids[0]); err != nil {
		t.Fatal(err)
	}
	waits(t, w)
	packAgain(t, filepath.Join(dir, ".git", "packed-refs"), ids[0], ids[2])
	if err := w.Feed([]byte("prepare\x00commit\x00"), func() {}); err == nil {
		t.Error("a value that somebody else had replaced was replaced")
	}
	if got := plain("rev-parse", ref); got != ids[2] {
		t.Errorf("what was saved meanwhile is lost: the ref is at %s", got)
	}
}

// waits waits until git has taken in what it was told, and waits for more.
func waits(t *testing.T, w *Waiting) {
	t.Helper()
	end := time.Now().Add(10 * time.Second)
	for time.Now().Before(end) {
		left, err := unix.IoctlGetInt(int(w.in.(*os.File).Fd()), unix.TIOCINQ)
		if err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", w.PID()))
		if err != nil {
			t.Fatal(err)
		}
		_, state, _ := strings.Cut(string(b), ") ")
		if left == 0 && strings.HasPrefix(state, "S") {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Fatal("git does not take its input")
}

// packAgain replaces packed-refs by one of the same size and time.
func packAgain(t *testing.T, file, old, now string) {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	st, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file+".next", bytes.ReplaceAll(b, []byte(old), []byte(now)), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(file+".next", st.ModTime(), st.ModTime()); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(file+".next", file); err != nil {
		t.Fatal(err)
	}
}
