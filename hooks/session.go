package hooks

import (
	"context"
	"encoding/json"
	"unicode/utf16"

	"github.com/git-sage/git-sage/recall"
)

// sessionStart puts the brief of the line's latest checkpoint in front of the
// session, with what is known of the project, and records which line that is. Behind a
// compaction it brings back what was in front of the session before.
func (e *event) sessionStart(ctx context.Context) (string, error) {
	e.rescue(ctx)
	e.keepRest(ctx)
	e.noteClient()
	beginErr := e.mem.Store.Begin(ctx) // a read-only repository can still be read
	if e.input.Source != "resume" {    // what was given before is not in front of the agent any more
		e.mem.Store.ForgetGiven()
	}
	var o recall.Opening
	open := e.opener(ctx)
	text, err := fitting(func(chars int) (_ string, err error) {
		o, err = open(ctx, chars)
		return o.Text, err
	})
	if err != nil || text == "" {
		return "", first(err, beginErr)
	}
	e.report(beginErr)
	e.noteGiven(o.Recalled)
	out, err := json.Marshal(map[string]any{
		"hookSpecificOutput": map[string]string{"hookEventName": "SessionStart", "additionalContext": text},
	})
	return string(out) + "\n", err
}

// opener is what the session is shown with.
func (e *event) opener(ctx context.Context) func(context.Context, int) (recall.Opening, error) {
	if e.input.Source != "compact" {
		return e.mem.Open
	}
	back, err := e.mem.Continuity(ctx)
	if back == nil { // another one had it already
		e.report(err)
		return e.mem.Open
	}
	e.back = back
	return back.Open
}

func first(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// fitting asks for a text that the client takes whole. The client counts as
// JavaScript does: what lies beyond the basic plane, an emoji say, counts twice.
func fitting(brief func(chars int) (string, error)) (string, error) {
	room := recall.MaxSessionChars
	for room > 0 {
		text, err := brief(room)
		if err != nil {
			return "", err
		}
		over := units(text) - recall.MaxSessionChars
		if over <= 0 {
			return text, nil
		}
		room -= (over + 1) / 2 // a character counts at most twice
	}
	return "", nil
}

// units is the length of a text as the client counts it.
func units(text string) int { return len(utf16.Encode([]rune(text))) }
