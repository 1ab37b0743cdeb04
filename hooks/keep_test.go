package hooks

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/hooks/autosave"
	"github.com/git-sage/git-sage/recall"
	"github.com/git-sage/git-sage/recall/save"
)

// keeps saves on behalf of the session, as a server does whose user wants conversations
// kept, and keeps them.
func (k *chat) keeps(thesis string) string {
	k.t.Helper()
	m, err := k.open(context.Background(), k.dir, k.session)
	if err != nil {
		k.t.Fatal(err)
	}
	defer m.Close()
	var event string
	var in []byte
	m.Stores.Kept = func(id string) error {
		return autosave.KeepConversation(m.Store, id, func(e string, b []byte) error { event, in = e, b; return nil })
	}
	saved, err := m.Save.Checkpoint(context.Background(), save.Note{Draft: gitstore.Draft{Checkpoint: sage.Checkpoint{Thesis: thesis}}})
	if err != nil {
		k.t.Fatal(err)
	}
	if event != "" {
		Run(context.Background(), k.options(&strings.Builder{}, json.RawMessage(in)), event)
	}
	return saved.ID
}

// told is what is kept of a checkpoint's conversation, a line each; nil if nothing is.
func (p *place) told(id string) (out []string) {
	p.t.Helper()
	m, err := p.open(context.Background(), p.dir, "")
	if err != nil {
		p.t.Fatal(err)
	}
	defer m.Close()
	c, err := m.Store.Transcripts.Conversation(context.Background(), id)
	if errors.Is(err, gitstore.ErrNoConversation) {
		return nil
	}
	if err != nil {
		p.t.Fatal(err)
	}
	defer c.Close()
	for i := range c.Chunks {
		said, err := c.Chunk(i)
		if err != nil {
			p.t.Fatal(err)
		}
		for _, u := range said {
			s := string(u.Who)
			if u.Tool != "" {
				s += " " + u.Tool
			}
			if u.Failed {
				s += " failed"
			}
			out = append(out, s+": "+u.Text)
		}
	}
	return out
}

func (p *place) wantTold(id string, want ...string) {
	p.t.Helper()
	if got := p.told(id); strings.Join(got, "\n") != strings.Join(want, "\n") {
		p.t.Errorf("told:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func (k *chat) raw(record map[string]any) *chat {
	k.t.Helper()
	b, err := json.Marshal(record)
	if err != nil {
		k.t.Fatal(err)
	}
	f, err := os.OpenFile(k.file, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		k.t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.Write(append(b, '\n')); err != nil {
		k.t.Fatal(err)
	}
	return k
}

func hooked(kind string, more map[string]any) map[string]any {
	more["type"] = kind
	return map[string]any{"type": "attachment", "attachment": more}
}

// Messages, calls of tools in both directions, and what was put in front of the agent, by
// whom; a later checkpoint has what came since as well.
func TestConversationIsKept(t *testing.T) {
	p := newPlace(t)
	k := p.chat("a")
	k.tell(SessionStart, map[string]any{"source": "startup"})
	k.raw(hooked("hook_additional_context", map[string]any{"content": []string{"You were at tokens."}, "hookName": "SessionStart:startup"}))
	k.raw(hooked("hook_success", map[string]any{"hookName": "UserPromptSubmit", "stdout": "plain words\n"}))
	k.raw(hooked("hook_success", map[string]any{"hookName": "SessionStart:startup", "stdout": `{"hookSpecificOutput":{}}`}))
	k.raw(hooked("hook_success", map[string]any{"hookName": "PostToolUse:Read", "stdout": "nobody sees it"}))
	k.raw(hooked("skill_listing", map[string]any{"content": "skills"}))
	k.person("Why do logins time out?")
	k.record("assistant", []any{map[string]any{"type": "thinking", "thinking": "hm"}, map[string]any{"type": "text", "text": "I look."}})
	k.record("assistant", []any{map[string]any{"type": "tool_use", "id": "t1", "name": "Bash", "input": map[string]any{"command": "echo <x> && export DB_PASSWORD=hunter2pass"}}})
	k.record("user", []any{map[string]any{"type": "tool_result", "tool_use_id": "t1", "is_error": true, "content": []any{
		map[string]any{"type": "text", "text": "Exit code 1"}, map[string]any{"type": "image", "source": map[string]any{"data": strings.Repeat("QUJD", 100)}},
	}}})
	k.record("user", []any{map[string]any{"type": "text", "text": "<task-notification>done</task-notification>"}})
	k.raw(map[string]any{"type": "user", "isMeta": true, "message": map[string]any{"content": "Stop hook feedback: go on"}})
	k.raw(map[string]any{"type": "user", "isSidechain": true, "message": map[string]any{"content": "of a subagent"}})
	first := k.agent(replica).keeps("first")
	want := []string{
		"context SessionStart:startup: You were at tokens.", "context UserPromptSubmit: plain words", "person: Why do logins time out?", "agent: I look.",
		`call Bash: {"command":"echo <x> && export DB_PASSWORD=[redacted:password]"}`, "answer Bash failed: Exit code 1\n[image, 411 bytes, is not kept]",
		"context: <task-notification>done</task-notification>", "context: Stop hook feedback: go on", "agent: " + replica,
	}
	p.wantTold(first, want...)
	k.raw(map[string]any{"type": "system", "subtype": "compact_boundary"})
	k.raw(map[string]any{"type": "user", "isCompactSummary": true, "message": map[string]any{"content": "It was about logins."}})
	second := k.person("And now?").keeps("second")
	p.wantTold(first, want...)
	p.wantTold(second, append(want, "note: the client put a summary in the place of what came before", "summary: It was about logins.", "person: And now?")...)
	if got := p.looked(); !strings.Contains(got, "keeping: looked for secrets in ") || !strings.Contains(got, "took out: password (1)") {
		t.Errorf("logged %q", got)
	}
	if log := p.logged(); log != "" {
		t.Errorf("logged %q", log)
	}
}

// What clients wrote is read to its end, and nothing of it is lost between two reads.
func TestConversationsOfClients(t *testing.T) {
	files, _ := filepath.Glob("transcript/testdata/*.jsonl")
	if len(files) < 8 {
		t.Fatalf("%d samples", len(files))
	}
	for _, file := range files {
		p := newPlace(t)
		k := p.chat("a")
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		id := ""
		for i, cut := range []int{len(b) / 3, 2 * len(b) / 3, len(b)} { // in the midst of lines
			must(t, os.WriteFile(k.file, b[:cut], 0o600))
			k.tell(SessionStart, map[string]any{"source": "resume"})
			id = k.keeps(fmt.Sprint("thesis ", i))
		}
		other := p.chat("b")
		must(t, os.WriteFile(other.file, b, 0o600))
		other.tell(SessionStart, map[string]any{"source": "startup"})
		whole := p.told(other.keeps("all at once"))
		// who answered is not known behind a cut between a call and its answer
		plain := func(list []string) string {
			s := strings.Join(list, "\n")
			for _, tool := range []string{"Read", "Bash", "Edit", "Write", "Grep", "Glob", "Agent"} {
				s = strings.ReplaceAll(s, "answer "+tool, "answer")
			}
			return s
		}
		subagents := strings.Contains(file, "agent-")
		if got := p.told(id); plain(got) != plain(whole) || len(got) < 2 && !subagents {
			t.Errorf("%s:\n%s\nat once:\n%s", file, plain(got), plain(whole))
		}
		if log := p.logged(); log != "" {
			t.Errorf("%s: logged %q", file, log)
		}
	}
}

// A session without a transcript that is known, and a record that is too long.
func TestConversationIsNotKept(t *testing.T) {
	p := newPlace(t)
	if id := p.chat("a").keeps("no hook ever ran"); p.told(id) != nil {
		t.Error("told")
	}
	k := p.chat("b").person("Why?")
	k.tell(SessionStart, map[string]any{"source": "startup"})
	k.agent(strings.Repeat("x", 11<<20)).agent(replica)
	p.wantTold(k.keeps("a thesis"), "person: Why?", "note: a record of more than 10 MB is not kept", "agent: "+replica)
	must(t, os.Remove(k.file))
	if id := k.keeps("the transcript is gone"); p.told(id) != nil {
		t.Error("told")
	}
}

// wants saves on behalf of the session, but who is to keep its conversation is killed.
func (k *chat) wants(thesis string) string {
	k.t.Helper()
	m, err := k.open(context.Background(), k.dir, k.session)
	if err != nil {
		k.t.Fatal(err)
	}
	defer m.Close()
	m.Stores.Kept = func(id string) error {
		return autosave.KeepConversation(m.Store, id, func(string, []byte) error { return nil })
	}
	saved, err := m.Save.Checkpoint(context.Background(), save.Note{Draft: gitstore.Draft{Checkpoint: sage.Checkpoint{Thesis: thesis}}})
	if err != nil {
		k.t.Fatal(err)
	}
	if got := k.told(saved.ID); got != nil {
		k.t.Errorf("told %q", got)
	}
	return saved.ID
}

// What a process was to keep that never came to it is kept by the start of a session.
func TestConversationIsKeptLater(t *testing.T) {
	p := newPlace(t)
	k := p.chat("a").person("Why?")
	k.tell(SessionStart, map[string]any{"source": "startup"})
	id := k.wants("a thesis")
	p.chat("b").tell(SessionStart, map[string]any{"source": "startup"})
	p.wantTold(id, "person: Why?")
}

// What is switched off is not kept, also if it was wanted before.
func TestConversationIsSwitchedOff(t *testing.T) {
	p := newPlace(t)
	k := p.chat("a").person("Why?")
	k.tell(SessionStart, map[string]any{"source": "startup"})
	id := k.wants("a thesis")
	o := k.options(&strings.Builder{}, map[string]any{"session_id": "a", "cwd": p.dir})
	o.Open = func(ctx context.Context, dir, session string) (*recall.Memory, error) {
		m, err := p.open(ctx, dir, session)
		if err == nil {
			m.Stores.Options.Settings = func() recall.Settings { return recall.Settings{Transcripts: "off"} }
		}
		return m, err
	}
	Run(t.Context(), o, Keeping)
	k.tell(SessionStart, map[string]any{"source": "resume"})
	if got := p.told(id); got != nil {
		t.Errorf("told %q", got)
	}
}
