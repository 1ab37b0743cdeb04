package commits

import (
	"context"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
)

// Live is the newest checkpoint at or behind id, by first parents, that is no
// tombstone and neither removed nor refused; "" if there is none. Behind a join that brought in
// what was refused lies what it was brought together with.
func (cs *Commits) Live(ctx context.Context, id string) (string, error) {
	snap, err := cs.Look(ctx).Get()
	for err == nil && id != "" {
		var r record.Record
		if r, err = cs.CommitRecord(id); err != nil {
			break
		}
		if r.Kind != record.KindTombstone && !snap.Removed[id] && !snap.IsRefused(id) {
			return id, nil
		}
		if id = ""; len(r.Parents) > 0 {
			id = r.Parents[max(0, slices.IndexFunc(r.Parents, func(p string) bool { return !snap.IsRefused(p) }))]
		}
	}
	return "", err
}

// LiveAt is live for where a session stands, on ref. What was removed is asked only where it
// may be: behind a tombstone, or on a fork, where none is written; what was refused where
// something was.
func (cs *Commits) LiveAt(ctx context.Context, ref, id string) (string, error) {
	r, err := cs.CommitRecord(id)
	if err != nil || r.Kind != record.KindTombstone && !strings.HasPrefix(ref, refname.ForksPrefix) && (r.Own || cs.Refused == nil || len(cs.Refused(ctx)) == 0) {
		return id, err
	}
	return cs.Live(ctx, id)
}
