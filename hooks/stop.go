package hooks

import (
	"context"
)

// stop looks whether what was said is worth saving, and keeps it for the next prompt, or
// saves it, as autosave is set. It says nothing, unless the person wants to be asked
// (autosave: ask), and then not to an agent that goes on because a hook said so: else it
// would go on for ever.
func (e *event) stop(ctx context.Context) (string, error) {
	if e.input.Again || e.input.Agent != "" || e.input.transcript() == "" || e.mem.Store.Repo.Session() == "" {
		return "", nil
	}
	question, err := e.agent.Look(ctx)
	if question == "" {
		return "", err
	}
	text, badJSON := reply(map[string]any{"decision": "block", "reason": question})
	return text, first(err, badJSON)
}
