package recall

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/git-sage/git-sage/gitstore"
)

// Query is where every list begins: all of the current line, less what
// automatic maintenance hides. Query.All shows that too.
func (m *Memory) Query() gitstore.Query {
	return gitstore.Query{Limits: func() (time.Duration, int) {
		s := m.Settings()
		if !s.MaintenanceOnSave {
			return 0, 0
		}
		return s.MaxAge, s.MaxCount
	}}
}

// Hidden returns how many checkpoints no line shows any more, by the limits of
// automatic maintenance. Nothing is gone: Query.All shows them.
func (m *Memory) Hidden(ctx context.Context) (int, error) {
	maxAge, maxCount := m.Query().Limits()
	return m.Store.Hidden(ctx, maxAge, maxCount)
}

// Before returns the checkpoints that a checkpoint continues, by its id and its
// parents: what removes others or brings them back does not count.
func (m *Memory) Before(ctx context.Context, id string, parents []string) ([]string, error) {
	var out []string
	for i := range parents {
		p, err := m.Store.Resolve(ctx, fmt.Sprintf("%s^%d", id, i+1))
		switch {
		case err == nil:
			out = append(out, p)
		case !errors.Is(err, gitstore.ErrNotFound):
			return nil, err
		}
	}
	return out, nil
}
