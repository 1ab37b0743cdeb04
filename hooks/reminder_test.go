package hooks

import (
	"strings"
	"testing"

	"github.com/git-sage/git-sage/gitstore/sage"
)

// waits is a place in whose session s a moment waits for the next prompt.
func waits(t *testing.T) (*place, *talk) {
	t.Helper()
	p := newPlace(t)
	p.tunables = suggesting()
	k := p.talk("s")
	k.turn("Look.", "Yes.")
	k.decides("the queue")
	if a := k.answer(Stop, p.tunables, map[string]any{"last_assistant_message": k.last}); a != (answer{}) || len(p.memo().Waiting) != 1 {
		t.Fatalf("%+v, waiting %+v", a, p.memo().Waiting)
	}
	return p, k
}

// asks is what the agent is told with a prompt.
func (k *talk) asks(prompt string) string {
	k.p.t.Helper()
	a := k.answer(UserPrompt, k.p.tunables, map[string]any{"prompt": prompt})
	if a.SystemMessage != "" || a.Decision != "" {
		k.p.t.Errorf("the person is told %+v", a)
	}
	return a.said()
}

// TestSavedMeanwhile: whoever saved a moment, or what says the same, is not reminded of it.
func TestSavedMeanwhile(t *testing.T) {
	const sentence = "We shard the queue by tenant."
	called := func(tool string, failed bool) func(*place, *talk) {
		return func(_ *place, k *talk) {
			k.says("", map[string]any{"type": "tool_use", "id": "toolu_k", "name": tool, "input": map[string]any{}})
			k.record(map[string]any{"type": "user", "message": map[string]any{"role": "user", "content": []any{
				map[string]any{"type": "tool_result", "tool_use_id": "toolu_k", "content": "Saved.", "is_error": failed},
			}}})
		}
	}
	for name, tt := range map[string]struct {
		act  func(*place, *talk)
		told bool
	}{
		"nobody":            {func(*place, *talk) {}, true},
		"the session":       {func(p *place, _ *talk) { p.save("s", sage.Checkpoint{Thesis: "All else."}) }, false},
		"a person":          {func(p *place, _ *talk) { p.save("", sage.Checkpoint{Thesis: "All else."}) }, false},
		"another session":   {func(p *place, _ *talk) { p.save("t", sage.Checkpoint{Thesis: "All else."}) }, true},
		"another, the same": {func(p *place, _ *talk) { p.save("t", sage.Checkpoint{Thesis: sentence}) }, false},
		"another, as evidence": {func(p *place, _ *talk) {
			p.save("t", sage.Checkpoint{Thesis: "All else.", KeyEvidence: []string{sentence + " It costs a day."}})
		}, false},
		"another, the contrary": {func(p *place, _ *talk) { p.save("t", sage.Checkpoint{Thesis: "We do not shard the queue by tenant."}) }, true},
		"an item": {func(p *place, _ *talk) {
			p.know(sage.Item{ID: "queue", Keywords: []string{"queue shard tenant"}, Content: sentence})
		}, false},
		"a tool":                       {called("mcp__sage__sage_save_knowledge", false), false},
		"a tool of the plugin":         {called("mcp__plugin_sage_sage__sage_save_checkpoint", false), false},
		"a tool that failed":           {called("mcp__sage__sage_save_knowledge", true), true},
		"a tool that only looks":       {called("mcp__sage__sage_health", false), true},
		"nobody, and it is cleared":    {func(p *place, _ *talk) { p.tunables.Autosave = "off" }, false},
		"nobody, but it went silent":   {func(p *place, _ *talk) { p.tunables.Autosave = "silent" }, false},
		"nobody, in -p":                {func(p *place, _ *talk) { p.env = append(p.env, "CLAUDE_CODE_ENTRYPOINT=sdk-cli") }, false},
		"nobody, with nobody in sight": {func(p *place, _ *talk) { p.env = append(p.env, "CLAUDE_CODE_SESSION_ATTENDED=0") }, false},
	} {
		t.Run(name, func(t *testing.T) {
			p, k := waits(t)
			tt.act(p, k)
			if got := k.asks("Go on."); (got != "") != tt.told || tt.told && !strings.Contains(got, `"`+sentence+`"`) {
				t.Errorf("told %q", got)
			}
			if log := p.logged(); log != "" {
				t.Errorf("logged %q", log)
			}
		})
	}
}

// TestRemindersWaitForAPerson: they are told with the words of a person to the agent.
func TestRemindersWaitForAPerson(t *testing.T) {
	_, k := waits(t)
	for _, prompt := range []string{"", " ", "/compact", "/compact focus on the queue", "/sage:recall x", "<task-notification>done</task-notification>", "<command-name>/clear</command-name>"} {
		if got := k.asks(prompt); got != "" {
			t.Errorf("%q is told %q", prompt, got)
		}
	}
	if got := k.asks("/etc/hosts is broken, why?"); !strings.Contains(got, "the queue by tenant") {
		t.Errorf("told %q", got)
	}
}

// TestNewestReminders: of many moments the two newest are told, each on a line.
func TestNewestReminders(t *testing.T) {
	p, k := waits(t)
	for _, what := range []string{"the log", "the pool"} {
		p.now = p.now.Add(p.tunables.Cooldown)
		k.turn("Go on.", "Yes.")
		k.decides(what)
		k.answer(Stop, p.tunables, map[string]any{"last_assistant_message": k.last})
	}
	lines := strings.Split(k.asks("Go on."), "\n")
	if len(lines) != 2 || !strings.Contains(lines[0], "the log") || !strings.Contains(lines[1], "the pool") {
		t.Errorf("told %q", lines)
	}
}

// TestReminderOfAnotherTranscript: what the client cleared, or cut off, is not told of.
func TestReminderOfAnotherTranscript(t *testing.T) {
	_, k := waits(t)
	k.file = k.p.talk("s").file
	k.turn("Hello.", "Hello.")
	if got := k.asks("Go on."); got != "" {
		t.Errorf("told %q", got)
	}
}

// TestReminderNamesTheToolOfTheClient: in a plugin our server has another name.
func TestReminderNamesTheToolOfTheClient(t *testing.T) {
	p, k := waits(t)
	p.server = "plugin_sage_sage"
	if got := k.asks("Go on."); !strings.Contains(got, "mcp__plugin_sage_sage__sage_autosave_check") {
		t.Errorf("in the plugin: %q", got)
	}
}

// TestNothingIsSaidWhereNobodySits: in -p, SDK and CI sessions the answer is the program's.
func TestNothingIsSaidWhereNobodySits(t *testing.T) {
	for _, autosave := range []string{"ask", "suggest", "silent"} {
		p := newPlace(t)
		p.env = append(p.env, "CLAUDE_CODE_ENTRYPOINT=sdk-cli")
		k := p.talk("s")
		k.turn("Look.", "Yes.")
		k.turn("Which policy do we ship?", decided)
		s := suggesting()
		s.Autosave = autosave
		if a := k.answer(Stop, s, map[string]any{"last_assistant_message": k.last}); a != (answer{}) {
			t.Errorf("%s: %+v", autosave, a)
		}
		if a := k.answer(UserPrompt, s, map[string]any{"prompt": "Go on."}); a != (answer{}) {
			t.Errorf("%s, with a prompt: %+v", autosave, a)
		}
		if saved := p.newest("s") != nil; saved != (autosave == "silent") {
			t.Errorf("%s: saved: %v", autosave, saved)
		}
	}
}
