package mcp

import (
	"context"
	"errors"
	"fmt"

	"github.com/git-sage/git-sage/gitstore"
)

func runBranch(ctx context.Context, c *call) (string, error) {
	m, err := c.memory(ctx)
	if err != nil {
		return "", err
	}
	before, name := m.Store.CurrentLine(), c.text("name")
	line, err := branch(ctx, m.Store, name, c.text("checkpoint_id"), c.flag("switch"))
	if errors.Is(err, gitstore.ErrExists) {
		return "", fmt.Errorf("%w. sage_load_checkpoint(checkpoint_id: %q) goes on there", err, name)
	}
	if err != nil {
		return "", err
	}
	from := "nothing yet: the first save makes it"
	if line.Latest != nil {
		from = short(line.Latest.ID) + ": " + oneLine(line.Latest.Description, 100)
	}
	if branch := m.Store.GitBranch(); branch != "" && c.flag("switch") {
		return fmt.Sprintf("Line %s begins at %s\nThis session is on it as long as git is on branch %s. sage_load_checkpoint(checkpoint_id: %q) goes back.", name, from, branch, before), nil
	}
	if !c.flag("switch") {
		return fmt.Sprintf("Line %s begins at %s\nThis session stays on %s.", name, from, before), nil
	}
	return fmt.Sprintf("Line %s begins at %s\nThis session is on it now. sage_load_checkpoint(checkpoint_id: %q) goes back.", name, from, before), nil
}

func branch(ctx context.Context, s *gitstore.Store, name, rev string, move bool) (gitstore.Line, error) {
	if move {
		return s.Switch(ctx, name, true, rev)
	}
	return s.Branch(ctx, name, rev)
}
