package gitstore

import (
	"context"
	"slices"
	"strings"
)

// live is the newest checkpoint at or behind id, by first parents, that is no
// tombstone and not removed; "" if there is none.
func (s *Store) live(ctx context.Context, id string) (string, error) {
	snap, err := s.look(ctx).get()
	for err == nil && id != "" {
		var r Record
		if r, err = s.commitRecord(id); err != nil {
			break
		}
		if r.Kind != KindTombstone && !snap.removed[id] {
			return id, nil
		}
		if id = ""; len(r.Parents) > 0 {
			id = r.Parents[0]
		}
	}
	return "", err
}

// liveAt is live for where a session stands, on ref. What was removed is asked
// only where it may be: behind a tombstone, or on a fork, where none is written.
func (s *Store) liveAt(ctx context.Context, ref, id string) (string, error) {
	r, err := s.commitRecord(id)
	if err != nil || r.Kind != KindTombstone && !strings.HasPrefix(ref, forksPrefix) {
		return id, err
	}
	return s.live(ctx, id)
}

// leaveRemoved moves the session on to the tip of its line when what it saw last
// was removed there: its next thought follows what is left.
func (s *Store) leaveRemoved(ctx context.Context, recs []Record) error {
	t := s.stand()
	if !slices.ContainsFunc(recs, func(r Record) bool { return r.ID == t.Seen }) || t.ref() != headRef(t.Line) {
		return nil
	}
	tip, err := s.tip(ctx, t.ref())
	if err != nil || !s.onlyRemovals(ctx, t.Seen, tip) {
		return err
	}
	t.Seen = tip
	return s.keepStand(t)
}
