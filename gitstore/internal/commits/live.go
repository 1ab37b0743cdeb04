package commits

import (
	"context"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
)

// Live is the newest checkpoint at or behind id, by first parents, that is no
// tombstone and not removed; "" if there is none.
func (cs *Commits) Live(ctx context.Context, id string) (string, error) {
	snap, err := cs.Look(ctx).Get()
	for err == nil && id != "" {
		var r record.Record
		if r, err = cs.CommitRecord(id); err != nil {
			break
		}
		if r.Kind != record.KindTombstone && !snap.Removed[id] {
			return id, nil
		}
		if id = ""; len(r.Parents) > 0 {
			id = r.Parents[0]
		}
	}
	return "", err
}

// LiveAt is live for where a session stands, on ref. What was removed is asked
// only where it may be: behind a tombstone, or on a fork, where none is written.
func (cs *Commits) LiveAt(ctx context.Context, ref, id string) (string, error) {
	r, err := cs.CommitRecord(id)
	if err != nil || r.Kind != record.KindTombstone && !strings.HasPrefix(ref, refname.ForksPrefix) {
		return id, err
	}
	return cs.Live(ctx, id)
}
