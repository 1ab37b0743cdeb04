package gitstore

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/prose/cut"
)

// undonePrefix are the refs that keep git from deleting what an undo took off a line.
const undonePrefix = keptPrefix + "undone/"

// moveUndo moves refs back in one transaction, in which what no other ref holds gets a
// name, and sessions that stood there with them. Who is killed before the sessions
// moved leaves them beside the line: their next save begins a fork, as beside any writer.
func (s *Store) moveUndo(ctx context.Context, a Act, back []move) error {
	why := "sage: " + cut.Runes(undoSubject(a), 72)
	keep, err := s.keepUndone(ctx, back)
	if err == nil {
		err = s.announceDurably(back, why)
	}
	if err != nil {
		return err
	}
	m, err := s.mover(ctx, why)
	if err != nil {
		return err
	}
	if err := s.moveBy(m, append(slices.Clone(back), keep...)); err != nil {
		return err
	}
	for _, b := range back {
		s.moveStands(b)
	}
	_ = s.journal(back, why)
	return nil
}

// announceDurably announces moves so that a power cut leaves it, too: what was taken back
// is not named as lost then.
func (s *Store) announceDurably(moves []move, why string) error {
	if err := s.announce(moves, why); err != nil || len(moves) == 0 || !s.durable() {
		return err
	}
	if err := fsx.SyncFile(s.journalFile()); err != nil {
		return fmt.Errorf("write the journal: %w", err)
	}
	return nil
}

// undoSubject says what an undo does: one of an undo does it again.
func undoSubject(a Act) string {
	for was, now := range map[string]string{"undid: ": "redo: ", "redid: ": "undo: "} {
		if of, ok := strings.CutPrefix(a.What, was); ok {
			return now + of
		}
	}
	return "undo: " + a.What
}

// keepUndone are the moves that name what would be reached by no line, fork or tag when
// the refs are back.
func (s *Store) keepUndone(ctx context.Context, back []move) (keep []move, err error) {
	var names []string
	for _, m := range back {
		names = append(names, m.ref)
	}
	for _, m := range back {
		if m.old == "" || s.isHeldBy(m.new, m.old) || s.isHeldBeside(ctx, m.old, names...) {
			continue
		}
		kept := undonePrefix + m.old
		has, err := s.tip(ctx, kept)
		if err != nil {
			return nil, err
		}
		if has == "" && !slices.ContainsFunc(keep, func(k move) bool { return k.ref == kept }) {
			keep = append(keep, move{kept, "", m.old})
		}
	}
	return keep, nil
}

// isHeldBeside reports whether a line, fork or tag other than these holds id.
func (s *Store) isHeldBeside(ctx context.Context, id string, but ...string) bool {
	out, err := s.git.Run(ctx, "for-each-ref", "--contains="+id, "--format=%(refname)", headsPrefix, forksPrefix, tagsPrefix)
	return err == nil && slices.ContainsFunc(strings.Fields(string(out)), func(n string) bool { return !slices.Contains(but, n) })
}

// moveStands has sessions that stood at what a ref lost stand at what it is now. Of a ref
// that came forward again only one's own follows: another session has not seen that.
func (s *Store) moveStands(m move) {
	files := []string{s.standFile()}
	if !s.isHeldBy(m.new, m.old) {
		files = s.standFiles()
	}
	for _, f := range files {
		t, ok := readStand(f)
		if !ok || m.old == "" || t.Seen != m.old || t.ref() != m.ref {
			continue
		}
		if t.Seen = m.new; m.new == "" {
			t.Ref = ""
		}
		_ = keepStandAt(f, t) // else it is as after a kill
	}
}
