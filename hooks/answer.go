package hooks

import (
	"encoding/json"

	"github.com/git-sage/git-sage/recall"
	"github.com/git-sage/git-sage/recall/brief"
)

// reply is the answer to the client. Whatever of memory or of a conversation it holds, no
// tag in that means anything to the client or its model.
func reply(answer map[string]any) (string, error) {
	for key, v := range answer {
		switch v := v.(type) {
		case string:
			answer[key] = brief.Inert(v)
		case map[string]string:
			for name, text := range v {
				v[name] = brief.Inert(text)
			}
		}
	}
	out, err := json.Marshal(answer)
	return string(out) + "\n", err
}

// addContext is the answer that puts a text in front of the agent.
func addContext(event, text string) (string, error) {
	return reply(map[string]any{
		"hookSpecificOutput": map[string]string{"hookEventName": event, "additionalContext": text},
	})
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
func fitting(write func(chars int) (string, error)) (string, error) {
	room := recall.MaxSessionChars
	for room > 0 {
		text, err := write(room)
		if err != nil {
			return "", err
		}
		over := brief.Units(text) - recall.MaxSessionChars
		if over <= 0 {
			return text, nil
		}
		room -= (over + 1) / 2 // a character counts at most twice
	}
	return "", nil
}
