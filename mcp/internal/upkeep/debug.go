package upkeep

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/mcp/internal/knowledge"
	"github.com/git-sage/git-sage/mcp/internal/texts"
	"github.com/git-sage/git-sage/mcp/internal/tool"
	"github.com/git-sage/git-sage/recall"
	"github.com/git-sage/git-sage/recall/search"
)

func runDebugQuery(ctx context.Context, c *tool.Call) (string, error) {
	m, found, err := knowledge.Recalled(ctx, c, true)
	if err != nil {
		return "", err
	}
	if len(found.Items)+len(found.Near) == 0 {
		return "No item is related to the query." + knowledge.WordsAlone(found), nil
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Recalled: %s\n", legible.Count(len(found.Items), "item"))
	for i, r := range found.Items {
		fmt.Fprintf(&b, "%d. %s\n", i+1, scoreText(ctx, m, r))
	}
	if len(found.Near) > 0 {
		b.WriteString("Left out, the nearest first:\n")
	}
	for _, r := range found.Near {
		fmt.Fprintf(&b, "- %s\n  %s%s\n", scoreText(ctx, m, r), r.Why, letIn(r))
	}
	return texts.Fenced("git-sage scores", b.String(), 200, "ask for less") + knowledge.WordsAlone(found), nil
}

// scoreText is the score of an item with its parts.
func scoreText(ctx context.Context, m *recall.Memory, r search.Recalled) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s (%s) %s; threshold %.2f, cosine %.3f", r.Item.ID, texts.OneLine(r.Item.Type.Kind(), 20), texts.OneLine(r.Sum(), 200), r.Threshold, r.Cosine)
	if exact := r.Triggers.Exact; len(exact) > 0 {
		fmt.Fprintf(&b, ", keyword '%s' recalls it on its own", texts.OneLine(strings.Join(exact, "', '"), 100))
	}
	if r.Outdated != "" {
		b.WriteString(", " + texts.OneLine(r.Outdated, 100))
	}
	if r.Outlived != "" {
		b.WriteString(", " + texts.OneLine(r.Outlived, 200))
	}
	if r.Meta.Always {
		b.WriteString(", always given")
	}
	if from := m.Provenance.TrustShort(ctx, r.Known); from != "" {
		b.WriteString(", by " + from)
	}
	return b.String()
}

// letIn names the setting that would have let an item in, if it missed its threshold.
func letIn(r search.Recalled) string {
	if r.Scored.Score >= r.Threshold || r.Meta.Always || !strings.Contains(r.Why, "below") {
		return ""
	}
	key := "recall_threshold"
	switch r.Item.Type {
	case sage.Preference, sage.Todo, sage.Reference, sage.Failure:
		key += "_" + string(r.Item.Type)
	}
	least := math.Floor(100*r.Scored.Score) / 100
	if least == 0 { // anything would come in then
		return "; a keyword in the query would recall it"
	}
	return fmt.Sprintf("; %s %.2f would recall it, and so would a keyword in the query", key, least)
}
