package hooks

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/recall/brief"
)

// know saves an item.
func (p *place) know(it sage.Item) {
	p.t.Helper()
	m, err := p.open(context.Background(), p.dir, "")
	if err != nil {
		p.t.Fatal(err)
	}
	defer m.Close()
	if _, err := m.Store.Knowledge.WriteItems(context.Background(), "", gitstore.ItemChange{Item: &it, Replace: true}); err != nil {
		p.t.Fatal(err)
	}
}

// ask is what a prompt's hook answers: what the person and what the agent sees.
func (p *place) ask(session, prompt string) (notice, text string) {
	p.t.Helper()
	var out bytes.Buffer
	o := p.options(&out, map[string]any{"session_id": session, "cwd": p.dir, "prompt": prompt})
	if status := Run(context.Background(), o, UserPrompt); status != 0 {
		p.t.Errorf("status %d", status)
	}
	if out.Len() == 0 {
		return "", ""
	}
	var a struct {
		SystemMessage      string
		HookSpecificOutput struct{ HookEventName, AdditionalContext string }
	}
	if err := json.Unmarshal(out.Bytes(), &a); err != nil || a.HookSpecificOutput.HookEventName != "UserPromptSubmit" {
		p.t.Fatalf("not an answer: %q (%v)", &out, err)
	}
	return a.SystemMessage, a.HookSpecificOutput.AdditionalContext
}

func TestPromptRecallsOncePerSession(t *testing.T) {
	p := newPlace(t)
	p.know(sage.Item{ID: "staging-wipe", Keywords: []string{"staging database"}, Content: "It is emptied every Sunday night."})
	const prompt = "Why is the staging database empty?"
	notice, text := p.ask("one", prompt)
	if want := "Knowledge recalled (1): staging-wipe 8 tokens"; notice != want {
		t.Errorf("the person is told %q", notice)
	}
	if !strings.HasPrefix(text, "<sage-memory ") || !strings.Contains(text, "emptied every Sunday") {
		t.Errorf("the agent is told %q", text)
	}
	if notice, text := p.ask("one", prompt); notice+text != "" {
		t.Errorf("again: %q %q", notice, text)
	}
	if _, text := p.ask("two", prompt); text == "" {
		t.Error("another session is told nothing")
	}
	p.know(sage.Item{ID: "staging-wipe", Keywords: []string{"staging database"}, Content: "It is emptied every Monday."})
	if _, text := p.ask("one", prompt); !strings.Contains(text, "Monday") || strings.Contains(text, "Sunday") {
		t.Errorf("behind a change: %q", text)
	}
	p.run(SessionStart, "one", "compact")
	if _, text := p.ask("one", prompt); text == "" {
		t.Error("behind a summary nothing is told")
	}
	if log := p.logged(); log != "" {
		t.Errorf("logged: %s", log)
	}
}

func TestPromptsThatNothingFits(t *testing.T) {
	p := newPlace(t)
	p.know(sage.Item{ID: "staging-wipe", Keywords: []string{"staging database"}, Content: "It is emptied every Sunday night."})
	for _, prompt := range []string{
		"", " ", "bake a cake", "\x00\xff", strings.Repeat("x", 1<<20), "```\n```",
		"<task-notification>the staging database is done</task-notification>",
	} {
		if notice, text := p.ask("one", prompt); notice+text != "" {
			t.Errorf("%.30q is answered with %q %q", prompt, notice, text)
		}
	}
}

func TestPromptWithoutMemory(t *testing.T) {
	p := newPlace(t)
	if notice, text := p.ask("one", "anything"); notice+text != "" {
		t.Errorf("%q %q", notice, text)
	}
}

func TestLongItemsFitTheClient(t *testing.T) {
	p := newPlace(t)
	for _, id := range []string{"a", "b", "c"} {
		p.know(sage.Item{ID: id, Keywords: []string{"consent"}, Content: strings.Repeat(id+" word ", 500)})
	}
	notice, text := p.ask("one", "is consent needed?")
	if n := brief.Units(text); n == 0 || n > 10_000 || !strings.HasPrefix(notice, "Knowledge recalled (2)") {
		t.Errorf("%d characters; %q", n, notice)
	}
}

func TestAskedPromptsNameTheCall(t *testing.T) {
	p := newPlace(t)
	p.know(sage.Item{ID: "staging-wipe", Keywords: []string{"staging database"}, Content: "It is emptied every Sunday night."})
	notice, text := p.ask("one", "remember this: the staging database is slow on Mondays")
	if !strings.HasPrefix(text, "git-sage: the user asks") || !strings.Contains(text, "emptied every Sunday") || notice == "" {
		t.Errorf("%q %q", notice, text)
	}
	if notice, text := p.ask("one", "save this"); notice != "" || !strings.Contains(text, "sage_save_checkpoint") {
		t.Errorf("%q %q", notice, text)
	}
	if _, text := p.ask("one", "<task-notification>save this</task-notification>"); text != "" {
		t.Errorf("of nobody: %q", text)
	}
}

// Where nothing fits, titles of what may fit come, once in a session; not of what came from
// elsewhere, and not where something fits.
func TestPromptIsToldTitlesOnce(t *testing.T) {
	p := newPlace(t)
	p.know(sage.Item{ID: "staging-wipe", Keywords: []string{"database wipe"}, Content: "The staging database is emptied <b>every</b> Sunday night, long before anybody comes to work."})
	p.know(sage.Item{ID: "lock-order", Content: "Locks are taken in the order of their ids."})
	const prompt = "staging is slow and every service of it, too"
	notice, text := p.ask("one", prompt)
	want := "May be useful (mcp__sage__sage_recall_knowledge with an id shows it): staging-wipe: The staging database is emptied"
	if notice != "" || !strings.HasPrefix(text, want) || strings.Contains(text, "lock-order") || utf8.RuneCountInString(text) > 240 {
		t.Errorf("told %q, %q", notice, text)
	}
	if notice, text := p.ask("one", prompt); notice+text != "" {
		t.Errorf("again: %q %q", notice, text)
	}
	if notice, text = p.ask("one", "when is the next database wipe?"); !strings.Contains(notice, "staging-wipe") || !strings.Contains(text, "Sunday night") {
		t.Errorf("what fits is not given behind its title: %q, %q", notice, text)
	}
	p.know(sage.Item{ID: "staging-slow", Content: "Staging is slow for every service, since it shares a disk."})
	const fits = "why does the database wipe make staging slow for every service, of all?"
	if notice, _ = p.ask("three", fits); notice == "" {
		t.Error("nothing fits")
	}
	if notice, text = p.ask("three", fits); notice+text != "" {
		t.Errorf("what fits was given, and now comes %q, %q", notice, text)
	}
	if _, text = p.ask("two", "bake a plum cake"); text != "" {
		t.Errorf("a foreign prompt is told %q", text)
	}
}
