package checkpoints

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/mcp/internal/knowledge"
	"github.com/git-sage/git-sage/mcp/internal/texts"
	"github.com/git-sage/git-sage/mcp/internal/tool"
	"github.com/git-sage/git-sage/recall/brief"
	"github.com/git-sage/git-sage/recall/provenance"
	"github.com/git-sage/git-sage/recall/search"
)

func runSearch(ctx context.Context, c *tool.Call) (string, error) {
	query, err := knowledge.Query(c)
	if err != nil {
		return "", err
	}
	m, err := c.Memory(ctx)
	if err != nil {
		return "", err
	}
	found, err := m.Search.Find(ctx, query, searchOptions(c))
	if err != nil {
		return "", err
	}
	if len(found.Checkpoints) == 0 {
		return "No checkpoint fits. sage_list_checkpoints(all: true) lists all." + hiddenNote(found) + knowledge.WordsNote(found.Words), nil
	}
	text, n := texts.Whole(found.Checkpoints, 300, func(list []search.Found) string { return foundTable(list, m.Stores.Now()) })
	more := ""
	if n < len(found.Checkpoints) {
		more = fmt.Sprintf("\nThe best %d of %d: search for something narrower.", n, len(found.Checkpoints))
	} else if found.More {
		more = fmt.Sprintf("\nThere are more: limit: %d shows as many again.", 2*n)
	}
	head := ""
	if found.Weak {
		head = "No good match. The nearest, weak:\n"
	}
	return head + texts.Fenced("git-sage search", text, 300, "search for fewer") + more +
		"\nsage_load_checkpoint loads one; the next save continues it." + hiddenNote(found) + knowledge.WordsNote(found.Words), nil
}

func searchOptions(c *tool.Call) search.SearchOptions {
	return search.SearchOptions{
		Checkpoints: true, Limit: c.Count("limit"), All: c.Flag("all"), Line: c.Text("line"), Skill: c.Text("skill"),
		Author: c.Text("author"), Since: c.Text("since"), Trigger: sage.Trigger(c.Text("trigger")), Confidence: c.Share("confidence"), File: c.Text("file"),
	}
}

// hiddenNote tells of what was left out for its age.
func hiddenNote(f *search.Findings) string {
	if f.Hidden == 0 {
		return ""
	}
	return fmt.Sprintf("\n%s hidden by age; all: true includes them.", legible.Count(f.Hidden, "checkpoint"))
}

// foundTable is two lines a checkpoint: which, and what it holds.
func foundTable(found []search.Found, now time.Time) string {
	var b strings.Builder
	for _, f := range found {
		fmt.Fprintf(&b, "%.0f%%  %s  %s", 100*f.Score, brief.ShortID(f.ID), texts.Age(now.Sub(f.Time)))
		if f.Confidence != nil {
			fmt.Fprintf(&b, "  confidence %.0f%%", 100**f.Confidence)
		}
		if !f.Here {
			fmt.Fprintf(&b, "  line %s", texts.OneLine(provenance.RefName(f.Line, f.ID), 60))
		}
		if f.Trigger != "" {
			fmt.Fprintf(&b, "  [%s]", texts.OneLine(string(f.Trigger), 30))
		}
		if f.Later != "" {
			fmt.Fprintf(&b, "  outdated by %s", brief.ShortID(f.Later))
		}
		fmt.Fprintf(&b, "%s\n  %s\n", provenance.AsideOf(f.Checkpoint), texts.OneLine(provenance.Said(!f.Elsewhere, f.Thesis), 200))
	}
	return b.String()
}
