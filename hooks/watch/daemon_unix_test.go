//go:build unix

package watch

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/runs"
	"github.com/git-sage/git-sage/hooks"
)

// This binary is a daemon where a test says so, and whatever else a test wants to run.
func TestMain(m *testing.M) {
	home := os.Getenv("WATCHTEST_HOME")
	switch os.Getenv("WATCHTEST") {
	case "daemon":
		daemon(home)
	case "holder": // has the lock, and is no watcher
		if h, err := (Place{home}).hold(); h != nil && err == nil {
			fmt.Println("held")
			_, _ = io.Copy(io.Discard, os.Stdin)
		}
	default:
		os.Exit(m.Run())
	}
}

// daemon writes the orders that it would have carried out into a file.
func daemon(home string) {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	o := Options{
		Folder: filepath.Join(home, "projects"), Poll: os.Getenv("WATCHTEST_POLL") != "", Program: ThisProgram(os.Getenv("WATCHTEST_PROGRAM")),
		Clock: time.Now, Open: func(context.Context, string) (*gitstore.Store, error) { return nil, fs.ErrNotExist },
		Act: func(_ context.Context, o hooks.Order) ([]hooks.Done, error) {
			f, err := os.OpenFile(filepath.Join(home, "orders"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
			if err != nil {
				return nil, err
			}
			defer f.Close()
			return nil, json.NewEncoder(f).Encode(o)
		},
	}
	if _, err := (Place{home}).Serve(ctx, o); err != nil {
		fmt.Println(err)
	}
}

// A house is a home with its daemon.
type house struct {
	*rig
	Place
	env []string
}

func newHouse(t *testing.T, env ...string) *house {
	t.Helper()
	home := t.TempDir()
	h := &house{&rig{t: t, folder: filepath.Join(home, "projects"), work: home}, Place{home}, env}
	must(t, os.MkdirAll(h.folder, 0o700))
	t.Cleanup(func() {
		if pid, err := h.Stop(context.Background()); err != nil {
			t.Errorf("stop %d: %v", pid, err)
		}
	})
	return h
}

// process is this binary as something else.
func (h *house) process(as string) *exec.Cmd {
	exe, err := os.Executable()
	if err != nil {
		h.t.Fatal(err)
	}
	cmd := exec.Command(exe)
	cmd.Env = append(append(os.Environ(), "WATCHTEST="+as, "WATCHTEST_HOME="+h.Home), h.env...)
	return cmd
}

func (h *house) begin(program Program) (Status, bool, error) {
	return h.Start(context.Background(), program, h.process("daemon"))
}

// runs starts the daemon, which must not run yet.
func (h *house) runs() Status {
	h.t.Helper()
	st, started, err := h.begin(Program{})
	if err != nil || !started || !st.Running || st.PID <= 1 {
		h.t.Fatalf("%+v %v %v", st, started, err)
	}
	return st
}

func (h *house) stops(pid int) {
	h.t.Helper()
	if got, err := h.Stop(context.Background()); err != nil || got != pid {
		h.t.Fatalf("stopped %d, not %d: %v", got, pid, err)
	}
	if st, err := h.Status(context.Background()); err != nil || st.Running || st.Stale != nil {
		h.t.Fatalf("behind the stop: %+v %v", st, err)
	}
}

// until waits for something that must come.
func (h *house) until(what string, is func() bool) {
	h.t.Helper()
	for end := time.Now().Add(deadline); !is(); {
		if time.Now().After(end) {
			h.t.Fatalf("waited in vain for %s; log:\n%s", what, strings.Join(h.Tail(20), "\n"))
		}
		time.Sleep(lookAgain)
	}
}

// ordered waits until a session's order has been carried out.
func (h *house) ordered(session, action string) {
	h.t.Helper()
	h.until(session+": "+action, func() bool { return h.orders(session, action) > 0 })
}

func (h *house) orders(session, action string) (n int) {
	b, _ := os.ReadFile(filepath.Join(h.Home, "orders"))
	for line := range strings.Lines(string(b)) {
		if strings.Contains(line, `"session_id":"`+session+`"`) && strings.Contains(line, action) {
			n++
		}
	}
	return n
}

func TestDaemon(t *testing.T) {
	h := newHouse(t)
	if pid, err := h.Stop(context.Background()); pid != 0 || err != nil {
		t.Errorf("none runs: %d %v", pid, err)
	}
	st := h.runs()
	if again, started, err := h.begin(Program{}); err != nil || started || again.PID != st.PID {
		t.Errorf("a second one: %+v %v %v", again, started, err)
	}
	for _, f := range []string{h.lockFile(), h.recordFile(), h.Log(), h.stateFile()} {
		if st, err := os.Lstat(f); err != nil || st.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v %v", f, st, err)
		}
	}
	for n := range 50 { // a folder and its file at once
		h.write(fmt.Sprintf("-p%d/s%d.jsonl", n, n), h.says("u"), h.summary(fmt.Sprintf("s%d", n)))
	}
	for n := range 50 {
		h.ordered(fmt.Sprintf("s%d", n), "write_marker")
	}
	h.write("-p1/s1.jsonl", h.summary("next"))
	h.until("the next", func() bool { return h.orders("s1", "write_marker") == 2 })
	h.until("what it says of them", func() bool {
		st, err := h.Status(context.Background())
		return err == nil && st.Files == 50 && st.Sessions == 50 && st.Mode == "fsnotify"
	})
	h.stops(st.PID)
	for n := range 50 {
		if got, want := h.orders(fmt.Sprintf("s%d", n), "write_marker"), 1; got != want && n != 1 {
			t.Errorf("s%d: %d orders", n, got)
		}
	}
}

func TestDaemonThatPolls(t *testing.T) {
	h := newHouse(t, "WATCHTEST_POLL=1")
	st := h.runs()
	if st.Mode != "polling: as it is set" {
		t.Errorf("mode %q", st.Mode)
	}
	h.write("-a/one.jsonl", h.says("u1"), h.summary("s1"))
	h.ordered("one", "write_marker")
	h.stops(st.PID)
}

// Of twenty that start at once one runs, and all are told which.
func TestDaemonsThatRace(t *testing.T) {
	h := newHouse(t)
	var mu sync.Mutex
	var pids []int
	n := 0
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			st, started, err := h.begin(Program{})
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				t.Error(err)
			}
			if started {
				n++
			}
			pids = append(pids, st.PID)
		})
	}
	wg.Wait()
	slices.Sort(pids)
	if all := slices.Compact(pids); n != 1 || len(all) != 1 || all[0] <= 1 {
		t.Errorf("%d started, as %d", n, all)
	}
	h.stops(pids[0])
}

// A daemon that was killed leaves files, and nothing else: the next one begins, and goes
// on where it was. It is case A14.
func TestDaemonThatWasKilled(t *testing.T) {
	h := newHouse(t)
	st := h.runs()
	h.write("-a/one.jsonl", h.says("u1"))
	h.ordered("one", "start_session")
	must(t, syscall.Kill(st.PID, syscall.SIGKILL))
	h.until("its end", func() bool { st, err := h.Status(context.Background()); return err == nil && !st.Running })
	if st, _ := h.Status(context.Background()); !slices.Equal(st.Stale, []string{h.recordFile()}) {
		t.Errorf("left: %+v", st)
	}
	h.write("-a/one.jsonl", h.summary("s1"))
	next := h.runs()
	h.ordered("one", "write_marker")
	if tail := strings.Join(h.Tail(20), "\n"); !strings.Contains(tail, "the watcher before this one was killed") {
		t.Errorf("log:\n%s", tail)
	}
	must(t, syscall.Kill(next.PID, syscall.SIGKILL))
	h.until("its end", func() bool { pid, _ := h.holder(); return pid == 0 })
	h.stops(0)
}

// One that was stopped is ended, and one that goes on has missed nothing.
func TestDaemonThatSleeps(t *testing.T) {
	h := newHouse(t)
	st := h.runs()
	must(t, syscall.Kill(st.PID, syscall.SIGSTOP))
	h.write("-a/one.jsonl", h.says("u1"), h.summary("s1"))
	must(t, syscall.Kill(st.PID, syscall.SIGCONT))
	h.ordered("one", "write_marker")
	must(t, syscall.Kill(st.PID, syscall.SIGSTOP))
	if now, err := h.Status(context.Background()); err != nil || !now.Running || now.PID != st.PID {
		t.Errorf("one that is stopped: %+v %v", now, err)
	}
	h.stops(st.PID)
}

// Whatever the files say, nobody else is ended.
func TestStopEndsNobodyElse(t *testing.T) {
	h := newHouse(t)
	must(t, h.prepare())
	stranger := exec.Command("sleep", "1000")
	must(t, stranger.Start())
	defer func() { _ = stranger.Process.Kill(); _ = stranger.Wait() }()
	pid := stranger.Process.Pid
	run := runs.Name(pid)
	for _, text := range []string{
		"", "{", "null", "-1", "17", fmt.Sprintf(`{"pid":%d}`, pid), fmt.Sprintf(`{"pid":%d,"run":"%s"}`, pid, run), `{"pid":1,"run":"x"}`, `{"pid":-5}`, `{"pid":1099511627776}`, `{"pid":0}`,
	} {
		must(t, os.WriteFile(h.recordFile(), []byte(text), 0o600))
		if got, err := h.Stop(context.Background()); got != 0 || err != nil {
			t.Errorf("%q: %d %v", text, got, err)
		}
	}
	must(t, os.Symlink("/proc/self/stat", h.recordFile()))
	if got, err := h.Stop(context.Background()); got != 0 || err != nil {
		t.Errorf("a link: %d %v", got, err)
	}
	if runs.Name(pid) != run || stranger.Process.Signal(syscall.Signal(0)) != nil {
		t.Error("the stranger was ended")
	}
}

// A process that has the lock and did not say that it is a watcher is named and left.
func TestStopOfWhoHoldsTheLock(t *testing.T) {
	h := newHouse(t)
	must(t, h.prepare())
	cmd := h.process("holder")
	in, _ := cmd.StdinPipe()
	out, _ := cmd.StdoutPipe()
	must(t, cmd.Start())
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "held\n" {
		t.Fatal(line, err)
	}
	other := fmt.Sprintf(`{"pid":%d,"run":"1%s"}`, cmd.Process.Pid, runs.Name(cmd.Process.Pid)) // as of one before, that had its id
	must(t, os.WriteFile(h.recordFile(), []byte(other), 0o600))
	if _, err := h.Stop(context.Background()); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("process %d holds", cmd.Process.Pid)) {
		t.Errorf("stop: %v", err)
	}
	if st, started, err := h.begin(Program{}); started || err == nil || !strings.Contains(err.Error(), h.lockFile()) {
		t.Errorf("start: %+v %v %v", st, started, err)
	}
	in.Close()
	if err := cmd.Wait(); err != nil {
		t.Errorf("it was ended: %v", err)
	}
	h.stops(0)
}

// A program that was replaced is ended by who starts the new one, and one of another
// place is left.
func TestDaemonOfAProgramThatWasReplaced(t *testing.T) {
	file := filepath.Join(t.TempDir(), "git-sage")
	install := func(text string) Program {
		t.Helper()
		must(t, os.WriteFile(file+".new", []byte(text), 0o700))
		must(t, os.Rename(file+".new", file))
		return ThisProgram(file)
	}
	old := install("old")
	h := newHouse(t, "WATCHTEST_PROGRAM="+file)
	first, started, err := h.begin(old)
	if err != nil || !started {
		t.Fatal(first, started, err)
	}
	if st, started, err := h.begin(ThisProgram(os.Args[0])); err != nil || started || st.PID != first.PID {
		t.Errorf("by another program: %+v %v %v", st, started, err)
	}
	now := install("another one")
	second, started, err := h.begin(now)
	if err != nil || !started || second.PID == first.PID || !second.Program.is(now) {
		t.Errorf("by the next: %+v %v %v", second, started, err)
	}
	h.stops(second.PID)
}

// By itself a daemon ends when its program is another one, or is gone for longer than an
// upgrade takes.
func TestDaemonOutlived(t *testing.T) {
	file := filepath.Join(t.TempDir(), "git-sage")
	must(t, os.WriteFile(file, []byte("old"), 0o700))
	r := newRig(t).start()
	r.w.o.Program = ThisProgram(file)
	r.expect(pollTurn)
	must(t, os.WriteFile(file, []byte("another"), 0o700))
	r.expect(pollTurn)
	if r.w.over != wasReplaced {
		t.Errorf("over: %q", r.w.over)
	}
	r.w.over = ""
	must(t, os.Remove(file))
	r.expect(pollTurn)
	r.expect(upgrade / 2)
	if r.w.over != "" {
		t.Errorf("while it is upgraded: %q", r.w.over)
	}
	must(t, os.WriteFile(file, []byte("a third"), 0o700))
	r.expect(pollTurn)
	if r.w.over != wasReplaced {
		t.Errorf("after an upgrade that took its time: %q", r.w.over)
	}
	r.w.over = ""
	must(t, os.Remove(file))
	r.expect(upgrade)
	if r.w.over != "its program is gone" {
		t.Errorf("over: %q", r.w.over)
	}
}

// A daemon that cannot watch says why, to who started it.
func TestDaemonThatCannotStart(t *testing.T) {
	h := newHouse(t)
	must(t, os.RemoveAll(h.folder))
	must(t, os.WriteFile(h.folder, nil, 0o600))
	if _, started, err := h.begin(Program{}); err == nil || started || !strings.Contains(err.Error(), "did not start: mkdir") {
		t.Errorf("%v %v", started, err)
	}
	if _, _, err := h.Start(context.Background(), Program{}, exec.Command("true")); err == nil || !strings.Contains(err.Error(), "did not start; see ") {
		t.Errorf("%v", err)
	}
	must(t, os.Remove(h.folder))
	must(t, os.Mkdir(h.folder, 0o700))
}
