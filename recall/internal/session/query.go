package session

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/git-sage/git-sage/gitstore"
)

// Query is where every list begins: all of the current line, less what
// automatic maintenance hides. Query.All shows that too.
func (se *Session) Query() gitstore.Query {
	return gitstore.Query{Limits: func() (time.Duration, int) {
		s := se.stores.Settings()
		if !s.MaintenanceOnSave {
			return 0, 0
		}
		return s.MaxAge, s.MaxCount
	}}
}

// Hidden returns how many checkpoints no line shows any more, by the limits of
// automatic maintenance. Nothing is gone: Query.All shows them.
func (se *Session) Hidden(ctx context.Context) (int, error) {
	maxAge, maxCount := se.Query().Limits()
	return se.stores.Store.Commits.Hidden(ctx, maxAge, maxCount)
}

// Before returns the checkpoints that a checkpoint continues, by its id and its
// parents: what removes others or brings them back does not count.
func (se *Session) Before(ctx context.Context, id string, parents []string) ([]string, error) {
	var out []string
	for i := range parents {
		p, err := se.stores.Store.Commits.Resolve(ctx, fmt.Sprintf("%s^%d", id, i+1))
		switch {
		case err == nil:
			out = append(out, p)
		case !errors.Is(err, gitstore.ErrNotFound):
			return nil, err
		}
	}
	return out, nil
}

// SavedSince are the checkpoints that the session saved since it was at another one,
// newest first: what lies between is told by the graph, not by dates.
func (se *Session) SavedSince(ctx context.Context, since string) (out []gitstore.Record, err error) {
	if se.stores.Store.Repo.Session() == "" {
		return nil, nil
	}
	q := gitstore.Query{Max: searchDepth}
	if since != "" {
		q.Revs = []string{since + "..@"}
	}
	records, err := se.stores.Store.Commits.Log(ctx, q)
	if errors.Is(err, gitstore.ErrNotFound) && since != "" { // it is gone
		return se.SavedSince(ctx, "")
	}
	for _, r := range records {
		if r.Session == se.stores.Store.Repo.Session() {
			out = append(out, r)
		}
	}
	return out, err
}
