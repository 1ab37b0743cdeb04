package watch

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/hooks"
	"github.com/git-sage/git-sage/hooks/plugin"
	"github.com/git-sage/git-sage/hooks/session"
)

// deadline is for what has to come: nothing waits for it that comes.
const deadline = 30 * time.Second

// A rig is a watcher whose clock and orders are the test's.
type rig struct {
	t      *testing.T
	w      *watcher
	home   string
	folder string
	work   string // where sessions are
	now    time.Time
	orders []string
	fails  int // orders that will fail
}

// must ends the test at an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func newRig(t *testing.T) *rig {
	t.Helper()
	r := &rig{t: t, home: t.TempDir(), folder: filepath.Join(t.TempDir(), "projects"), work: t.TempDir()}
	r.now = time.Now().Add(time.Hour).Round(0)
	return r
}

// start begins a watcher, as a daemon does, without its loop.
func (r *rig) start() *rig {
	r.t.Helper()
	p := Place{r.home}
	if err := p.prepare(); err != nil {
		r.t.Fatal(err)
	}
	r.w = newWatcher(p, Options{
		Folder: r.folder, Poll: true, Clock: func() time.Time { return r.now },
		Act: r.act, Open: func(context.Context, string) (*gitstore.Store, error) { return nil, fs.ErrNotExist },
	})
	if err := r.w.begin(r.t.Context()); err != nil {
		r.t.Fatal(err)
	}
	r.pump()
	return r
}

func (r *rig) act(_ context.Context, o hooks.Order) (done []hooks.Done, err error) {
	if r.fails != 0 {
		r.fails--
		return nil, errors.New("git hangs")
	}
	says := o.Session
	for _, a := range o.Actions {
		says += " " + a.Do
		done = append(done, hooks.Done{Do: a.Do})
	}
	r.w.inbox <- func() { r.orders = append(r.orders, strings.TrimSpace(says+" "+o.Compacted)) }
	return done, nil
}

// pump takes what other goroutines hand over, until nothing is being dealt with.
func (r *rig) pump() {
	r.t.Helper()
	late := time.After(deadline)
	for {
		busy := slices.ContainsFunc(slices.Collect(maps.Values(r.w.files)), func(f *file) bool { return f.busy })
		if !busy && len(r.w.inbox) == 0 {
			return
		}
		select {
		case f := <-r.w.inbox:
			f()
		case <-late:
			r.t.Fatal("what was begun is not dealt with")
		}
	}
}

// after lets time go by and a turn come, and returns what was ordered since the last.
func (r *rig) after(d time.Duration) []string {
	r.t.Helper()
	r.now = r.now.Add(d)
	r.w.turn(r.now)
	r.pump()
	got := r.orders
	r.orders = nil
	slices.Sort(got)
	return got
}

func (r *rig) expect(d time.Duration, want ...string) {
	r.t.Helper()
	if got := r.after(d); !slices.Equal(got, want) {
		r.t.Errorf("ordered %q, want %q\n%s", got, want, r.logged())
	}
}

// logged is what the log says.
func (r *rig) logged() string { return strings.Join(Place{r.home}.Tail(1000), "\n") }

func (r *rig) path(name string) string { return filepath.Join(r.folder, filepath.FromSlash(name)) }

// write appends to a file of the folder.
func (r *rig) write(name string, lines ...string) {
	r.t.Helper()
	if err := os.MkdirAll(filepath.Dir(r.path(name)), 0o700); err != nil {
		r.t.Fatal(err)
	}
	f, err := os.OpenFile(r.path(name), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		r.t.Fatal(err)
	}
	defer f.Close()
	for _, l := range lines {
		if _, err := f.WriteString(l); err != nil {
			r.t.Fatal(err)
		}
	}
}

// says is a record of what somebody says.
func (r *rig) says(uuid string) string { return r.record(uuid, nil) }

// summary is the record of one.
func (r *rig) summary(uuid string) string {
	return r.record(uuid, map[string]any{"isCompactSummary": true})
}

func (r *rig) record(uuid string, more map[string]any) string {
	m := map[string]any{"type": "user", "uuid": uuid, "cwd": r.work, "message": map[string]any{"content": "words of " + uuid}}
	maps.Copy(m, more)
	b, _ := json.Marshal(m)
	return string(b) + "\n"
}

const (
	begun     = " start_session"
	compacted = " start_session save_recovery write_marker "
	ended     = " end_session"
)

// A new transcript is a session that began, and a summary in it a compaction, each told
// once, however the bytes come.
func TestTranscripts(t *testing.T) {
	r := newRig(t).start()
	r.expect(pollTurn)
	r.write("-a/one.jsonl", r.says("u1"))
	r.expect(pollTurn, "one"+begun)
	r.expect(pollTurn)
	s := r.summary("s1")
	r.write("-a/one.jsonl", r.says("u2"), s[:20])
	r.expect(pollTurn)
	r.write("-a/one.jsonl", s[20:len(s)-1])
	r.expect(pollTurn)
	r.write("-a/one.jsonl", "\n")
	r.expect(pollTurn, "one"+compacted+"s1")
	r.write("-a/one.jsonl", r.says("u3"), r.summary("s2"), r.says("u4"), r.summary("s3"))
	r.write("-b/two.jsonl", r.says("v1"))
	r.expect(pollTurn, "one"+compacted+"s3", "two"+begun) // of two the last is what the session has
	r.write("-b/three.jsonl", r.says("w1"), r.summary("s4"))
	r.expect(pollTurn, "three"+compacted+"s4")
	r.expect(pollTurn)
}

// What only looks like a summary is none.
func TestNoSummaries(t *testing.T) {
	r := newRig(t).start()
	r.write("-a/one.jsonl", r.says("u1"))
	r.after(pollTurn)
	inside, _ := json.Marshal(map[string]any{"type": "user", "uuid": "x1", "message": map[string]any{"content": []any{
		map[string]any{"type": "tool_result", "content": r.summary("s1")},
	}}, "toolUseResult": map[string]any{"stdout": r.summary("s2"), "isCompactSummary": true}})
	r.write("-a/one.jsonl", string(inside)+"\n",
		r.record("s3", map[string]any{"isCompactSummary": true, "isSidechain": true}),
		r.record("", map[string]any{"isCompactSummary": true}),
		r.record("s4", map[string]any{"isCompactSummary": "true"}),
		"\x00\x00\n", "{\"isCompactSummary\":true\n", "null\n[]\n", strings.Repeat("x", 100_000)+"\n",
	)
	r.write("-a/one/subagents/agent-1.jsonl", r.says("u2"), r.summary("s5"))
	r.write("-a/.hidden.jsonl", r.says("u3"))
	r.write("-a/notes.txt", r.says("u4"))
	r.write("loose.jsonl", r.says("u5"))
	r.expect(pollTurn)
}

// What was there before the watcher is old, and what comes after is not.
func TestWhatWasThereIsOld(t *testing.T) {
	r := newRig(t)
	r.write("-a/one.jsonl", r.says("u1"), r.summary("s1"), "half a li")
	r.start()
	r.expect(pollTurn)
	r.write("-a/one.jsonl", "ne\n", r.says("u2"))
	r.expect(pollTurn)
	r.write("-a/one.jsonl", r.summary("s2"))
	r.expect(pollTurn, "one"+compacted+"s2")
}

// A daemon goes on where the one before it stopped, also if that was killed.
func TestNextDaemonGoesOn(t *testing.T) {
	r := newRig(t).start()
	r.write("-a/one.jsonl", r.says("u1"), r.summary("s1"))
	r.expect(pollTurn, "one"+compacted+"s1")
	r.write("-a/old.jsonl", r.says("o1"))
	must(t, os.Chtimes(r.path("-a/old.jsonl"), time.Time{}, r.now.Add(-48*time.Hour)))
	r.write("-a/one.jsonl", r.summary("s2"))
	r.write("-a/two.jsonl", r.says("v1"))
	for _, name := range []string{"-a/one.jsonl", "-a/two.jsonl"} { // while no daemon ran
		must(t, os.Chtimes(r.path(name), time.Time{}, r.now.Add(time.Minute)))
	}
	r.start()
	if want := []string{"one" + compacted + "s2", "two" + begun}; !slices.Equal(slices.Sorted(slices.Values(r.orders)), want) {
		t.Errorf("ordered %q, want %q", r.orders, want)
	}
	r.orders = nil
	r.expect(pollTurn)

	for _, text := range []string{"", "{", "null", `{"folder":"/elsewhere"}`, `{"folder":"` + r.folder + `","files":{"-a/one.jsonl":{"position":{"offset":-5,"sum":"x"}}}}`} {
		must(t, os.WriteFile((Place{r.home}).stateFile(), []byte(text), 0o600))
		r.start()
		r.orders = nil
		r.write("-a/two.jsonl", r.says("v2"))
		if got := r.after(pollTurn); len(got) > 0 && !strings.HasPrefix(text, `{"folder":"`+r.folder) {
			t.Errorf("a state of %q: %q", text, got)
		}
	}
}

// A transcript that was cut, replaced or began anew is read from its beginning.
func TestTranscriptsThatBeginAnew(t *testing.T) {
	r := newRig(t).start()
	r.write("-a/one.jsonl", r.says("u1"), r.summary("s1"), r.says("u2"))
	r.expect(pollTurn, "one"+compacted+"s1")
	rewrite := func(lines ...string) {
		t.Helper()
		must(t, os.Truncate(r.path("-a/one.jsonl"), 0))
		r.write("-a/one.jsonl", lines...)
	}
	rewrite(r.says("u3"))
	r.expect(pollTurn)
	r.write("-a/one.jsonl", r.summary("s2"))
	r.expect(pollTurn, "one"+compacted+"s2")
	rewrite(r.says("n1"), r.says("n2"), r.says("n3"), r.says("n4"), r.summary("s3")) // longer than before
	r.expect(pollTurn, "one"+compacted+"s3")
	rewrite(r.says("u1"), r.summary("s3"))
	r.expect(pollTurn) // that one is known
	r.write("-a/next", r.says("u1"), r.summary("s4"))
	must(t, os.Rename(r.path("-a/next"), r.path("-a/one.jsonl")))
	r.expect(pollTurn, "one"+compacted+"s4")
	must(t, os.Remove(r.path("-a/one.jsonl")))
	r.expect(2 * time.Minute)
	r.write("-a/one.jsonl", r.says("u9"))
	r.expect(pollTurn, "one"+begun)
	must(t, os.RemoveAll(r.folder))
	r.expect(2 * time.Minute)
	r.write("-b/three.jsonl", r.says("w1"))
	r.expect(2*time.Minute, "three"+begun)
}

// A fork begins with a copy of the conversation, the summary included.
func TestForksAreNotCompacted(t *testing.T) {
	r := newRig(t).start()
	r.write("-a/one.jsonl", r.says("u1"), r.summary("s1"))
	r.expect(pollTurn, "one"+compacted+"s1")
	r.write("-a/fork.jsonl", r.says("u1"), r.summary("s1"), r.says("u2"))
	r.expect(pollTurn, "fork"+begun)
	r.write("-a/fork.jsonl", r.summary("s2"))
	r.expect(pollTurn, "fork"+compacted+"s2")
}

// A session ends when its client does, or when it was silent for long and nobody has it.
func TestSessionsEnd(t *testing.T) {
	r := newRig(t).start()
	r.write("-a/one.jsonl", r.says("u1"))
	r.write("-a/two.jsonl", r.says("v1"))
	forget, err := session.NoteServer(r.home, "two")
	if err != nil {
		t.Fatal(err)
	}
	r.expect(pollTurn, "one"+begun, "two"+begun)
	r.expect(quiet - pollTurn - time.Second)
	r.write("-a/one.jsonl", r.says("u2"))
	r.expect(pollTurn)
	r.expect(quiet - time.Second)
	r.expect(pollTurn, "one"+ended)
	r.expect(quiet)
	if live, _ := session.Live(r.home); !live["two"] {
		t.Skip("the system does not tell when a process began")
	}
	forget()
	r.expect(pollTurn, "two"+ended)
	r.write("-a/two.jsonl", r.says("v2")) // it was resumed
	r.expect(pollTurn)
	r.expect(quiet, "two"+ended)
}

// What fails is tried again, and given up in the end.
func TestFailures(t *testing.T) {
	r := newRig(t).start()
	r.fails = 2
	r.write("-a/one.jsonl", r.says("u1"), r.summary("s1"))
	r.expect(pollTurn)
	r.expect(pollTurn)
	r.expect(pollTurn, "one"+compacted+"s1")
	r.fails = mostTries
	r.write("-a/one.jsonl", r.summary("s2"))
	for range mostTries + 1 {
		r.expect(pollTurn)
	}
	r.write("-a/one.jsonl", r.summary("s3"))
	r.expect(pollTurn, "one"+compacted+"s3")
	if text := r.logged(); strings.Count(text, "session one: git hangs") != 2+mostTries {
		t.Errorf("logged:\n%s", text)
	}
	r.work = filepath.Join(r.work, "gone")
	r.write("-a/two.jsonl", r.says("v1"))
	r.expect(pollTurn)
	r.expect(pollTurn)
	if text := r.logged(); strings.Count(text, "gone' does not exist; nothing is done") != 1 {
		t.Errorf("logged:\n%s", text)
	}
}

// Hints that the system gives lead to the same, and what it drops is found by itself.
func TestHints(t *testing.T) {
	r := newRig(t).start()
	r.write("-a/one.jsonl", r.says("u1"))
	r.w.touched(r.now, r.path("-a"))
	r.write("-a/one.jsonl", r.summary("s1"))
	r.w.touched(r.now, r.path("-a/one.jsonl"))
	r.w.touched(r.now, r.path("-a/no-such.jsonl"))
	r.w.touched(r.now, r.folder)
	if d := r.w.next.Sub(r.now); d > settle {
		t.Errorf("due in %s", d)
	}
	r.now = r.now.Add(settle)
	r.w.timely(r.now)
	r.pump()
	if want := []string{"one" + compacted + "s1"}; !slices.Equal(r.orders, want) {
		t.Errorf("ordered %q", r.orders)
	}
	r.orders = nil
	r.write("-b/two.jsonl", r.says("v1"))
	r.w.turn(r.now)
	r.pump()
	if want := []string{"two" + begun}; !slices.Equal(r.orders, want) {
		t.Errorf("ordered %q", r.orders)
	}
}

func TestPluginsSwitchedOff(t *testing.T) {
	r := newRig(t).start()
	r.w.plugins = plugin.New(plugin.Config{Plugins: map[string]plugin.Setting{"session": {Disabled: true}}})
	r.write("-a/one.jsonl", r.says("u1"))
	r.expect(pollTurn)
	r.write("-a/one.jsonl", r.summary("s1"))
	r.expect(pollTurn, "one save_recovery write_marker s1")
}
