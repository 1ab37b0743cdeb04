package hooks

import (
	"context"
	"strings"

	"github.com/git-sage/git-sage/hooks/autosave"
	"github.com/git-sage/git-sage/recall"
	"github.com/git-sage/git-sage/recall/brief"
	"github.com/git-sage/git-sage/recall/prompts"
	"github.com/git-sage/git-sage/recall/provenance"
	"github.com/git-sage/git-sage/recall/search"
)

// maxPrompt is how much of a prompt is looked at: what somebody pastes is longer, and
// the model reads 512 tokens.
const maxPrompt = 8 << 10

// userPrompt puts in front of a prompt what is known about it and was not given in
// this session before, and tells the person in a line. Where somebody asks for something
// to be saved, it names the call that does, and so it does for what the last turns came to
// and nobody saved.
func (e *event) userPrompt(ctx context.Context) (string, error) {
	prompt := e.input.Prompt
	if strings.HasPrefix(prompt, "<task-notification>") { // the client's, not a person's
		return "", nil
	}
	reminder, told := e.agent.Remind(ctx)
	asked := joined(autosave.Requested(prompt), reminder)
	found, err := &prompts.Recall{}, error(nil)
	if e.mem.Continuity.Injects() {
		found, err = e.mem.Prompts.Recall(ctx, prompt[:min(maxPrompt, len(prompt))], prompts.RecallOptions{
			Seen: e.mem.Store.Session.Given(), Titles: true, Quick: true, Checkpoints: true,
		})
	}
	if err != nil && asked == "" {
		return "", err
	}
	answer := map[string]any{}
	text := asked
	if err == nil && len(found.Items)+len(found.Conclusions) > 0 {
		concluded := e.mem.Prompts.ConclusionText(found.Conclusions, e.agent.Tool("sage_load_checkpoint"))
		items, known := e.fit(ctx, found.Items, brief.Units(asked)+brief.Units(concluded)+2)
		answer["systemMessage"] = prompts.Notice(items, found.Conclusions...)
		text = joined(asked, joined(known, concluded))
		e.noteGiven(items, found.Conclusions)
	}
	if err == nil {
		text = joined(joined(text, e.titles(found, false)), withheld(e, found.Withheld))
	}
	if text == "" {
		return "", err
	}
	e.report(err)
	if told != nil {
		e.after = append(e.after, told)
	}
	answer["hookSpecificOutput"] = map[string]string{"hookEventName": "UserPromptSubmit", "additionalContext": text}
	return reply(answer)
}

// joined are two texts of which either may be empty, one below the other.
func joined(a, b string) string { return strings.TrimSpace(a + "\n" + b) }

// noteGiven keeps the session from being given the same again, once it has it.
func (e *event) noteGiven(items []search.Recalled, concluded []prompts.Conclusion) {
	given := map[string]string{}
	for _, r := range items {
		given[r.Meta.Key] = r.Meta.Blob
	}
	for _, c := range concluded {
		c.NoteGiven(given)
	}
	e.noteLater(given)
}

// titles names what may fit, once in a session, failures with what they taught if cures.
func (e *event) titles(found *prompts.Recall, cures bool) string {
	given := map[string]string{}
	for i := range found.Maybe {
		found.Maybe[i].NoteTitle(given)
	}
	for i := range found.MaybeConclusions {
		found.MaybeConclusions[i].NoteTitle(given)
	}
	if len(given) > 0 {
		e.noteLater(given)
	}
	return found.Titles(e.agent.Tool("sage_recall_knowledge"), cures)
}

// withheld tells once in a session that something fits which the agent is not shown.
func withheld(e *event, n int) string {
	const key = "withheld"
	if n == 0 || e.mem.Store.Session.Given()[key] != "" {
		return ""
	}
	e.noteLater(map[string]string{key: "-"})
	return provenance.WithheldNote(n)
}

// fit leaves out the last items until the client takes the rest whole, beside what has
// so many characters.
func (e *event) fit(ctx context.Context, items []search.Recalled, beside int) ([]search.Recalled, string) {
	for ; len(items) > 0; items = items[:len(items)-1] {
		if text := e.mem.Prompts.Text(ctx, items); brief.Units(text)+beside <= recall.MaxSessionChars {
			return items, text
		}
	}
	return nil, ""
}
