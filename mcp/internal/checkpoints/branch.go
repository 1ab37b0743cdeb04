package checkpoints

import (
	"context"
	"errors"
	"fmt"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/mcp/internal/texts"
	"github.com/git-sage/git-sage/mcp/internal/tool"
	"github.com/git-sage/git-sage/recall/brief"
	"github.com/git-sage/git-sage/recall/provenance"
)

func runBranch(ctx context.Context, c *tool.Call) (string, error) {
	m, err := c.Memory(ctx)
	if err != nil {
		return "", err
	}
	before, name := m.Store.Session.CurrentLine(), c.Text("name")
	back := fmt.Sprintf("sage_load_checkpoint(checkpoint_id: %q)", before)
	if _, err := m.Store.Commits.Resolve(ctx, before); err != nil { // nothing was saved on it yet
		back = fmt.Sprintf("`git sage switch %s`", before)
	}
	line, err := branch(ctx, m.Store, name, c.Text("checkpoint_id"), c.Flag("switch"))
	if errors.Is(err, gitstore.ErrExists) {
		return "", fmt.Errorf("%w. sage_load_checkpoint(checkpoint_id: %q) continues there", err, name)
	}
	if err != nil {
		return "", err
	}
	from := "nothing yet: the first save creates it"
	if line.Latest != nil {
		from = brief.ShortID(line.Latest.ID) + provenance.Aside(*line.Latest, brief.Age(m.Stores.Now().Sub(line.Latest.Time))) + ": " + texts.OneLine(provenance.Said(line.Latest.Own, line.Latest.Description), 100)
	}
	if !c.Flag("switch") {
		return fmt.Sprintf("Created line %s at %s\nThis session stays on %s.", name, from, before), nil
	}
	on := "now"
	if branch := m.Store.Follow.GitBranch(); branch != "" {
		on = "until git is on a branch other than " + branch
	}
	return fmt.Sprintf("Created line %s at %s\nThis session is on it %s. %s goes back.", name, from, on, back), nil
}

func branch(ctx context.Context, s *gitstore.Store, name, rev string, move bool) (gitstore.Line, error) {
	if move {
		return s.Lines.Switch(ctx, name, true, rev)
	}
	return s.Lines.Branch(ctx, name, rev)
}
