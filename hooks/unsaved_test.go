package hooks

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/hooks/session"
)

// A chat is a session with its transcript, as the client writes it.
type chat struct {
	*place
	session, file string
	n             int
}

// chat begins a session in the folder that the client keeps for the place.
func (p *place) chat(session string) *chat {
	p.t.Helper()
	dir := filepath.Join(p.home, ".claude", "projects", "-x")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		p.t.Fatal(err)
	}
	return &chat{place: p, session: session, file: filepath.Join(dir, session+".jsonl")}
}

func (k *chat) record(kind string, content any) *chat {
	k.t.Helper()
	k.n++
	k.now = k.now.Add(2 * time.Second)
	k.raw(map[string]any{
		"type": kind, "uuid": fmt.Sprintf("%s-%d", k.session, k.n), "cwd": k.dir, "sessionId": k.session, "version": "2.1.329", "timestamp": k.now,
		"message": map[string]any{"id": fmt.Sprintf("m-%d", k.n), "model": "opus", "content": content},
	})
	k.now = k.now.Add(2 * time.Second)
	if err := os.Chtimes(k.file, k.now, k.now); err != nil {
		k.t.Fatal(err)
	}
	return k
}

func (k *chat) person(s string) *chat { k.t.Helper(); return k.record("user", s) }
func (k *chat) agent(s string) *chat {
	k.t.Helper()
	return k.record("assistant", []any{map[string]any{"type": "text", "text": s}})
}

// tell lets the client tell of an event.
func (k *chat) tell(event string, more map[string]any) string {
	k.t.Helper()
	in := map[string]any{"session_id": k.session, "cwd": k.dir, "transcript_path": k.file}
	for key, v := range more {
		in[key] = v
	}
	var out bytes.Buffer
	if status := Run(context.Background(), k.options(&out, in), event); status != 0 {
		k.t.Errorf("%s: status %d", event, status)
	}
	return out.String()
}

// log lists what is saved, the newest first, as trigger and thesis.
func (p *place) log() (out []string) {
	p.t.Helper()
	m, err := p.open(context.Background(), p.dir, "")
	if err != nil {
		p.t.Fatal(err)
	}
	defer m.Store.Close()
	records, err := m.Store.Commits.Log(context.Background(), gitstore.Query{})
	if err != nil {
		p.t.Fatal(err)
	}
	for _, r := range records {
		out = append(out, fmt.Sprintf("%s %s: %s", r.Session, r.Trigger, r.Thesis))
	}
	return out
}

func (p *place) logs(want ...string) {
	p.t.Helper()
	if got := p.log(); strings.Join(got, "\n") != strings.Join(want, "\n") {
		p.t.Errorf("saved:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

const (
	replica = "We decided to read tokens from the replica."
	vacuum  = "The root cause is the nightly vacuum job."
)

var (
	auto   = map[string]any{"trigger": "auto"}
	manual = map[string]any{"trigger": "manual"}
)

func TestCompactionSavesWhatNobodySaved(t *testing.T) {
	p := newPlace(t)
	k := p.chat("a").person("Why do logins time out?").agent(replica)
	if out := k.tell(PreCompact, auto); !strings.Contains(out, replica) || strings.HasPrefix(out, "{") {
		t.Errorf("the summariser is told %q", out)
	}
	p.logs("a recovery: " + replica)
	k.tell(PreCompact, auto)
	k.person("Go on.").agent("Still at it.").tell(PreCompact, auto)
	p.logs("a recovery: " + replica) // there is nothing new
	k.agent(vacuum).tell(PreCompact, auto)
	p.logs("a recovery: "+vacuum, "a recovery: "+replica)
	text := contextOf(t, k.tell(SessionStart, map[string]any{"source": "compact"}))
	for _, want := range []string{"Recovered from a conversation", replica, vacuum, "Why do logins time out?"} {
		if !strings.Contains(text, want) {
			t.Errorf("the brief lacks %q:\n%s", want, text)
		}
	}
	p.save("a", sage.Checkpoint{Thesis: "The vacuum job goes."})
	if text := contextOf(t, k.tell(SessionStart, map[string]any{"source": "compact"})); strings.Contains(text, "Recovered") {
		t.Errorf("it was saved since:\n%s", text)
	}
	if log := p.logged(); log != "" {
		t.Errorf("logged %q", log)
	}
}

func TestEndOfSessionIsSavedLater(t *testing.T) {
	p := newPlace(t)
	k := p.chat("a").person("Why do logins time out?").agent(replica)
	var event string
	var told []byte
	var out bytes.Buffer
	o := p.options(&out, map[string]any{"session_id": "a", "cwd": p.dir, "transcript_path": k.file, "reason": "clear"})
	o.Later = func(e string, in []byte) error { event, told = e, in; return nil }
	Run(t.Context(), o, SessionEnd)
	if event != Closing || out.Len() > 0 {
		t.Fatalf("later %q, printed %q", event, &out)
	}
	p.logs()
	o = p.options(&out, nil)
	o.In = bytes.NewReader(told)
	Run(t.Context(), o, event)
	p.logs("a session_end: " + replica)
	k.person("Thanks.").tell(SessionEnd, nil) // without anybody who does it later
	p.logs("a session_end: " + replica)
	p.chat("b").person("Hello.").agent("Hello!").tell(SessionEnd, nil)
	p.chat("c").tell(SessionEnd, nil)
	p.logs("a session_end: " + replica)
	if log := p.logged(); log != "" {
		t.Errorf("logged %q", log)
	}
}

// TestKilledSessionIsRescued: no hook ran at its end, and the next session finds it.
func TestKilledSessionIsRescued(t *testing.T) {
	p := newPlace(t)
	a := p.chat("a")
	a.tell(SessionStart, map[string]any{"source": "startup"})
	a.person("Why do logins time out?").agent(replica)
	b := p.chat("b")
	text := contextOf(t, b.tell(SessionStart, map[string]any{"source": "startup"}))
	for _, want := range []string{"Recovered from a conversation", replica, "Why do logins time out?"} {
		if !strings.Contains(text, want) {
			t.Errorf("the brief lacks %q:\n%s", want, text)
		}
	}
	p.logs("a recovery: " + replica)
	for _, source := range []string{"startup", "resume", "clear", "compact"} {
		p.chat("c").tell(SessionStart, map[string]any{"source": source})
	}
	p.logs("a recovery: " + replica)
	a.agent(vacuum) // it was resumed, and killed again
	p.chat("d").tell(SessionStart, map[string]any{"source": "clear"})
	p.logs("a recovery: " + replica)
	p.chat("d").tell(SessionStart, map[string]any{"source": "resume"})
	p.logs("a recovery: "+vacuum, "a recovery: "+replica)
	if log := p.logged(); log != "" {
		t.Errorf("logged %q", log)
	}
}

// TestAllKilledSessionsAreRescued: also behind one whose end is known, some at each start.
func TestAllKilledSessionsAreRescued(t *testing.T) {
	p := newPlace(t)
	var want []string
	for i := range 7 {
		k := p.chat(fmt.Sprint("killed", i))
		k.tell(SessionStart, map[string]any{"source": "startup", "transcript_path": ""})
		k.person("Why do logins time out?").agent(fmt.Sprintf("We decided to read tokens from replica %d.", i))
		want = append([]string{fmt.Sprintf("killed%d recovery: We decided to read tokens from replica %d.", i, i)}, want...)
	}
	ended := p.chat("ended").person("Why do logins time out?").agent(vacuum)
	ended.tell(SessionEnd, nil)
	start := func(session string) {
		p.chat(session).tell(SessionStart, map[string]any{"source": "startup"})
	}
	start("first")
	p.logs(append(slices.Clone(want[:5]), "ended session_end: "+vacuum)...)
	start("second")
	start("third")
	p.logs(append(append(slices.Clone(want[5:]), want[:5]...), "ended session_end: "+vacuum)...)
}

// TestNobodyElseIsRescued: neither a session of which there is no memory, nor one that
// ended long ago or goes on, nor what is no transcript.
func TestNobodyElseIsRescued(t *testing.T) {
	p := newPlace(t)
	p.chat("a").person("Why?").agent(replica) // before there was a memory
	b := p.chat("b")
	b.tell(SessionStart, map[string]any{"source": "startup"})
	b.person("Why?").agent(vacuum)
	p.now = p.now.Add(7*24*time.Hour + time.Hour)
	goesOn := p.chat("d")
	goesOn.tell(SessionStart, map[string]any{"source": "startup"})
	goesOn.person("Why?").agent(replica)
	must(t, session.NoteClient(p.home, os.Getpid(), "d", p.dir, ""))
	start := func(file string) {
		t.Helper()
		if out := p.chat("c").tell(SessionStart, map[string]any{"source": "startup", "transcript_path": file}); out != "" {
			t.Errorf("%s: %q", file, out)
		}
	}
	start(p.chat("c").file)
	for _, f := range []string{"", "/etc/passwd", "relative.jsonl", p.home, "/no/such/folder/c.jsonl"} {
		start(f)
	}
	p.logs()
}

// TestTranscriptsThatAreNone: whatever stands where the client says, nothing is read
// through it, and nothing is saved.
func TestTranscriptsThatAreNone(t *testing.T) {
	p := newPlace(t)
	k := p.chat("a").person("Why?").agent(replica)
	dir := filepath.Dir(k.file)
	link, garbage, folder := filepath.Join(dir, "link.jsonl"), filepath.Join(dir, "garbage.jsonl"), filepath.Join(dir, "folder.jsonl")
	for _, err := range []error{os.Symlink(k.file, link), os.WriteFile(garbage, bytes.Repeat([]byte("{\x00\xff\n"), 10_000), 0o600), os.Mkdir(folder, 0o700)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range []string{link, garbage, folder, "/dev/zero", "a.jsonl", ""} {
		for _, event := range []string{PreCompact, SessionEnd, Closing, Recovering} {
			if out := k.tell(event, map[string]any{"transcript_path": f, "trigger": "manual"}); out != "" {
				t.Errorf("%s of %s: %q", event, f, out)
			}
		}
	}
	k.tell(PreCompact, map[string]any{"agent_id": "sub", "trigger": "manual"}) // a subagent's
	p.logs()
}
