//go:build linux

package procs

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// The ids of two users and of the group that they share. They need no entry in any
// list of users.
const (
	ann, ben, ours = 61001, 61002, 61100
)

// user is the same place for another user, with a home of its own.
func (p *prog) user(uid int) func(args ...string) (string, error) {
	p.t.Helper()
	home := p.w.Path(fmt.Sprint("home-", uid))
	p.w.Write(fmt.Sprintf("home-%d/.gitconfig", uid), fmt.Sprintf("[user]\n\tname = User %d\n\temail = u%d@example.com\n[safe]\n\tdirectory = *\n[gc]\n\tauto = 0\n", uid, uid))
	give(p.t, home, uid, uid)
	return func(args ...string) (string, error) {
		cmd := p.cmd(args...)
		cmd.Env = append(cmd.Env, "HOME="+home, "XDG_CONFIG_HOME="+home)
		if args[0] == "git" {
			cmd.Path, cmd.Args = "/usr/bin/env", append([]string{"env"}, args...)
		}
		cmd.Args = append([]string{"sh", "-c", `umask 077 && exec "$0" "$@"`, cmd.Path}, cmd.Args[1:]...)
		cmd.Path = "/bin/sh"
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(uid), Groups: []uint32{ours}}}
		return outcome(cmd)
	}
}

// give hands over a tree.
func give(t testing.TB, root string, uid, gid int) {
	t.Helper()
	walk(t, root, func(path string, _ fs.DirEntry) error { return os.Lchown(path, uid, gid) })
}

// walk visits a tree in which processes in the background write: what goes away
// meanwhile is passed by.
func walk(t testing.TB, root string, visit func(path string, d fs.DirEntry) error) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil {
			err = visit(path, d)
		}
		if errors.Is(err, fs.ErrNotExist) && path != root {
			return nil
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Case B27: in a repository that a group shares, two users with a umask of 077 each
// save, merge, maintain, repair and purge, and each sees and goes on with what the
// other did. All that is written is for the group, and for nobody else.
func TestTwoUsers(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("needs root, to be two users")
	}
	p := shared(t)
	who := []func(args ...string) (string, error){p.user(ann), p.user(ben)}
	run := func(i int, args ...string) string {
		t.Helper()
		out, err := who[i](args...)
		if err != nil {
			t.Fatalf("user %d, %v: %v\n%s", i+1, args, err, out)
		}
		return out
	}
	var ids []string
	for i := range 6 {
		id, err := field(run(i%2, "checkpoint", "save", "--json", "-m", fmt.Sprint("thought ", i)), "id")
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, id)
	}
	for i := range 2 {
		line := fmt.Sprint("of-", i)
		run(i, "switch", "-c", line)
		run(i, "checkpoint", "save", "-m", "on a line of one's own "+line)
		run(1-i, "switch", "main")
		run(1-i, "checkpoint", "save", "-m", "meanwhile "+line)
		run(1-i, "merge", line, "--thesis", "both "+line)
		run(1-i, "branch", "-d", line)
		run(i, "admin", "maintenance", "--quiet")
		run(1-i, "git", "repack", "-adq")
		run(i, "tag", "v"+line)
		run(i, "checkpoint", "rm", "@")
		run(1-i, "checkpoint", "save", "-m", "after that "+line)
		run(i, "fsck")
		mends(t, p, func(args ...string) string { t.Helper(); return run(1-i, args...) })
	}
	forGroup(t, p)
	p.holds(ids...)
	for i := range 2 {
		run(i, "checkpoint", "save", "-m", fmt.Sprintf("token-%d-secret", i))
		alone := keepsAlone(t, p, []int{ann, ben}[i])
		if out := run(1-i, "purge", "--match", fmt.Sprintf("token-%d-secret", i), "--dry-run", "--json"); !strings.Contains(out, "session files of other users of this repository") {
			t.Errorf("nobody is told of the other's sessions: %s", out)
		}
		run(1-i, "purge", "--match", fmt.Sprintf("token-%d-secret", i), "--yes")
		if err := os.RemoveAll(filepath.Dir(alone)); err != nil {
			t.Error(err)
		}
		if out := run(i, "log", "--all", "--json"); strings.Contains(out, fmt.Sprintf("token-%d-secret", i)) {
			t.Errorf("still there: %s", out)
		}
		run(i, "checkpoint", "save", "-m", "after a purge by the other")
		run(i, "fsck")
	}
	forGroup(t, p)
}

// keepsAlone leaves what hooks keep of a user's session, which is nobody else's.
func keepsAlone(t *testing.T, p *prog, uid int) (file string) {
	t.Helper()
	file = p.w.Path(p.dir + "/.git/sage/sessions/" + fmt.Sprintf("%016x.digest.json", uid))
	dir := filepath.Dir(file)
	if err := os.Mkdir(dir, 0o770); err != nil {
		t.Fatal(err)
	}
	if err := os.Chown(dir, uid, ours); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chown(file, uid, -1); err != nil {
		t.Fatal(err)
	}
	return file
}

// shared makes a repository that the group shares, of the first user's.
func shared(t *testing.T) *prog {
	t.Helper()
	p := world(t, built)
	p.w.Git("", "init", "-q", "--shared=group", "s")
	p.dir = "s"
	p.w.Git("s", "commit", "-q", "--allow-empty", "-m", "first")
	p.letIn()
	give(t, p.w.Path("s"), ann, ours)
	walk(t, p.w.Path("s"), func(path string, d fs.DirEntry) error {
		if !d.IsDir() {
			return nil
		}
		return os.Chmod(path, 0o770|fs.ModeSetgid)
	})
	p.w.Git("", "config", "--global", "safe.directory", "*")
	return p
}

// letIn lets other users come where the world lies.
func (p *prog) letIn() {
	for dir := p.w.Dir; dir != "/" && dir != os.TempDir(); dir = filepath.Dir(dir) {
		_ = os.Chmod(dir, 0o755)
	}
}

// mends loses a line, lets one user bring it back, and looks whether it is there.
func mends(t *testing.T, p *prog, run func(args ...string) string) {
	t.Helper()
	tip := p.git("rev-parse", "refs/sage/heads/main")
	for _, name := range []string{"refs", "logs/refs"} {
		_ = os.Remove(p.w.Path("s/.git", name, "sage/heads/main"))
	}
	run("fsck", "--repair")
	if got := p.git("rev-parse", "refs/sage/heads/main"); got != tip {
		t.Errorf("repaired to %s, want %s", got, tip)
	}
}

// forGroup fails unless all below .git that was written is for the group.
func forGroup(t *testing.T, p *prog) {
	t.Helper()
	walk(t, p.w.Path("s/.git"), func(path string, d fs.DirEntry) error {
		if d.Type() == fs.ModeSymlink {
			return nil
		}
		st, err := d.Info()
		if err != nil {
			return err
		}
		sys, mode := st.Sys().(*syscall.Stat_t), st.Mode().Perm()
		want := fs.FileMode(0o440)
		if d.IsDir() {
			want = 0o770
		}
		rel := strings.TrimPrefix(path, p.w.Path("s/.git"))
		if rel == "/sage/cache/config.json" { // of one user's settings, who alone may read it
			return nil
		}
		if sys.Gid != ours && (sys.Uid == ann || sys.Uid == ben) || mode&want != want || mode&0o007 != 0 && strings.HasPrefix(rel, "/sage") {
			t.Errorf("%s is %v of %d:%d", rel, st.Mode(), sys.Uid, sys.Gid)
		}
		return nil
	})
}
