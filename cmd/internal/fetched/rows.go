package fetched

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/recall"
)

// A Row is a ref that came or was sent, as people read it.
type Row struct{ Act, Ref, Old, New string }

// PrintRows prints a line for each row: what was done with which ref, from where to where, and how
// much that is, as far as it is known without asking git.
func PrintRows(ctx context.Context, a *app.App, m *recall.Memory, rows []Row) error {
	graph := m.Store.History.CommitGraph(ctx)
	amount := func(r Row) string {
		switch {
		case r.New == "", r.Act == string(gitstore.FetchedPurged): // which rewrites what was here
		case r.Ref == gitstore.KnowledgeRef:
			if n, err := m.Store.Knowledge.CountChanged(r.Old, r.New); err == nil && n > 0 {
				return legible.Count(n, "item")
			}
		case strings.HasPrefix(r.Ref, "refs/sage/heads/"), strings.HasPrefix(r.Ref, "refs/sage/forks/"):
			if n, ok := graph.Between(r.Old, r.New); ok && n > 0 {
				return legible.Count(n, "checkpoint")
			}
		}
		return ""
	}
	name := func(r Row) string { return term.Visible(gitstore.Sent{Ref: r.Ref}.Name()) }
	ids := func(r Row) string {
		switch {
		case r.New == "":
			return a.Short(r.Old)
		case r.Old == "":
			return a.Short(r.New)
		}
		return a.Short(r.Old) + ".." + a.Short(r.New)
	}
	names, widest := 0, 0
	for _, r := range rows {
		names, widest = max(names, len(name(r))), max(widest, len(ids(r)))
	}
	var b strings.Builder
	for _, r := range rows {
		line := fmt.Sprintf("%-7s  %-*s  %-*s  %s", r.Act, names, name(r), widest, ids(r), amount(r))
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	_, err := io.WriteString(a.Out, b.String())
	return err
}
