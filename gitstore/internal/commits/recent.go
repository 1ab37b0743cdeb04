package commits

import (
	"context"

	"github.com/git-sage/git-sage/gitstore/internal/record"
)

// Recent lists up to n commits of a line behind id, itself first, by first parents. It
// is for who has just saved: git is asked for each by itself, 20 µs, where a list takes
// a process of git. What was removed is among them; [Commits.Log] knows.
func (cs *Commits) Recent(ctx context.Context, id string, n int) (out []record.Record) {
	for id != "" && len(out) < n && ctx.Err() == nil {
		r, err := cs.CommitRecord(id)
		if err != nil {
			break
		}
		out, id = append(out, r), ""
		if len(r.Parents) > 0 {
			id = r.Parents[0]
		}
	}
	return out
}
