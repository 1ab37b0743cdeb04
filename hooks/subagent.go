package hooks

import (
	"context"
)

// subagentStart gives an agent that is sent out what is known already.
func (e *event) subagentStart(ctx context.Context) (string, error) {
	if !e.mem.Continuity.Injects() {
		return "", nil
	}
	text, err := e.mem.Opening.SubagentBrief(ctx)
	if err != nil || text == "" {
		return "", err
	}
	return addContext("SubagentStart", text)
}

// subagentStop says nothing: what an agent of the agent found comes back to that one,
// whose own answer is looked at. The client also fires it behind a compaction, for
// nobody, with a transcript that does not exist.
func (e *event) subagentStop(context.Context) (string, error) { return "", nil }
