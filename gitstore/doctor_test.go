package gitstore_test

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/storetest"
	"github.com/git-sage/git-sage/internal/hint"
)

// says returns what doctor says of a name, one line each: state, detail, cure.
func says(t *testing.T, s *gitstore.Store, name string) string {
	t.Helper()
	var out []string
	for _, d := range s.Doctor.Diagnose(ctx) {
		if line := string(d.State) + ": " + d.Detail + " | " + hint.Cure(d.Cure); strings.Contains(line, "\n") {
			t.Errorf("no line: %q", line)
		} else if d.Name == name {
			out = append(out, line)
		}
		if d.State == gitstore.StateOK && d.Cure != nil {
			t.Errorf("a cure for what is well: %+v", d)
		}
	}
	return strings.Join(out, "\n")
}

// What git's configuration does to the memory is said, with what to type.
func TestDoctorReadsTheConfiguration(t *testing.T) {
	t.Parallel()
	w := storetest.New(t)
	w.Repo("r")
	save(t, open(t, w, "r"), "one")
	plain, err := os.ReadFile(w.Path("r/.git/config"))
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ config, want string }{
		"nothing":        {"", "ok: no git setting is in the way"},
		"own branches":   {"[remote \"o\"]\n\tfetch = +refs/heads/*:refs/remotes/o/*\n", "ok: no git setting is in the way"},
		"fetch onto":     {"[remote \"o\"]\n\tfetch = refs/sage/heads/*:refs/sage/heads/*\n", "error: 'git fetch o' writes to the memory's own refs (refs/sage/heads/*:refs/sage/heads/*) and fails where both sides saved | git config --fixed-value --replace-all remote.o.fetch "},
		"forced fetch":   {"[remote \"o\"]\n\tfetch = +refs/sage/*:refs/sage/*\n", "and overwrites unpushed checkpoints"},
		"pruning fetch":  {"[fetch]\n\tprune\n[remote \"o\"]\n\tfetch = +refs/sage/*:refs/sage/*\n", "and deletes unpushed checkpoints"},
		"mirror clone":   {"[remote \"o\"]\n\tfetch = +refs/*:refs/*\n", "fetch branches and tags only: git config"},
		"beside":         {"[remote \"o\"]\n\tfetch = +refs/sage/heads/*:refs/sage/remotes/o/heads/*\n", "ok: no git setting is in the way"},
		"push a pattern": {"[remote \"o\"]\n\tpush = +refs/sage/*:refs/sage/*\n", "warning: 'git push o' pushes memory refs by pattern (+refs/sage/*:refs/sage/*)"},
		"mirror push":    {"[remote \"o\"]\n\tmirror\n", "warning: 'git push o' mirrors every ref"},
		"no mirror push": {"[remote \"o\"]\n\tmirror = no\n", "ok: no git setting is in the way"},
		"hidden refs":    {"[transfer]\n\thideRefs = refs/sage\n", "warning: transfer.hiderefs is refs/sage: fetches from here do not get the memory"},
		"shown refs":     {"[transfer]\n\thideRefs = !refs/sage\n", "ok: no git setting is in the way"},
		"gc at once":     {"[gc]\n\tpruneExpire = now\n", "warning: gc.pruneExpire is now"},
		"hooks":          {"[core]\n\thooksPath = /nowhere\n", "ok: core.hooksPath is /nowhere; git-sage runs no git hooks"},
		"not durable":    {"[sage]\n\tdurable = false\n", "warning: sage.durable is false: a power cut may lose the latest saves | git config sage.durable true"},
	} {
		w.Write("r/.git/config", string(plain)+c.config)
		if got := says(t, open(t, w, "r"), "config"); !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	w.Write("r/.git/config", string(plain)+"[sage]\n\tenabled = false\n")
	if got := says(t, open(t, w, "r"), "saving"); got != "warning: git-sage is switched off here | git config sage.enabled true" {
		t.Errorf("switched off: %q", got)
	}
}

// Each thing that doctor looks at besides is said when it is not as it should be.
func TestDoctorLooksAround(t *testing.T) {
	t.Parallel()
	w := storetest.New(t)
	w.Repo("r")
	clock := func(at time.Time) func(*gitstore.Options) {
		return func(o *gitstore.Options) { o.Now = func() time.Time { return at } }
	}
	want := func(s *gitstore.Store, name, want string) {
		t.Helper()
		if got := says(t, s, name); !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	want(open(t, w, "r"), "memory", "ok: no checkpoints yet | ")
	want(open(t, w, "r"), "backup", "ok: nothing to back up yet")
	one := save(t, open(t, w, "r"), "one")
	want(open(t, w, "r"), "memory", "ok: 1 checkpoint on 1 line: everything can be read")
	want(open(t, w, "r"), "backup", "ok: up to date, not packed yet")
	want(open(t, w, "r"), "locks", "ok: no stale locks")
	want(open(t, w, "r", clock(time.Unix(0, 0))), "clock", "warning: shows 1970-01-01 00:00 UTC, which is wrong | set this machine's clock")
	r, err := open(t, w, "r").Commits.Record(ctx, one.ID)
	if err != nil {
		t.Fatal(err)
	}
	if behind := r.Recorded.Add(-time.Hour); behind.Year() >= 2024 {
		want(open(t, w, "r", clock(behind)), "clock", "this clock is slow")
	}
	ahead := time.Now().Add(2 * time.Hour)
	must(t, os.Chtimes(w.Path("r/.git/sage/journal"), ahead, ahead))
	want(open(t, w, "r"), "clock", "is dated 2 hours in the future by its file system")
	for i := range 30 {
		w.Write(fmt.Sprintf("r/.git/objects/17/%038x", i), "")
	}
	want(open(t, w, "r"), "upkeep", "warning: about 7680 loose objects, which slow git down | git sage admin maintenance")
	w.Write("r/.git/refs/sage/heads/x.lock", "")
	want(open(t, w, "r"), "locks", "warning: refs/sage/heads/x.lock: held by a running git")
	must(t, os.RemoveAll(w.Path("r/.git/sage/backup.git")))
	want(open(t, w, "r"), "backup", "warning: no backup yet | git sage admin maintenance")
	w.Write("r/.git/sage/backup.git/objects/x", "")
	want(open(t, w, "r"), "backup", "warning: lacks the tips of 1 of 1 ref | git sage admin maintenance")
	lose(w, w.Git("r", "rev-parse", one.ID+":checkpoint.md"))
	want(open(t, w, "r"), "memory", "error: 1 checkpoint on 1 line; 1 cannot be read in full; 1 problem found | git sage fsck")
	w.Write("r/.git/refs/sage/heads/y", "")
	want(open(t, w, "r"), "memory", "; 2 problems found | git sage fsck")
}

// A git that fails is said where it is asked, and an old one named.
func TestDoctorWithoutAGitThatWorks(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	save(t, open(t, w, "r"), "one")
	g := w.FaultyGit()
	s := open(t, w, "r")
	for command, c := range map[string]struct{ name, want string }{
		"version":      {"git", "error: git version: "},
		"config":       {"config", "error: "},
		"for-each-ref": {"memory", "error: list refs: "},
	} {
		g.Command(command, storetest.Fail)
		if got := says(t, s, c.name); !strings.Contains(got, c.want) || !strings.Contains(got, "injected") || strings.HasSuffix(got, "| ") {
			t.Errorf("%s fails: %q", command, got)
		}
	}
	g.Heal()
}

// A lock that is old is not removed while a git is at work here, which is named.
func TestRepairWaitsForAGit(t *testing.T) {
	if _, err := os.Stat("/proc/self/fd"); err != nil {
		t.Skip("this system does not tell which gits are at work")
	}
	w := storetest.New(t)
	w.Repo("r")
	save(t, open(t, w, "r"), "one")
	lock := w.Path("r/.git/refs/sage/heads/x.lock")
	w.Write("r/.git/refs/sage/heads/x.lock", "")
	old := time.Now().Add(-time.Hour)
	must(t, os.Chtimes(lock, old, old))
	shell := exec.Command("sh", "-c", "git hash-object --stdin-paths; :") // the git is not a child of ours
	shell.Dir, shell.Env = w.Path("r"), w.Env
	in, err := shell.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := shell.StdoutPipe()
	if err == nil {
		err = shell.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	_, _ = in.Write([]byte("a.txt\n")) // it is up when it answers
	if _, err := out.Read(make([]byte, 41)); err != nil {
		t.Fatal(err)
	}
	got, err := open(t, w, "r").Fsck.Repair(ctx, gitstore.RepairRequest{})
	if err != nil || len(got.Not) != 1 || !strings.Contains(got.Not[0].Text, "git is running here: process ") || !strings.Contains(got.Not[0].Text, "hash-object") {
		t.Errorf("%+v %v", got, err)
	}
	if _, err := os.Stat(lock); err != nil {
		t.Errorf("the lock: %v", err)
	}
	_ = in.Close()
	_ = shell.Wait()
	restore := fsx.Inject(func(op fsx.Op, path string) error {
		if op == fsx.OpList && path == "/proc" {
			return syscall.EACCES
		}
		return nil
	})
	got, err = open(t, w, "r").Fsck.Repair(ctx, gitstore.RepairRequest{})
	restore()
	if err != nil || len(got.Not) != 1 || !strings.Contains(got.Not[0].Text, "cannot tell which gits are running") {
		t.Errorf("where nothing tells: %+v %v", got, err)
	}
	if got, err = open(t, w, "r").Fsck.Repair(ctx, gitstore.RepairRequest{}); err != nil || len(got.Not) != 0 || len(broken(got.Left)) != 0 {
		t.Errorf("afterwards: %+v %v", got, err)
	}
}

// Where nothing can be written doctor is not green.
func TestDoctorTriesWhetherItMayWrite(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	s := open(t, w, "r")
	save(t, s, "one")
	for err, want := range map[error]string{
		syscall.EROFS:  "error: '" + w.Path("r/.git/objects") + "' is on a read-only file system; you can read, but not save | remount it writable",
		syscall.EACCES: "error: '" + w.Path("r/.git/objects") + "': permission denied: nothing can be saved | fix the permissions of '" + w.Path("r/.git/objects") + "'",
	} {
		restore := fsx.Inject(func(op fsx.Op, path string) error {
			if op == fsx.OpStat && path == w.Path("r/.git/objects") {
				return err
			}
			return nil
		})
		got := says(t, s, "files")
		restore()
		if got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

// What is broken is said however often it is looked at, also while a git packs.
func TestBrokenWhileGitPacks(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	one := save(t, open(t, w, "r"), "one")
	w.Write("r/.git/packed-refs.lock", "")
	lose(w, w.Git("r", "rev-parse", one.ID+":checkpoint.md"))
	r, err := open(t, w, "r").Fsck.Check(ctx)
	if err != nil || r.Lost != 1 || len(r.Findings) != 2 {
		t.Errorf("%+v %v", r, err)
	}
}
