package hooks

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/hooks/session"
	"github.com/git-sage/git-sage/recall"
)

const broughtBack = `origin="git-sage continuity"`

// compacting is what the client says before it compacts by itself.
func (p *place) compacting(session string) string {
	p.t.Helper()
	var out bytes.Buffer
	o := p.options(&out, map[string]any{"session_id": session, "cwd": p.dir, "trigger": "auto", "custom_instructions": nil})
	if status := Run(context.Background(), o, PreCompact); status != 0 {
		p.t.Errorf("status %d", status)
	}
	return out.String()
}

func (p *place) waiting() (reasons []string) {
	p.t.Helper()
	m, err := p.open(context.Background(), p.dir, "")
	if err != nil {
		p.t.Fatal(err)
	}
	defer m.Close()
	list, err := m.Store.Session.Markers(true)
	if err != nil {
		p.t.Fatal(err)
	}
	for _, mark := range list {
		reasons = append(reasons, mark.Reason)
	}
	return reasons
}

// What a compaction takes away comes back once, to that session, and not when it merely
// starts; what was given with it is not recalled for the next prompt.
func TestCompactionBringsBack(t *testing.T) {
	p := newPlace(t)
	p.know(sage.Item{ID: "staging-wipe", Keywords: []string{"staging database"}, Content: "It is emptied every Sunday night."})
	p.save("one", sage.Checkpoint{CoreQuestion: "Why?", Thesis: "Tokens rotate hourly.", KnowledgeRecalled: []string{"staging-wipe"}})
	if text := p.compacting("one"); !strings.Contains(text, "Tokens rotate hourly.") {
		t.Errorf("the summariser is told %q", text)
	}
	if got := p.waiting(); len(got) != 1 || got[0] != "precompact-auto" {
		t.Errorf("marked %q", got)
	}
	for _, start := range []struct{ session, source string }{{"one", "startup"}, {"one", "resume"}, {"two", "compact"}} {
		if text := contextOf(t, p.run(SessionStart, start.session, start.source)); strings.Contains(text, broughtBack) {
			t.Errorf("%v:\n%s", start, text)
		}
	}
	text := contextOf(t, p.run(SessionStart, "one", "compact"))
	for _, want := range []string{broughtBack, "Context was compacted. Where you were:", "Tokens rotate hourly.", "### staging-wipe", "emptied every Sunday"} {
		if !strings.Contains(text, want) {
			t.Errorf("lacks %q:\n%s", want, text)
		}
	}
	if _, text := p.ask("one", "Why is the staging database empty?"); text != "" {
		t.Errorf("given twice: %s", text)
	}
	text = contextOf(t, p.run(SessionStart, "one", "compact"))
	if strings.Contains(text, broughtBack) || !strings.Contains(text, "Tokens rotate hourly.") {
		t.Errorf("behind that:\n%s", text)
	}
	if log := p.logged(); log != "" {
		t.Errorf("logged %q", log)
	}
}

type deaf struct{}

func (deaf) Write([]byte) (int, error) { return 0, errors.New("nobody reads") }

// A client that has gone before it had the answer gets it when it asks again.
func TestWhatWasNotDeliveredComesAgain(t *testing.T) {
	p := newPlace(t)
	p.save("one", sage.Checkpoint{Thesis: "Tokens rotate hourly."})
	p.compacting("one")
	Run(context.Background(), p.options(deaf{}, map[string]any{"session_id": "one", "cwd": p.dir, "source": "compact"}), SessionStart)
	if log := p.logged(); !strings.Contains(log, "nobody reads") {
		t.Errorf("logged %q", log)
	}
	if text := contextOf(t, p.run(SessionStart, "one", "compact")); !strings.Contains(text, broughtBack) {
		t.Errorf("lost:\n%s", text)
	}
}

// Whoever wants none of it marks nothing, and is told of nothing.
func TestContinuityOff(t *testing.T) {
	p := newPlace(t)
	p.save("one", sage.Checkpoint{Thesis: "Tokens rotate hourly."})
	var out bytes.Buffer
	o := p.options(&out, map[string]any{"session_id": "one", "cwd": p.dir, "trigger": "manual"})
	o.Open = func(ctx context.Context, dir, session string) (*recall.Memory, error) {
		m, err := p.open(ctx, dir, session)
		m.Stores.Options.Settings = func() recall.Settings { return recall.Settings{NoContinuity: true} }
		return m, err
	}
	Run(context.Background(), o, PreCompact)
	if got := p.waiting(); len(got) > 0 || p.logged() != "" || out.Len() > 0 {
		t.Errorf("marked %q, logged %q, said %q", got, p.logged(), &out)
	}
}

// Where nothing is to be injected no event of the client's puts anything of the memory in
// front of an agent; that somebody asks to save is still heard.
func TestNothingIsInjected(t *testing.T) {
	for _, off := range []bool{false, true} {
		p := newPlace(t)
		must(t, os.WriteFile(filepath.Join(p.dir, "a.go"), []byte("package a\n"), 0o600))
		p.know(sage.Item{ID: "staging-wipe", Keywords: []string{"staging database"}, Content: "It is emptied every Sunday night.", Scope: sage.Scope{Always: true}})
		p.save("one", sage.Checkpoint{CoreQuestion: "Why?", Thesis: "Tokens rotate hourly.", FilesChanged: []string{"a.go"}, OpenQuestions: []string{"How long?"}})
		if p.settings = func() recall.Settings { return recall.Settings{} }; !off {
			p.compacting("two") // leaves what is brought back
		}
		p.settings = func() recall.Settings { return recall.Settings{NoContinuity: off} }
		for _, tt := range []struct {
			event string
			in    map[string]any
		}{
			{UserPrompt, map[string]any{"prompt": "Why is the staging database empty?"}},
			{SessionStart, map[string]any{"source": "startup"}},
			{SessionStart, map[string]any{"source": "resume"}},
			{SessionStart, map[string]any{"source": "clear"}},
			{SessionStart, map[string]any{"source": "compact"}},
			{PostToolUse, map[string]any{"tool_name": "Read", "tool_input": map[string]any{"file_path": filepath.Join(p.dir, "a.go")}}},
			{PreCompact, map[string]any{"trigger": "auto"}},
			{SubagentStart, map[string]any{"agent_type": "Explore"}},
		} {
			var out bytes.Buffer
			tt.in["session_id"], tt.in["cwd"] = "two", p.dir
			Run(context.Background(), p.options(&out, tt.in), tt.event)
			if off == (out.Len() > 0) {
				t.Errorf("%s %v, off %v: %q", tt.event, tt.in, off, &out)
			}
		}
		if _, text := p.ask("two", "checkpoint this"); !strings.Contains(text, "sage_save_checkpoint") || strings.Contains(text, "Tokens") {
			t.Errorf("off %v: %q", off, text)
		}
		if log := p.logged(); log != "" {
			t.Errorf("off %v: logged %q", off, log)
		}
	}
}

// A server of the same client learns of the session behind /clear, and of the work tree.
func TestClientIsNoted(t *testing.T) {
	if runtime.GOOS != "linux" && runtime.GOOS != "darwin" && runtime.GOOS != "windows" {
		t.Skip("the system does not tell when a process began")
	}
	p := newPlace(t)
	p.git("commit", "-q", "--allow-empty", "-m", "one")
	linked, elsewhere := filepath.Join(t.TempDir(), "linked"), t.TempDir()
	p.git("worktree", "add", "-q", linked)
	p.env = append(p.env, "CLAUDE_PID="+strconv.Itoa(os.Getppid()))
	for _, tc := range []struct{ event, session, source, to, want string }{
		{SessionStart, "one", "startup", "", p.dir},
		{SessionStart, "two", "clear", "", p.dir},
		{CwdChanged, "two", "", linked, linked},
		{CwdChanged, "two", "", elsewhere, linked},
		{CwdChanged, "two", "", filepath.Join(linked, "gone"), p.dir}, // where it is, not where it goes
	} {
		var out bytes.Buffer
		o := p.options(&out, map[string]any{"session_id": tc.session, "cwd": p.dir, "source": tc.source, "old_cwd": p.dir, "new_cwd": tc.to})
		Run(context.Background(), o, tc.event)
		c, ok := session.FindClient(p.home, "")
		if real, _ := filepath.EvalSymlinks(tc.want); !ok || c.Session != tc.session || c.Worktree != tc.want && c.Worktree != real || out.Len() > 0 {
			t.Errorf("%v: %+v %v, said %q", tc, c, ok, &out)
		}
	}
	p.env = append(p.env[:len(p.env)-1], "CLAUDECODE=1") // an older client
	o := p.options(&bytes.Buffer{}, map[string]any{"session_id": "three", "cwd": p.dir, "source": "clear"})
	o.Parent = os.Getppid()
	Run(context.Background(), o, SessionStart)
	if c, _ := session.FindClient(p.home, ""); c.Session != "three" {
		t.Errorf("an older client: %+v", c)
	}
	if log := p.logged(); log != "" {
		t.Errorf("logged %q", log)
	}
}
