package gitstore

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/prose/cut"
)

// maxRemoved bounds the ids of one tombstone, and so the size of its message.
const maxRemoved = 100

// Remove records that the checkpoints are removed, on the current line. They
// stay in history, and RestoreRemoved brings them back.
func (s *Store) Remove(ctx context.Context, revs []string) ([]Record, error) {
	return s.bury(ctx, revs, true)
}

// RestoreRemoved brings back what Remove removed.
func (s *Store) RestoreRemoved(ctx context.Context, revs []string) ([]Record, error) {
	return s.bury(ctx, revs, false)
}

func (s *Store) bury(ctx context.Context, revs []string, remove bool) ([]Record, error) {
	return healing(ctx, s, func() ([]Record, error) { return s.buryAll(ctx, revs, remove) })
}

func (s *Store) buryAll(ctx context.Context, revs []string, remove bool) ([]Record, error) {
	var recs []Record
	for _, rev := range revs {
		if !remove {
			rev = s.withRemoved(ctx, rev)
		}
		r, err := s.Record(ctx, rev)
		if err != nil {
			return nil, err
		}
		if r.Kind == KindTombstone {
			return nil, fmt.Errorf("%w: '%s' is a tombstone", ErrNotFound, rev)
		}
		if r.Removed != remove && !slices.ContainsFunc(recs, func(o Record) bool { return o.ID == r.ID }) {
			recs = append(recs, r)
		}
	}
	if len(recs) == 0 {
		return nil, ErrNothing
	}
	for part := range slices.Chunk(recs, maxRemoved) {
		if err := s.tombstone(ctx, part, remove); err != nil {
			return nil, err
		}
	}
	if remove {
		return recs, s.leaveRemoved(ctx, recs)
	}
	return recs, nil
}

// withRemoved has the name of a line mean its newest checkpoint, removed or not.
func (s *Store) withRemoved(ctx context.Context, rev string) string {
	if CheckName(rev) == nil {
		if tip, err := s.tip(ctx, headRef(rev)); err == nil && tip != "" {
			return headRef(rev)
		}
	}
	return rev
}

// tombstone appends one commit to the line that removes or restores recs.
func (s *Store) tombstone(ctx context.Context, recs []Record, remove bool) error {
	w := &work{c: &sage.Checkpoint{Time: s.o.Now(), Session: s.o.Session, Agent: s.o.Agent}, kind: KindTombstone, now: s.o.Now()}
	verb, key := "remove", "Removes"
	if !remove {
		verb, key = "restore", "Restores"
	}
	var ids strings.Builder
	for _, r := range recs {
		fmt.Fprintf(&ids, "  - %s\n", r.ID)
	}
	w.blob = s.objects.New("blob", fmt.Appendf(nil, "format: %d\n%s:\n%s", plainFormat(), strings.ToLower(key), ids.String()))
	w.tree = s.objects.New("tree", encodeTree(treeEntry{"100644", "tombstone.yaml", w.blob.ID}))
	w.saved.Description = subjectOf(verb, recs)
	for _, r := range recs {
		w.trailers = append(w.trailers, [2]string{key, r.ID})
	}
	return s.append(ctx, w)
}

func subjectOf(verb string, recs []Record) string {
	if len(recs) == 1 {
		return cut.Runes(fmt.Sprintf("%s %s: %s", verb, short(recs[0].ID), recs[0].Description), 72)
	}
	return fmt.Sprintf("%s %d checkpoints", verb, len(recs))
}

// append puts w on the tip of the current line, whatever the session saw: it
// is no thought, and a session's next one still continues what it saw.
func (s *Store) append(ctx context.Context, w *work) error {
	w.fill(ctx, s, false)
	done, _ := s.turn(ctx)
	defer done()
	line := s.stand().Line
	for range maxTries {
		tip, err := s.lineTip(ctx, line)
		if err != nil {
			return err
		}
		p := place{ref: headRef(line), old: tip, line: line}
		if tip != "" {
			p.parents = []string{tip}
		}
		if err = s.attempt(ctx, w, p); !errors.Is(err, errMoved) {
			return err
		}
	}
	return fmt.Errorf("other writers were faster %d times", maxTries)
}
