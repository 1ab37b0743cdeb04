package hooks

import (
	"context"
	"encoding/json"
)

// subagentStart gives an agent that is sent out what is known already.
func (e *event) subagentStart(ctx context.Context) (string, error) {
	text, err := e.mem.Errand(ctx)
	if err != nil || text == "" {
		return "", err
	}
	return addContext("SubagentStart", text)
}

// addContext is the answer that puts a text in front of the agent.
func addContext(event, text string) (string, error) {
	out, err := json.Marshal(map[string]any{
		"hookSpecificOutput": map[string]string{"hookEventName": event, "additionalContext": text},
	})
	return string(out) + "\n", err
}
