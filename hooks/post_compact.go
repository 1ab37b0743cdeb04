package hooks

import (
	"context"
	"errors"

	"github.com/git-sage/git-sage/hooks/transcript"
	"github.com/git-sage/git-sage/recall"
)

const maxHeard = 128 << 10 // how much of a summary is looked at

// postCompact keeps the client's summary: for what is still to be brought back, and for
// who recovers or hands over the session later. It says nothing: the client shows the
// person what a hook for this event prints.
func (e *event) postCompact(context.Context) (string, error) {
	text := transcript.SummaryBody(e.input.Summary)
	if text == "" || e.input.Agent != "" || e.mem.Store.Repo.Session() == "" {
		return "", nil
	}
	text, err := e.agent.Clean(text, maxHeard)
	if err != nil {
		return "", err
	}
	if err := e.mem.Continuity.AddSummary(text); err != nil && !errors.Is(err, recall.ErrNoContinuity) {
		e.report(err)
	}
	return "", e.state().NoteSummary(text, e.now())
}
