package gitstore_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

// keeper is upkeep as a process of its own, which kills itself right before the
// n-th operation on a file; 0 is never.
func keeper(n string) int {
	kill, _ := strconv.Atoi(n)
	s, err := gitstore.Open(ctx, gitstore.Options{Env: os.Environ()})
	if err == nil {
		var count atomic.Int64 // who looks why a git takes long asks for files beside us
		defer fsx.Inject(func(fsx.Op, string) error {
			if count.Add(1) == int64(kill) {
				if self, err := os.FindProcess(os.Getpid()); err == nil {
					_ = self.Kill()
				}
				select {}
			}
			return nil
		})()
		_, err = s.Upkeep.Maintain(ctx)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

func keep(w *storetest.World, dir string, kill int) *exec.Cmd {
	exe, _ := os.Executable()
	cmd := exec.Command(exe)
	cmd.Dir, cmd.Env = w.Path(dir), append(slices.Clone(w.Env), "STORETEST_UPKEEP="+strconv.Itoa(kill))
	return cmd
}

func maintain(t testing.TB, s *gitstore.Store) string {
	t.Helper()
	did, err := s.Upkeep.Maintain(ctx)
	if err != nil {
		t.Fatalf("maintain: %v", err)
	}
	return did
}

// tree lists the files below a folder with size and time.
func tree(t testing.TB, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		st, err := d.Info()
		if err == nil {
			out[strings.TrimPrefix(path, dir+"/")] = fmt.Sprint(st.Size(), st.Mode(), st.ModTime().UnixNano())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// looseFiles are the loose objects of a repository.
func looseFiles(t testing.TB, dir string) (files []string) {
	t.Helper()
	for f := range tree(t, filepath.Join(dir, ".git", "objects")) {
		if len(f) == 41 && f[2] == '/' {
			files = append(files, f)
		}
	}
	slices.Sort(files)
	return files
}

func packFiles(t testing.TB, dir string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, ".git", "objects", "pack", "*.pack"))
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// loads fails unless all ids can be read, through a store opened anew, and git
// finds nothing wrong.
func loads(t testing.TB, w *storetest.World, dir string, ids []string) {
	t.Helper()
	s := open(t, w, dir)
	defer s.Close()
	canLoad(t, s, ids)
	if out := w.Git(dir, "fsck", "--full", "--no-dangling"); strings.Contains(out, "error") || strings.Contains(out, "missing") {
		t.Errorf("git fsck: %s", out)
	}
}

// canLoad reports checkpoints that cannot be loaded.
func canLoad(t testing.TB, s *gitstore.Store, ids []string) {
	t.Helper()
	for _, id := range ids {
		if _, err := s.Commits.Load(ctx, id); err != nil {
			t.Errorf("load %s: %v", id, err)
		}
	}
}

// Upkeep leaves alone what is the user's: loose objects, packs, and what nobody
// reaches.
func TestMaintainPacksOursOnly(t *testing.T) {
	w := storetest.New(t)
	dir := w.Repo("r")
	w.Git("r", "repack", "-adq")
	w.Write("r/b.txt", "two\n")
	w.Git("r", "add", ".")
	w.Git("r", "commit", "-qm", "second")
	w.Write("r/c.txt", "in no commit\n")
	w.Git("r", "hash-object", "-w", "c.txt")
	before := tree(t, filepath.Join(dir, ".git", "objects"))
	s := open(t, w, "r")
	var ids []string
	for i := range 20 {
		ids = append(ids, save(t, s, fmt.Sprint("thesis ", i)).ID)
	}
	if did := maintain(t, s); !strings.HasPrefix(did, "packed into pack-") {
		t.Errorf("did: %q", did)
	}
	after := tree(t, filepath.Join(dir, ".git", "objects"))
	ours := 0
	for f := range after {
		if before[f] == "" {
			ours++
			delete(after, f)
		}
	}
	if diff := cmp.Diff(before, after); diff != "" || ours != 2 {
		t.Errorf("%d files of ours; the user's changed:\n%s", ours, diff)
	}
	loads(t, w, "r", ids)
	if did := maintain(t, s); did != "nothing to pack" {
		t.Errorf("again: %q", did)
	}
	ids = append(ids, save(t, s, "after it").ID)
	loads(t, w, "r", ids)
}

// More than ten packs become one, but for those that somebody holds on to.
func TestMaintainJoins(t *testing.T) {
	w := storetest.New(t)
	dir := w.Repo("r")
	s := open(t, w, "r")
	var ids []string
	round := func(n int) {
		for i := range n {
			ids = append(ids, save(t, s, fmt.Sprint("thesis ", len(ids), i)).ID)
			maintain(t, s)
		}
	}
	round(3)
	three := packFiles(t, dir)
	if err := os.WriteFile(strings.TrimSuffix(three[0], "pack")+"keep", nil, 0o666); err != nil {
		t.Fatal(err)
	}
	w.Git("r", "multi-pack-index", "write")
	round(11)
	if got := len(packFiles(t, dir)); got != 4 {
		t.Errorf("%d packs, want the 3 that are held and one", got)
	}
	for _, f := range three {
		if _, err := os.Stat(f); err != nil {
			t.Errorf("a pack that somebody holds on to is gone: %v", err)
		}
	}
	w.Git("r", "multi-pack-index", "verify")
	loads(t, w, "r", ids)
	w.Git("r", "gc", "--quiet", "--prune=now")
	round(2)
	loads(t, w, "r", ids)
}

// A reader that has packs open, as a server has, goes on reading when they are
// joined under it.
func TestJoinBesideReader(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	s, reader := open(t, w, "r"), open(t, w, "r")
	var ids []string
	for i := range 25 {
		ids = append(ids, save(t, s, fmt.Sprint("thesis ", i)).ID)
		maintain(t, s)
		for _, id := range []string{ids[0], ids[len(ids)/2], ids[len(ids)-1]} {
			if _, err := reader.Commits.Load(ctx, id); err != nil {
				t.Fatalf("after %d: %v", i, err)
			}
		}
	}
}

// Killed before any of its operations on files, upkeep has lost nothing, and the
// next one ends what it began. Case A2.
func TestMaintainKilledAnywhere(t *testing.T) {
	w := storetest.New(t)
	dir := w.Repo("r")
	s := open(t, w, "r")
	var ids []string
	more := func() {
		for range 2 {
			ids = append(ids, save(t, s, fmt.Sprint("thesis ", len(ids))).ID)
		}
	}
	killed := 0
	for k := 1; ; k += 1 + k/8 {
		more()
		err := keep(w, "r", k).Run()
		if err == nil {
			break
		}
		if !strings.Contains(err.Error(), "killed") {
			t.Fatalf("at %d: %v", k, err)
		}
		killed++
		ids = append(ids, save(t, s, fmt.Sprint("right behind ", k)).ID)
		if k%3 == 0 {
			loads(t, w, "r", ids)
		}
	}
	if killed < 20 {
		t.Errorf("killed at %d points only", killed)
	}
	maintain(t, s)
	loads(t, w, "r", ids)
	if got := looseFiles(t, dir); len(got) != 3 { // the user's
		t.Errorf("left loose: %v", got)
	}
	left, _ := filepath.Glob(filepath.Join(dir, ".git", "objects", "pack", "tmp_*"))
	if len(left) > 0 || len(packFiles(t, dir)) > 11 {
		t.Errorf("left: %v, %d packs", left, len(packFiles(t, dir)))
	}
}

// Saves, reads, upkeep that is killed again and again, and all that a user's git
// may do to objects, at once: every acknowledged save is there, and git is
// content. Cases C31 and C32.
func TestUpkeepBesideAll(t *testing.T) {
	w := storetest.New(t)
	dir := w.Repo("r")
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for k := 1; ; k++ {
			select {
			case <-stop:
				return
			default:
			}
			if out, err := keep(w, "r", 7*k%90).CombinedOutput(); err != nil && !strings.Contains(err.Error(), "killed") {
				t.Errorf("upkeep: %v %s", err, out)
			}
			args := [][]string{{"repack", "-adq"}, {"gc", "-q"}, {"prune-packed"}, {"gc", "-q", "--prune=now"}, {"multi-pack-index", "write"}, {"pack-refs", "--all"}}[k%6]
			if out, err := w.TryGit("r", args...); err != nil && !slices.ContainsFunc(pruned, func(s string) bool { return strings.Contains(out, s) }) {
				t.Errorf("git %v: %v %s", args, err, out)
			}
		}
	}()
	ids := crowd(t, w, "r", 4, 25, "STORETEST_LINE=main")
	close(stop)
	<-done
	chained(t, w, "r", "refs/sage/heads/main", ids, 100)
	maintain(t, open(t, w, "r"))
	loads(t, w, "r", ids)
	if left, _ := filepath.Glob(filepath.Join(dir, ".git", "objects", "pack", "tmp_sage_*")); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

// Whatever operation fails, upkeep says so in one line or does without, and
// nothing is lost; the next one does it all.
func TestMaintainFaults(t *testing.T) {
	w := storetest.New(t)
	dir := w.Repo("r")
	s := open(t, w, "r")
	var ids []string
	for range 12 { // so that it joins, too
		ids = append(ids, save(t, s, fmt.Sprint("thesis ", len(ids))).ID)
		maintain(t, s)
	}
	failed := 0
	for k := 1; ; k += 1 + k/8 {
		ids = append(ids, save(t, s, fmt.Sprint("thesis ", len(ids))).ID)
		var count atomic.Int64
		restore := fsx.Inject(func(op fsx.Op, _ string) error {
			if op != fsx.OpStat && op != fsx.OpLock && count.Add(1) == int64(k) {
				return syscall.ENOSPC
			}
			return nil
		})
		_, err := s.Upkeep.Maintain(ctx)
		restore()
		if count.Load() < int64(k) {
			break
		}
		if err != nil {
			failed++
			if !errors.Is(err, syscall.ENOSPC) && !strings.Contains(err.Error(), "space") || strings.Contains(err.Error(), "\n") {
				t.Errorf("at %d: %v", k, err)
			}
		}
	}
	if failed < 10 {
		t.Errorf("%d operations failed", failed)
	}
	loads(t, w, "r", ids)
	maintain(t, s)
	if got := looseFiles(t, dir); len(got) != 3 {
		t.Errorf("left loose: %v", got)
	}
	left, _ := filepath.Glob(filepath.Join(dir, ".git", "objects", "pack", "tmp_*"))
	if len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

// Whatever becomes of git, the same.
func TestMaintainWithoutGit(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	faulty := w.FaultyGit()
	s := open(t, w, "r", func(o *gitstore.Options) { o.Env = append(o.Env, "PATH="+os.Getenv("PATH")) })
	var ids []string
	for _, how := range []storetest.How{storetest.Fail, storetest.Die, storetest.Behind, storetest.Killed, storetest.Mute} {
		for _, command := range []string{"pack-objects", "index-pack", "verify-pack"} {
			ids = append(ids, save(t, s, fmt.Sprint(how, command)).ID)
			faulty.Command(command, how)
			if _, err := s.Upkeep.Maintain(ctx); err == nil && command == "index-pack" && how != storetest.Killed {
				t.Errorf("%s at %s: no error", how, command)
			}
			faulty.Heal()
		}
	}
	maintain(t, s)
	loads(t, w, "r", ids)
}

// A pack that rotted since it was made takes nobody's loose copy away.
func TestMaintainTrustsNoRottenPack(t *testing.T) {
	w := storetest.New(t)
	dir := w.Repo("r")
	s := open(t, w, "r")
	id := save(t, s, "the only one").ID
	copies := map[string][]byte{}
	for _, f := range looseFiles(t, dir) {
		b, err := os.ReadFile(filepath.Join(dir, ".git", "objects", f))
		if err != nil {
			t.Fatal(err)
		}
		copies[filepath.Join(dir, ".git", "objects", f)] = b
	}
	maintain(t, s)
	old := time.Now().Add(-time.Hour)
	for f, b := range copies {
		if os.WriteFile(f, b, 0o444) == nil {
			_ = os.Chtimes(f, old, old)
		}
	}
	pack := packFiles(t, dir)[0]
	b, err := os.ReadFile(pack)
	if err != nil {
		t.Fatal(err)
	}
	b[len(b)/2] ^= 1
	if err := errors.Join(os.Chmod(pack, 0o644), os.WriteFile(pack, b, 0o644)); err != nil {
		t.Fatal(err)
	}
	maintain(t, s)
	if got := len(looseFiles(t, dir)); got != len(copies) {
		t.Errorf("%d loose objects of %d", got, len(copies))
	}
	if _, err := open(t, w, "r").Commits.Load(ctx, id); err != nil {
		t.Error(err)
	}
}

// What a save wrote or refreshed behind the pack stays: it may count on that.
func TestMaintainKeepsWhatIsFresh(t *testing.T) {
	w := storetest.New(t)
	dir := w.Repo("r")
	s := open(t, w, "r")
	save(t, s, "one")
	files := looseFiles(t, dir)
	soon := time.Now().Add(time.Hour)
	for _, f := range files {
		if err := os.Chtimes(filepath.Join(dir, ".git", "objects", f), soon, soon); err != nil {
			t.Fatal(err)
		}
	}
	maintain(t, s)
	if diff := cmp.Diff(files, looseFiles(t, dir)); diff != "" {
		t.Error(diff)
	}
}

// Only one keeps up at a time, and a gc of git's goes first.
func TestMaintainAlone(t *testing.T) {
	w := storetest.New(t)
	dir := w.Repo("r")
	s := open(t, w, "r")
	save(t, s, "one")
	l, _, err := fsx.TryLock(ctx, filepath.Join(dir, ".git", "sage", "upkeep.lock"))
	if err != nil || l == nil {
		t.Fatal(err)
	}
	made(t, dir, 500)
	if err := s.Upkeep.MaintainDue(ctx); err != nil {
		t.Errorf("beside another: %v", err)
	}
	if len(packFiles(t, dir)) > 0 {
		t.Error("it packed beside another")
	}
	l.Unlock()
	host, _ := os.Hostname()
	w.Write("r/.git/gc.pid", fmt.Sprint(os.Getpid(), " ", host))
	if did := maintain(t, s); !strings.Contains(did, "gc is running") {
		t.Errorf("did: %q", did)
	}
}

// made pretends that so many commits were made here.
func made(t testing.TB, dir string, n int) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, ".git", "sage", "own"), []byte(strings.Repeat("- "+strings.Repeat("0", 55)+"\n", n)), 0o644); err != nil {
		t.Fatal(err)
	}
}

// It is due every 500 saves, once each; one that failed is not tried at every
// save.
func TestUpkeepDue(t *testing.T) {
	w := storetest.New(t)
	dir := w.Repo("r")
	s := open(t, w, "r")
	save(t, s, "one")
	for _, c := range []struct {
		saves int
		due   bool
	}{{0, false}, {499, false}, {500, true}, {700, false}, {999, false}, {1000, false}, {1200, true}, {900, true}, {1399, false}, {1400, true}} {
		made(t, dir, c.saves)
		if got := s.Upkeep.Due(); got != c.due {
			t.Errorf("at %d saves: %v", c.saves, got)
		}
		if c.saves == 500 {
			made(t, dir, 600) // more came before it began
		}
		if c.due {
			if err := s.Upkeep.MaintainDue(ctx); err != nil {
				t.Error(err)
			}
		}
	}
}
