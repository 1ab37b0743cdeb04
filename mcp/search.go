package mcp

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/git-sage/git-sage/recall"
)

func runSearch(ctx context.Context, c *call) (string, error) {
	query, err := c.query()
	if err != nil {
		return "", err
	}
	m, err := c.memory(ctx)
	if err != nil {
		return "", err
	}
	found, words, err := m.Search(ctx, query, recall.SearchOptions{Limit: min(c.count("limit"), maxListed), Skill: c.text("skill")})
	if err != nil {
		return "", err
	}
	if len(found) == 0 {
		return "No checkpoint fits. sage_list_checkpoints(all: true) lists what there is." + wordsNote(words), nil
	}
	return fenced("git-sage search", foundTable(found, now(m)), 200, "search for fewer") +
		"\nsage_load_checkpoint brings one back; the next save continues it." + wordsNote(words), nil
}

// foundTable is two lines a checkpoint: which, and what it holds.
func foundTable(found []recall.Found, now time.Time) string {
	var b strings.Builder
	for _, f := range found {
		fmt.Fprintf(&b, "%.0f%%  %s  %s", 100*f.Score, short(f.ID), age(now.Sub(f.Time)))
		if f.Confidence != nil {
			fmt.Fprintf(&b, "  confidence %.0f%%", 100**f.Confidence)
		}
		if f.Trigger != "" {
			fmt.Fprintf(&b, "  [%s]", oneLine(string(f.Trigger), 30))
		}
		fmt.Fprintf(&b, "\n  %s\n", oneLine(f.Thesis, 200))
	}
	return b.String()
}
