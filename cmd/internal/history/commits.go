package history

import (
	"bufio"
	"context"
	"fmt"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/cmd/internal/wire"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/internal/lists"
	"github.com/git-sage/git-sage/recall"
)

// PrintCommits prints commits of the user's own, each with the checkpoints that explain it:
// git sage log --commits.
func PrintCommits(ctx context.Context, a *app.App, most int, revs []string) error {
	m, err := a.Open(ctx)
	if err != nil {
		return err
	}
	if len(revs) == 0 {
		revs = []string{"HEAD"}
	}
	list, err := notedCommits(ctx, m, most, revs)
	if err != nil {
		return err
	}
	defer a.Page()()
	out, p := bufio.NewWriter(a.Out), a.Palette()
	for _, c := range list {
		if a.JSON {
			if err := a.PrintJSON(wire.NotedCommitOf(c)); err != nil {
				return err
			}
			continue
		}
		fmt.Fprintf(out, "%s %s\n", p.ID(a.Short(c.ID)), term.Visible(c.Subject))
		for _, r := range c.Checkpoints {
			fmt.Fprintf(out, "    %s %s\n", p.ID(a.Short(r.ID)), term.Visible(inList(r)))
		}
	}
	return out.Flush()
}

// notedCommits are commits of the user's own with the checkpoints that explain them, as whoever
// asks may see them.
func notedCommits(ctx context.Context, m *recall.Memory, most int, revs []string) ([]gitstore.NotedCommit, error) {
	list, err := m.Store.Notes.List(ctx, most, revs...)
	for i := range list {
		list[i].Checkpoints = lists.Map(list[i].Checkpoints, m.Provenance.Admitted)
	}
	return list, err
}

// ShowCommit shows a commit of the user's own and the checkpoints that explain it.
func ShowCommit(ctx context.Context, a *app.App, m *recall.Memory, rev string) error {
	list, err := notedCommits(ctx, m, 1, []string{rev})
	if err != nil || len(list) == 0 {
		return err
	}
	c := list[0]
	if a.JSON {
		return a.PrintJSON(wire.NotedCommitOf(c))
	}
	p := a.Palette()
	if _, err := fmt.Fprintf(a.Out, "%s\nAuthor: %s\nDate:   %s\n\n    %s\n", p.ID("commit "+c.ID), term.Visible(c.Author), a.GitDate(c.Time), term.Visible(c.Subject)); err != nil {
		return err
	}
	if len(c.Checkpoints) == 0 {
		a.Say("no checkpoint explains it")
	}
	for _, r := range c.Checkpoints {
		if _, err := fmt.Fprintf(a.Out, "\n%s\n", FullEntry(a, r, p)); err != nil {
			return err
		}
	}
	return nil
}
