package hooks

import (
	"context"
	"strings"

	"github.com/git-sage/git-sage/recall"
)

// maxPrompt is how much of a prompt is looked at: what somebody pastes is longer, and
// the model reads 512 tokens.
const maxPrompt = 8 << 10

// userPrompt puts in front of a prompt what is known about it and was not given in
// this session before, and tells the person in a line. Where somebody asks for something
// to be saved, it names the call that does.
func (e *event) userPrompt(ctx context.Context) (string, error) {
	prompt := e.input.Prompt
	if strings.HasPrefix(prompt, "<task-notification>") { // the client's, not a person's
		return "", nil
	}
	asked := explicit(prompt)
	found, err := e.mem.Recall(ctx, prompt[:min(maxPrompt, len(prompt))], recall.RecallOptions{
		Seen: e.mem.Store.Given(), Quick: true,
	})
	if err != nil && asked == "" {
		return "", err
	}
	answer := map[string]any{}
	text := asked
	if err == nil && len(found.Items) > 0 {
		items, known := e.fit(found.Items, units(asked)+1)
		answer["systemMessage"] = recall.Notice(items)
		text = strings.TrimSpace(asked + "\n" + known)
		e.noteGiven(items)
	}
	if text == "" {
		return "", err
	}
	e.report(err)
	answer["hookSpecificOutput"] = map[string]string{"hookEventName": "UserPromptSubmit", "additionalContext": text}
	return reply(answer)
}

// noteGiven keeps the session from being given the same again, once it has it.
func (e *event) noteGiven(items []recall.Recalled) {
	given := map[string]string{}
	for _, r := range items {
		given[r.Meta.Key] = r.Meta.Blob
	}
	e.after = func() { e.report(e.mem.Store.NoteGiven(given)) } // else it comes again
}

// fit leaves out the last items until the client takes the rest whole, beside what has
// so many characters.
func (e *event) fit(items []recall.Recalled, beside int) ([]recall.Recalled, string) {
	for ; len(items) > 0; items = items[:len(items)-1] {
		if text := e.mem.Text(items); units(text)+beside <= recall.MaxSessionChars {
			return items, text
		}
	}
	return nil, ""
}
