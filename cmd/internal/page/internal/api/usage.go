package api

import (
	"cmp"
	"context"

	count "github.com/git-sage/git-sage/cmd/internal/cli/tally"
	"github.com/git-sage/git-sage/hooks/tally"
	"github.com/git-sage/git-sage/internal/lists"
)

// Usage is what sessions took, and what came of the memory.
type Usage struct {
	tally.Report
	Skipped []string `json:"skipped"` // transcripts that cannot be read, each with the reason
}

// usage is 'git sage usage'.
func (*API) usage(ctx context.Context, c call) (any, error) {
	q := c.URL.Query()
	r, damaged, err := count.Count(ctx, c.a, c.m, q.Get("since"), cmp.Or(q.Get("by"), "model"))
	if err != nil {
		return nil, err
	}
	return Usage{*r, lists.Map(damaged, error.Error)}, nil
}
