package autosave

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/git-sage/git-sage/hooks/session"
	"github.com/git-sage/git-sage/hooks/transcript"
)

const (
	mostReminders    = 2  // the newest
	mostRemindTokens = 60 // of each
)

// await keeps a moment until the next prompt. The end of a turn itself says nothing: an answer
// there would continue the turn, cost a request and stand on the person's screen.
func (t *turn) await(m *moment) {
	at := t.Here("")
	t.Memo.Waiting = append(t.Memo.Waiting, session.Reminder{
		Said: m.said, Why: m.why, Key: m.key, Saved: t.Memo.Saved.Checkpoint, Offset: at.Offset, Time: t.now().UTC().Truncate(time.Second),
	})
	t.Memo.Waiting = t.Memo.Waiting[max(0, len(t.Memo.Waiting)-mostReminders):]
}

// Remind is what the agent is told with a prompt of moments that nobody saved: a line for
// each, "" if there is none. A moment is told once: told takes note that it was.
func (a *Agent) Remind(ctx context.Context) (text string, told func()) {
	if a.Memory.Store.Repo.Session() == "" || len(a.state().Memo().Waiting) == 0 ||
		!isPersons(a.Prompt) || !a.Attended() || a.settings().Autosave != "suggest" {
		return "", nil
	}
	t, err := a.trail(ctx)
	if t == nil || err != nil || !t.Alone {
		if t != nil {
			a.Report(t.Keep())
		}
		return "", nil // the next prompt tells it
	}
	latest, err := a.Memory.Session.Latest(ctx)
	a.Report(err)
	t.Memo.Waiting = slices.DeleteFunc(t.Memo.Waiting, func(r session.Reminder) bool {
		byHand := latest != nil && latest.Session == "" && !latest.Recorded.Before(r.Time)
		return byHand || t.savedSince(r) || r.Said != "" && a.Memory.Save.Holds(ctx, r.Said)
	})
	waiting := slices.Clone(t.Memo.Waiting)
	a.Report(t.Keep())
	if len(waiting) == 0 {
		return "", nil
	}
	tool, lines := a.saveTool(), []string(nil)
	for _, r := range waiting {
		lines = append(lines, sentence(r, tool))
	}
	return strings.Join(lines, "\n"), func() { a.Report(a.state().ForgetReminders()) }
}

// savedSince reports whether the session saved something behind a moment.
func (t *trail) savedSince(r session.Reminder) bool {
	if s := t.Memo.Saved; s.Checkpoint != r.Saved && s.Offset >= r.Offset {
		return true
	}
	return slices.ContainsFunc(t.Digest.MCP, func(c transcript.Call) bool {
		return c.Offset >= r.Offset && c.Count > c.Failed && slices.Contains(keeps, c.Tool)
	})
}

// saveTool is the tool that saves a moment, as this client calls it.
func (a *Agent) saveTool() string { return a.Tool("sage_autosave_check") }

// Tool is the name by which this client calls a tool of ours.
func (a *Agent) Tool(name string) string {
	server := "sage"
	if a.Server != nil {
		server = a.Server()
	}
	return "mcp__" + server + "__" + name
}

// sentence asks for the moment to be saved, in [mostRemindTokens] tokens.
func sentence(r session.Reminder, tool string) string {
	if r.Said == "" {
		return fmt.Sprintf("git-sage: save where the work stands with %s: %s.", tool, r.Why)
	}
	ask := fmt.Sprintf("git-sage: save this with %s, unless it no longer stands: ", tool)
	return ask + `"` + brief(r.Said, 4*mostRemindTokens-utf8.RuneCountInString(ask)-2) + `"`
}

// isPersons reports whether a person says something to the agent: no command to the
// client, and nothing that the client says in a person's place.
func isPersons(prompt string) bool {
	first, _, _ := strings.Cut(strings.TrimSpace(prompt), " ")
	command := strings.HasPrefix(first, "/") && strings.Count(first, "/") == 1 // else it is a path
	return first != "" && !command && !strings.HasPrefix(first, "<task-notification>") && !strings.HasPrefix(first, "<command-")
}
