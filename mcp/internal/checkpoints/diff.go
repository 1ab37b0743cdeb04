package checkpoints

import (
	"cmp"
	"context"
	"fmt"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/diff"
	"github.com/git-sage/git-sage/mcp/internal/texts"
	"github.com/git-sage/git-sage/mcp/internal/tool"
	"github.com/git-sage/git-sage/recall"
	"github.com/git-sage/git-sage/recall/brief"
	"github.com/git-sage/git-sage/recall/provenance"
)

func runDiff(ctx context.Context, c *tool.Call) (string, error) {
	m, err := c.Memory(ctx)
	if err != nil {
		return "", err
	}
	to, err := m.Store.Commits.Load(ctx, c.Text("to"))
	if err != nil {
		return "", err
	}
	from, err := m.Session.Before(ctx, to.ID, to.Parents)
	if err != nil {
		return "", err
	}
	if rev := c.Text("from"); rev != "" {
		from = []string{rev}
	}
	if len(from) == 0 {
		return fmt.Sprintf("%s is the first of its line: nothing precedes it.", brief.ShortID(to.ID)), nil
	}
	out := ""
	for _, rev := range from {
		older, err := m.Store.Commits.Load(ctx, rev)
		if err != nil {
			return "", err
		}
		out += fmt.Sprintf("%s%s..%s%s\n%s\n", brief.ShortID(older.ID), provenance.AsideOf(older), brief.ShortID(to.ID), provenance.AsideOf(to), Difference(ctx, m, older, to))
	}
	return texts.Fenced("git-sage diff", out, 0, "`git sage diff` prints all of it"), nil
}

// Difference is what two checkpoints say differently, as far as an agent may be shown both.
func Difference(ctx context.Context, m *recall.Memory, a, b *sage.Checkpoint) string {
	if said := cmp.Or(m.Provenance.AdmitCheckpoint(ctx, a), m.Provenance.AdmitCheckpoint(ctx, b)); said != "" {
		return said
	}
	if text := diff.Checkpoints(a, b).Text(false); text != "" {
		return text
	}
	return "They are the same."
}
