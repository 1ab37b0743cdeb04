package hooks

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf16"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/gitstore/storetest"
	"github.com/git-sage/git-sage/hooks/autosave"
	"github.com/git-sage/git-sage/recall"
)

// A place is a repository, and a user with a home.
type place struct {
	t         testing.TB
	dir, home string
	env       []string
	now       time.Time
	settings  func() recall.Settings // may be nil
	tunables  autosave.Settings
	server    string // see Options.Server; "" is none
}

// must ends the test at an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func newPlace(t testing.TB) *place {
	t.Helper()
	p := &place{t: t, dir: t.TempDir(), home: t.TempDir(), now: time.Date(2026, 1, 16, 12, 0, 0, 0, time.UTC)}
	p.env = append(storetest.Env(p.home), "GIT_CONFIG_GLOBAL="+os.DevNull)
	p.git("init", "-q", "-b", "trunk")
	p.git("config", "user.name", "Ada")
	p.git("config", "user.email", "ada@example.org")
	return p
}

func (p *place) git(args ...string) {
	p.t.Helper()
	c := exec.Command("git", args...)
	c.Dir, c.Env = p.dir, p.env
	if out, err := c.CombinedOutput(); err != nil {
		p.t.Fatalf("git %v: %v: %s", args, err, out)
	}
}

func (p *place) open(ctx context.Context, dir, session string) (*recall.Memory, error) {
	now := func() time.Time { return p.now }
	s, err := gitstore.Open(ctx, gitstore.Options{Dir: dir, Home: p.home, Env: p.env, Guest: true, Session: session, Now: now})
	if err != nil {
		return nil, err
	}
	return recall.New(recall.Options{Store: s, Home: p.home, Now: now, Settings: p.settings}), nil
}

// save saves a checkpoint on behalf of a session.
func (p *place) save(session string, c sage.Checkpoint) gitstore.Saved {
	p.t.Helper()
	m, err := p.open(context.Background(), p.dir, session)
	if err != nil {
		p.t.Fatal(err)
	}
	defer m.Store.Close()
	saved, err := m.Store.Checkpoints.Save(context.Background(), gitstore.Draft{Checkpoint: c})
	if err != nil {
		p.t.Fatal(err)
	}
	return saved
}

func (p *place) options(out io.Writer, in any) Options {
	p.t.Helper()
	b, err := json.Marshal(in)
	if err != nil {
		p.t.Fatal(err)
	}
	o := Options{
		In: bytes.NewReader(b), Out: out, Env: p.env, Dir: p.t.TempDir(), Home: p.home,
		Now: func() time.Time { return p.now }, Open: p.open, Settings: func(*recall.Memory) autosave.Settings { return p.tunables },
		Slack: 30,
	}
	if p.server != "" {
		o.Server = func() string { return p.server }
	}
	return o
}

// run answers an event in the repository and returns what was printed.
func (p *place) run(event, session, source string) string {
	p.t.Helper()
	var out bytes.Buffer
	o := p.options(&out, map[string]any{"session_id": session, "cwd": p.dir, "source": source, "transcript_path": "/etc/passwd"})
	if status := Run(context.Background(), o, event); status != 0 {
		p.t.Errorf("%s: status %d", event, status)
	}
	return out.String()
}

// context is what a SessionStart answer puts in front of the model.
func contextOf(t *testing.T, out string) string {
	t.Helper()
	var a struct {
		HookSpecificOutput struct{ HookEventName, AdditionalContext string }
	}
	if err := json.Unmarshal([]byte(out), &a); err != nil || a.HookSpecificOutput.HookEventName != "SessionStart" {
		t.Fatalf("not an answer: %q (%v)", out, err)
	}
	return a.HookSpecificOutput.AdditionalContext
}

// logged is what went wrong.
func (p *place) logged() string {
	wrong, _ := p.logLines()
	return wrong
}

// looked is what is written down of looking for secrets.
func (p *place) looked() string {
	_, looked := p.logLines()
	return looked
}

func (p *place) logLines() (wrong, looked string) {
	for _, dir := range []string{filepath.Join(p.dir, ".git", "sage"), p.home} {
		b, _ := os.ReadFile(filepath.Join(dir, "hooks.log"))
		for line := range strings.Lines(string(b)) {
			if strings.Contains(line, "looked for secrets") {
				looked += line
			} else {
				wrong += line
			}
		}
	}
	return wrong, looked
}

func half() *float64 { f := 0.5; return &f }

func TestSessionIsShownWhereThoughtStands(t *testing.T) {
	p := newPlace(t)
	if out := p.run(SessionStart, "a", "startup"); out != "" {
		t.Errorf("nothing was saved, yet: %q", out)
	}
	p.save("", sage.Checkpoint{CoreQuestion: "Why?", Thesis: "Tokens rotate hourly.", Confidence: half()})
	p.save("", sage.Checkpoint{Thesis: "A rescue.", Trigger: sage.Recovery})
	p.save("", sage.Checkpoint{CoreQuestion: "A question without an answer."})
	for _, source := range []string{"startup", "resume", "clear", "compact", "fork"} {
		text := contextOf(t, p.run(SessionStart, "a", source))
		for _, want := range []string{"<sage-memory", "Tokens rotate hourly.", "Why?", "50%"} {
			if !strings.Contains(text, want) {
				t.Errorf("%s: brief lacks %q:\n%s", source, want, text)
			}
		}
	}
	if log := p.logged(); log != "" {
		t.Errorf("logged %q", log)
	}
}

// TestSessionKeepsItsLine: a person who switches lines does not move a session
// that has begun.
func TestSessionKeepsItsLine(t *testing.T) {
	p := newPlace(t)
	p.save("", sage.Checkpoint{Thesis: "On main."})
	p.run(SessionStart, "a", "startup")
	m, err := p.open(context.Background(), p.dir, "")
	if err != nil {
		t.Fatal(err)
	}
	defer m.Store.Close()
	if _, err := m.Store.Lines.Switch(context.Background(), "other", true, ""); err != nil {
		t.Fatal(err)
	}
	if s := p.save("a", sage.Checkpoint{Thesis: "Still on main."}); s.Line != "main" {
		t.Errorf("the session's save went to %s", s.Line)
	}
	if s := p.save("b", sage.Checkpoint{Thesis: "Here."}); s.Line != "other" {
		t.Errorf("a new session's save went to %s", s.Line)
	}
}

// TestBriefFits: a session begins with a thousand tokens at most, and the client takes 10,000
// of its characters, which are UTF-16.
func TestBriefFits(t *testing.T) {
	for _, unit := range []string{"a", "é", "汉", "🙂", "<sage-memory>"} {
		p := newPlace(t)
		p.save("", sage.Checkpoint{Thesis: strings.Repeat(unit, 9000) + ".", KeyEvidence: []string{strings.Repeat(unit, 9000)}, ReasoningTrace: strings.Repeat(unit, 20000)})
		text := contextOf(t, p.run(SessionStart, "a", "startup"))
		if n := legible.EstimateTokens(text); n > recall.StartTokens || n < recall.StartTokens*9/10 {
			t.Errorf("%s: %d tokens", unit, n)
		}
		if n := len(utf16.Encode([]rune(text))); n > 10_000 {
			t.Errorf("%s: %d characters", unit, n)
		}
		if strings.Contains(text, "\ufffd") {
			t.Errorf("%s: a character was cut in two", unit)
		}
	}
}

func TestSummariserIsToldWhatIsOpen(t *testing.T) {
	p := newPlace(t)
	if out := p.run(PreCompact, "a", ""); out != "" {
		t.Errorf("nothing was saved, yet: %q", out)
	}
	p.save("a", sage.Checkpoint{
		CoreQuestion: "Which cache?", Thesis: "A ring\nof shards.", Confidence: half(), OpenQuestions: []string{"Does it hold?"},
		Tensions: []sage.Tension{{Between: []string{"x", "y"}, Nature: "locks", Resolution: "unresolved"}, {Nature: "settled", Resolution: "resolved"}},
	})
	out := p.run(PreCompact, "a", "")
	for _, want := range []string{"Keep in the summary", "<sage-memory", "Question: Which cache?", "Thesis: A ring of shards.", "Confidence: 50%", "Open: Does it hold?", "Tension: x vs y: locks"} {
		if !strings.Contains(out, want) {
			t.Errorf("it lacks %q:\n%s", want, out)
		}
	}
	if strings.Contains(out, "settled") {
		t.Errorf("a settled tension is no longer open:\n%s", out)
	}
	p.save("a", sage.Checkpoint{Thesis: strings.Repeat("🙂", 20_000)})
	if n := len([]rune(p.run(PreCompact, "a", ""))); n > maxSteer+1000 {
		t.Errorf("%d characters beside the conversation", n)
	}
}

// TestNothingStandsInTheWay: whatever is wrong, the status is 0 and nothing is
// printed.
func TestNothingStandsInTheWay(t *testing.T) {
	p := newPlace(t)
	p.save("", sage.Checkpoint{Thesis: "Tokens rotate hourly."})
	good, _ := json.Marshal(map[string]any{"session_id": "a", "cwd": p.dir})
	boom := func(context.Context, string, string) (*recall.Memory, error) { panic("boom") }
	fails := func(context.Context, string, string) (*recall.Memory, error) { return nil, errors.New("no\x1b[2J way") }
	outside := func(context.Context, string, string) (*recall.Memory, error) { return nil, gitstore.ErrNotRepository }
	for _, tt := range []struct {
		name, event, in string
		open            func(context.Context, string, string) (*recall.Memory, error)
		logged          string // "" is nothing
	}{
		{"no input", SessionStart, "", nil, "EOF"},
		{"garbage", SessionStart, "hello", nil, "invalid character"},
		{"cut short", SessionStart, string(good[:10]), nil, "unexpected EOF"},
		{"a list", SessionStart, "[]", nil, "cannot unmarshal"},
		{"wrong types", SessionStart, `{"session_id":[],"cwd":3}`, nil, "cannot unmarshal"},
		{"huge", SessionStart, `{"session_id":"` + strings.Repeat("x", maxInput) + `"}`, nil, "session-start: "}, // too long, or too slow where much else runs
		{"unknown event", "nap", string(good), nil, `unknown event "nap"`},
		{"no event", "", string(good), nil, "unknown event"},
		{"a panic", SessionStart, string(good), boom, "panic: boom"},
		{"an error", SessionStart, string(good), fails, "no"},
		{"no repository", SessionStart, string(good), outside, ""},
		{"no folder", SessionStart, `{"session_id":"a","cwd":"/no/such/folder"}`, nil, ""},
		{"a relative folder", SessionStart, `{"session_id":"a","cwd":"."}`, nil, ""},
		{"a file", SessionStart, `{"session_id":"a","cwd":"/etc/passwd"}`, nil, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var out bytes.Buffer
			o := p.options(&out, nil)
			o.Home = t.TempDir()
			o.In = strings.NewReader(tt.in)
			if tt.open != nil {
				o.Open = tt.open
			}
			if status := Run(context.Background(), o, tt.event); status != 0 || out.Len() > 0 {
				t.Errorf("status %d, printed %q", status, &out)
			}
			b, _ := os.ReadFile(filepath.Join(o.Home, "hooks.log"))
			if log := string(b); !strings.Contains(log, tt.logged) || (tt.logged == "") != (log == "") || strings.Contains(log, "\x1b") {
				t.Errorf("logged %q, want %q", log, tt.logged)
			}
		})
	}
}

func TestSwitchedOffIsSilent(t *testing.T) {
	p := newPlace(t)
	p.save("", sage.Checkpoint{Thesis: "Tokens rotate hourly."})
	for _, v := range []string{"false", "no", "off", "0", "FALSE"} {
		p.git("config", "sage.enabled", v)
		if out := p.run(SessionStart, "a", "startup") + p.run(PreCompact, "a", ""); out != "" {
			t.Errorf("sage.enabled=%s: %q", v, out)
		}
	}
	if log := p.logged(); log != "" {
		t.Errorf("logged %q", log)
	}
}

// TestHangsAreLeftBehind: neither a client that says nothing nor a git that
// hangs makes anybody wait.
// It is case F84.
func TestHangsAreLeftBehind(t *testing.T) {
	home := t.TempDir()
	for name, o := range map[string]Options{
		"input": {In: silent{}, Open: nil},
		"git, which can be killed": {In: strings.NewReader("{}"), Open: func(ctx context.Context, _, _ string) (*recall.Memory, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}},
		"something else": {In: strings.NewReader("{}"), Open: func(ctx context.Context, _, _ string) (*recall.Memory, error) {
			time.Sleep(time.Hour)
			return nil, ctx.Err()
		}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var out bytes.Buffer
				o.Out, o.Home = &out, filepath.Join(home, name)
				start := time.Now()
				if status := Run(t.Context(), o, SessionStart); status != 0 || out.Len() > 0 {
					t.Errorf("status %d, printed %q", status, &out)
				}
				if d := time.Since(start); d > limit {
					t.Errorf("it took %s", d)
				}
				if _, err := os.Stat(filepath.Join(o.Home, "hooks.log")); err != nil {
					t.Error("nothing was logged")
				}
				time.Sleep(2 * time.Hour) // the test's time: what was left behind ends
			})
		})
	}
}

// silent never says a word. It sleeps, in the test's time, beyond every limit.
type silent struct{}

func (silent) Read([]byte) (int, error) { time.Sleep(time.Hour); return 0, io.EOF }

// TestInputMayStayOpen: one that sends its event and never ends is answered.
func TestInputMayStayOpen(t *testing.T) {
	p := newPlace(t)
	p.save("", sage.Checkpoint{Thesis: "Tokens rotate hourly."})
	var out bytes.Buffer
	o := p.options(&out, nil)
	r, w := io.Pipe()
	defer w.Close()
	o.In = r
	go io.WriteString(w, `{"session_id":"a","cwd":"`+p.dir+`"}`)
	Run(context.Background(), o, SessionStart)
	if !strings.Contains(out.String(), "Tokens rotate hourly") {
		t.Errorf("printed %q", &out)
	}
}

func TestSessionIsFoundInTheEnvironment(t *testing.T) {
	env := []string{"X=1", "CLAUDE_CODE_SESSION_ID=from-env"}
	for want, in := range map[string]input{"from-env": {}, "given": {Session: "given"}, "": {Session: strings.Repeat("x", 201)}} {
		e := &event{Options: Options{Env: env}, input: in}
		if got := e.session(); got != want {
			t.Errorf("session %q, want %q", got, want)
		}
	}
}
