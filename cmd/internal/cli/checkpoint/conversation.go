package checkpoint

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/cmd/internal/history"
	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/recall"
)

// showConversation prints the conversation that led to a checkpoint, chunk by chunk.
func showConversation(ctx context.Context, a *app.App, m *recall.Memory, r gitstore.Record) error {
	c, err := m.Store.Transcripts.Conversation(ctx, r.ID)
	if errors.Is(err, gitstore.ErrNoConversation) {
		return exit.WithHint(err, "%s", whyNoConversation(m, r))
	}
	if err != nil {
		return err
	}
	defer c.Close()
	if !a.JSON {
		r = m.Provenance.Admitted(r)
		r.Thesis = ""
		fmt.Fprintf(a.Out, "%s\n", history.FullEntry(a, r, a.Palette()))
	}
	for i := range c.Chunks {
		said, err := c.Chunk(i)
		if err != nil {
			return err
		}
		for _, u := range said {
			if err := printUtterance(a, u); err != nil {
				return err
			}
		}
	}
	return nil
}

func printUtterance(a *app.App, u gitstore.Utterance) error {
	if a.JSON {
		return a.PrintJSON(u)
	}
	_, err := fmt.Fprintf(a.Out, "\n%s\n", term.VisibleLines(recall.Uttered(u, 0)))
	return err
}

// whyNoConversation says what keeps a conversation from being there, and what to do.
func whyNoConversation(m *recall.Memory, r gitstore.Record) string {
	wanted, _ := m.Store.Transcripts.Wanted() // else it is not known to be on its way
	switch {
	case slices.ContainsFunc(wanted, func(w gitstore.Wanted) bool { return w.Checkpoint == r.ID }):
		return "it is being recorded in the background: try again in a moment"
	case r.Session == "":
		return "it was not saved in an agent's session"
	case m.Stores.Settings().Transcripts == "off":
		return "'git sage config set transcripts local' records conversations from now on"
	}
	return "it was saved before conversations were recorded, in a session without hooks, or elsewhere"
}
