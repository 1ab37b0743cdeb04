package hooks

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/git-sage/git-sage/hooks/plugin"
)

// compact writes what the client writes when it has compacted, and returns the uuid.
func (k *chat) compact(text string) (uuid string) {
	k.t.Helper()
	k.n++
	uuid = k.session + "-summary-" + text
	b, err := json.Marshal(map[string]any{
		"type": "user", "uuid": uuid, "cwd": k.dir, "sessionId": k.session, "timestamp": k.now, "isCompactSummary": true,
		"message": map[string]any{"role": "user", "content": text},
	})
	if err != nil {
		k.t.Fatal(err)
	}
	f, err := os.OpenFile(k.file, os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		k.t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.Write(append(b, '\n')); err != nil {
		k.t.Fatal(err)
	}
	return uuid
}

// ordered carries out an order of the watcher's.
func (k *chat) ordered(summary string, actions ...string) (done []Done) {
	k.t.Helper()
	o := Order{Session: k.session, Transcript: k.file, Dir: k.dir, Compacted: summary}
	for _, a := range actions {
		o.Actions = append(o.Actions, plugin.Action{Do: a, Checkpoint: strings.Repeat("a", 40)})
	}
	in, err := json.Marshal(o)
	if err != nil {
		k.t.Fatal(err)
	}
	var out bytes.Buffer
	opt := k.options(&out, nil)
	opt.In = bytes.NewReader(in)
	Run(context.Background(), opt, Watched)
	for d := json.NewDecoder(&out); d.More(); {
		var one Done
		if err := d.Decode(&one); err != nil {
			k.t.Fatal(err)
		}
		done = append(done, one)
	}
	return done
}

// afterCompaction is what the plugin asks for.
var afterCompaction = []string{plugin.StartSession, plugin.SaveRecovery, plugin.WriteMarker}

func did(done []Done) (out []string) {
	for _, d := range done {
		if d.What != "" || d.Error != "" {
			what, _, _ := strings.Cut(d.What, " ")
			out = append(out, strings.TrimSpace(what+" "+d.Error))
		}
	}
	return out
}

// What hooks would have done is done once, however often it is ordered.
// It is case A14.
func TestWatcherDoesWhatHooksWould(t *testing.T) {
	p := newPlace(t)
	k := p.chat("a").person("Why do logins time out?").agent(replica)
	first := k.compact("ONE")
	if got := did(k.ordered(first, afterCompaction...)); !slices.Equal(got, []string{"saved", "marked"}) {
		t.Errorf("did %q", got)
	}
	p.logs("a recovery: " + replica)
	if got := p.waiting(); !slices.Equal(got, []string{"compaction"}) {
		t.Errorf("marked %q", got)
	}
	for range 2 { // a daemon that was killed does not know that it is done
		if got := did(k.ordered(first, afterCompaction...)); got != nil {
			t.Errorf("again: %q", got)
		}
	}
	text := contextOf(t, p.run(SessionStart, "a", "compact"))
	for _, want := range []string{broughtBack, "Context was compacted. Where you were:", replica} {
		if !strings.Contains(text, want) {
			t.Errorf("lacks %q:\n%s", want, text)
		}
	}
	if strings.Contains(text, "ONE") {
		t.Errorf("the session is shown the summary that it has:\n%s", text)
	}
	k.ordered(first, afterCompaction...)
	if got := p.waiting(); got != nil {
		t.Errorf("what was brought back is marked again: %q", got)
	}
	k.person("And at night?").agent(vacuum)
	if got := did(k.ordered(k.compact("TWO"), afterCompaction...)); !slices.Equal(got, []string{"saved", "marked"}) {
		t.Errorf("the next one: %q", got)
	}
	p.logs("a recovery: "+vacuum, "a recovery: "+replica)
	if log := p.logged(); log != "" {
		t.Errorf("logged %q", log)
	}
}

// Where the hook before a compaction was called there is nothing to do; of another
// compaction, to which none was, there is.
func TestWatcherComesBehindHooks(t *testing.T) {
	p := newPlace(t)
	k := p.chat("a").person("Why do logins time out?").agent(replica)
	k.tell(PreCompact, auto)
	first := k.compact("ONE")
	p.run(SessionStart, "a", "compact")
	if got := did(k.ordered(first, afterCompaction...)); got != nil {
		t.Errorf("behind a hook: %q", got)
	}
	if got := p.waiting(); got != nil {
		t.Errorf("marked %q", got)
	}
	k.person("And at night?").agent(vacuum)
	second := k.compact("TWO") // hooks were switched off
	if got := did(k.ordered(second, afterCompaction...)); !slices.Equal(got, []string{"saved", "marked"}) {
		t.Errorf("without a hook: %q", got)
	}
	k.person("Go on.")
	k.tell(PreCompact, manual)
	if got := did(k.ordered(k.compact("THREE"), afterCompaction...)); got != nil {
		t.Errorf("behind a hook again: %q", got)
	}
	if got := p.waiting(); !slices.Equal(got, []string{"precompact-manual"}) {
		t.Errorf("marked %q", got)
	}
	if log := p.logged(); log != "" {
		t.Errorf("logged %q", log)
	}
}

// Two at once, as of a daemon that was killed and the next one, mark once.
func TestWatchersMarkOnce(t *testing.T) {
	p := newPlace(t)
	k := p.chat("a").person("Why do logins time out?").agent(replica)
	id := k.compact("ONE")
	var mu sync.Mutex
	var all []string
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			got := did(k.ordered(id, afterCompaction...))
			mu.Lock()
			defer mu.Unlock()
			all = append(all, got...)
		})
	}
	wg.Wait()
	slices.Sort(all)
	if !slices.Equal(all, []string{"marked", "saved"}) {
		t.Errorf("did %q", all)
	}
}

// A session that ended unsaved is kept, once for what there is, whoever looks.
func TestWatcherKeepsWhatEnded(t *testing.T) {
	p := newPlace(t)
	k := p.chat("a").person("Why do logins time out?").agent(replica)
	k.ordered("", plugin.StartSession)
	if got := did(k.ordered("", plugin.EndSession)); !slices.Equal(got, []string{"saved"}) {
		t.Errorf("did %q", got)
	}
	if got := did(k.ordered("", plugin.EndSession)); got != nil {
		t.Errorf("again: %q", got)
	}
	p.chat("b").person("Hello.").tell(SessionStart, map[string]any{"source": "startup"}) // would rescue it
	p.logs("a recovery: " + replica)

	c := p.chat("c").person("And at night?").agent(vacuum)
	c.tell(SessionEnd, map[string]any{"reason": "other"})
	if got := did(c.ordered("", plugin.EndSession)); got != nil {
		t.Errorf("behind a hook: %q", got)
	}
	if n := len(p.log()); n != 2 {
		t.Errorf("%d are saved: %q", n, p.log())
	}
}

// The threshold of plugins.yaml holds for hooks and the watcher.
func TestSalienceThreshold(t *testing.T) {
	p := newPlace(t)
	must(t, os.WriteFile(filepath.Join(p.home, plugin.File), []byte("plugins: {recovery: {settings: {salience_threshold: 1}}}\n"), 0o600))
	k := p.chat("a").person("Why do logins time out?").agent(replica)
	k.tell(PreCompact, auto)
	if got := did(k.ordered(k.compact("ONE"), plugin.SaveRecovery)); got != nil {
		t.Errorf("did %q", got)
	}
	k.tell(SessionEnd, map[string]any{"reason": "other"})
	p.logs()
	must(t, os.Remove(filepath.Join(p.home, plugin.File)))
	k.tell(PreCompact, auto)
	p.logs("a recovery: " + replica)
}

// What cannot be done is said, and what comes behind it is done.
func TestWatcherFails(t *testing.T) {
	p := newPlace(t)
	k := p.chat("a").person("Why do logins time out?").agent(replica)
	done := k.ordered("no-such", "exec", plugin.SaveRecovery, plugin.Queue)
	if len(done) != 3 || !strings.Contains(done[0].Error, "'exec' is not an action") || !strings.Contains(done[1].Error, "no summary no-such in") || done[2].Error != "" {
		t.Errorf("%+v", done)
	}
	if log := p.logged(); !strings.Contains(log, "watched: exec: 'exec' is not an action") {
		t.Errorf("logged %q", log)
	}
	dir := k.dir
	k.dir = filepath.Join(dir, "gone")
	if done := k.ordered("", plugin.StartSession); done != nil {
		t.Errorf("in a folder that is gone: %+v", done)
	}
	k.dir = dir
	m, err := p.open(context.Background(), p.dir, "b")
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	if len(m.Store.Session.QueuedByOthers()) != 1 || len(Calls(m.Store.Repo.CommonDir()+"/sage")) > 0 {
		t.Errorf("queued %v, called %v", m.Store.Session.QueuedByOthers(), Calls(m.Store.Repo.CommonDir()+"/sage"))
	}
}
