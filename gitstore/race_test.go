package gitstore_test

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

// TestMain also is the program that saves: a race between processes needs
// processes.
func TestMain(m *testing.M) {
	if n := os.Getenv("STORETEST_ITEMS"); n != "" {
		os.Exit(itemWriter(n))
	}
	if n := os.Getenv("STORETEST_SAVES"); n != "" {
		os.Exit(saver(n))
	}
	if n := os.Getenv("STORETEST_PURGE"); n != "" {
		os.Exit(purger(n))
	}
	if n := os.Getenv("STORETEST_CHAIN"); n != "" {
		os.Exit(chainer(n))
	}
	if n := os.Getenv("STORETEST_UPKEEP"); n != "" {
		os.Exit(keeper(n))
	}
	if n := os.Getenv("STORETEST_MARKER"); n != "" {
		os.Exit(deliverer(n))
	}
	if n := os.Getenv("STORETEST_SCRIBE"); n != "" {
		os.Exit(scribe(n))
	}
	flag.Parse()
	if !slices.ContainsFunc(os.Args, func(a string) bool { return strings.HasPrefix(a, "-rapid.checks") }) {
		_ = flag.Set("rapid.checks", "40") // each makes a repository and saves 15 times
	}
	os.Exit(m.Run())
}

// saver saves n checkpoints, each through a store opened anew as by a process
// of its own, and prints the id of each acknowledged one.
func saver(n string) int {
	count, _ := strconv.Atoi(n)
	for i := range count {
		s, err := gitstore.Open(context.Background(), gitstore.Options{Env: os.Environ(), Session: os.Getenv("STORETEST_SESSION")})
		if err != nil {
			fmt.Fprintln(os.Stderr, "open:", err)
			return 1
		}
		d := thesis(fmt.Sprintf("%s says %d", os.Getenv("STORETEST_NAME"), i))
		d.Line = os.Getenv("STORETEST_LINE")
		got, err := s.Checkpoints.Save(context.Background(), d)
		_ = s.Close()
		if err != nil {
			fmt.Fprintln(os.Stderr, "save:", err)
			return 1
		}
		fmt.Println(got.ID)
	}
	return 0
}

// crowd lets so many processes save at once and returns what they were told is
// saved.
func crowd(t *testing.T, w *storetest.World, dir string, processes, each int, env ...string) []string {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var ids []string
	var wg sync.WaitGroup
	for p := range processes {
		wg.Add(1)
		go func() {
			defer wg.Done()
			cmd := exec.Command(exe)
			cmd.Dir = w.Path(dir)
			cmd.Env = append(append([]string{}, w.Env...), append(env, fmt.Sprintf("STORETEST_NAME=p%d", p), fmt.Sprintf("STORETEST_SAVES=%d", each))...)
			var errs strings.Builder
			cmd.Stderr = &errs
			out, err := cmd.StdoutPipe()
			if err == nil {
				err = cmd.Start()
			}
			if err != nil {
				t.Error(err)
				return
			}
			for sc := bufio.NewScanner(out); sc.Scan(); {
				mu.Lock()
				ids = append(ids, sc.Text())
				mu.Unlock()
			}
			if err := cmd.Wait(); err != nil {
				t.Errorf("process %d: %v: %s", p, err, errs.String())
			}
		}()
	}
	wg.Wait()
	return ids
}

// chained fails unless ids, and nothing else, are one chain on the ref.
func chained(t *testing.T, w *storetest.World, dir, ref string, ids []string, want int) {
	t.Helper()
	if len(ids) != want {
		t.Errorf("%d of %d saves were acknowledged", len(ids), want)
	}
	list := strings.Fields(w.Git(dir, "rev-list", "--first-parent", ref))
	if len(list) != want {
		t.Errorf("%d in the chain, want %d", len(list), want)
	}
	on := map[string]bool{}
	for _, id := range list {
		on[id] = true
	}
	for _, id := range ids {
		if !on[id] {
			t.Errorf("acknowledged %s is lost", id)
		}
	}
	w.Git(dir, "fsck", "--full")
}

// noise runs git in a loop beside what f does. A failure of git fails the test,
// since it is the user's git, unless it says one of may: what it says beside any
// git that moves refs.
func noise(t *testing.T, w *storetest.World, dir string, args, may []string, f func()) {
	t.Helper()
	stop, done := make(chan struct{}), make(chan int)
	go func() {
		runs := 0
		for {
			select {
			case <-stop:
				done <- runs
				return
			default:
			}
			out, err := w.TryGit(dir, args...)
			if err != nil && !slices.ContainsFunc(may, func(s string) bool { return strings.Contains(out, s) }) {
				t.Errorf("git %v failed beside saves: %v\n%s", args, err, out)
			}
			runs++
		}
	}()
	f()
	close(stop)
	if runs := <-done; runs == 0 {
		t.Errorf("git %v never ran", args)
	}
}

// What git's own gc says when another git moves a ref at that moment: to write the
// log of a ref anew it needs the lock, gives up after 100 ms, and minds that the ref
// moved. Beside eight loops of `git update-ref` 2 of 87 fail so.
var locked = []string{"failed to run reflog"}

// And what one says that prunes at once, which git's manual warns of: it takes what
// a writer is about to point to, and meets the ref before that is written again.
var pruned = append([]string{"does not point to a valid object", "bad object refs/sage", "bad tree object", "unable to read", "missing blob object", "Could not read"}, locked...)

// Cases C30, C31 and C32: processes that save on one line, 8 with 20 saves each (50, if
// thorough), are all acknowledged and one chain, alone and beside what a user's git may do
// at that moment; git's gc is content behind it.
func TestCrowd(t *testing.T) {
	for _, c := range []struct {
		name            string
		args, may       []string
		processes, each int
	}{
		{name: "alone", processes: 8, each: 20},
		{name: "pack-refs", args: []string{"pack-refs", "--all"}, processes: 8, each: 20},
		{name: "gc", args: []string{"gc", "--quiet"}, may: locked, processes: 8, each: 20},
		{name: "repack", args: []string{"repack", "-adq"}, processes: 8, each: 20},
		{name: "gc that prunes", args: []string{"gc", "--quiet", "--prune=now"}, may: pruned, processes: 2, each: 50},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := storetest.New(t)
			w.Repo("r")
			var ids []string
			each := c.each
			if thorough {
				each = 50
			}
			save := func() { ids = crowd(t, w, "r", c.processes, each, "STORETEST_LINE=main") }
			if c.args == nil {
				save()
			} else {
				noise(t, w, "r", c.args, c.may, save)
			}
			chained(t, w, "r", "refs/sage/heads/main", ids, c.processes*each)
			w.Git("r", "gc", "--quiet", "--prune=now")
			loads(t, w, "r", ids[:1])
		})
	}
}

// The same, with a line that each round begins: nobody's first save may end up
// beside another's.
func TestCreationRace(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	for round := range 5 {
		line := fmt.Sprintf("line-%d", round)
		ids := crowd(t, w, "r", 8, 1, "STORETEST_LINE="+line)
		chained(t, w, "r", "refs/sage/heads/"+line, ids, 8)
	}
}
