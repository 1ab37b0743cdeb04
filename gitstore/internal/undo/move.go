package undo

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/journal"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
	"github.com/git-sage/git-sage/gitstore/internal/session"
	"github.com/git-sage/git-sage/prose/cut"
)

// undonePrefix are the refs that keep git from deleting what an undo took off a line.
const undonePrefix = refname.KeptPrefix + "undone/"

// moveUndo moves refs back in one transaction, in which what no other ref holds gets a
// name, and sessions that stood there with them. Who is killed before the sessions
// moved leaves them beside the line: their next save begins a fork, as beside any writer.
func (u *Undoer) moveUndo(ctx context.Context, a Act, back []journal.Move) error {
	why := "sage: " + cut.Runes(undoSubject(a), 72)
	keep, err := u.keepUndone(ctx, back)
	if err == nil {
		err = u.announceDurably(back, why)
	}
	if err != nil {
		return err
	}
	m, err := u.ledger.Mover(ctx, why)
	if err != nil {
		return err
	}
	if err := u.ledger.MoveBy(m, append(slices.Clone(back), keep...)); err != nil {
		return err
	}
	for _, b := range back {
		u.moveStands(b)
	}
	_ = u.journal.Journal(back, why)
	return nil
}

// announceDurably announces moves so that a power cut leaves it, too: what was taken back
// is not named as lost then.
func (u *Undoer) announceDurably(moves []journal.Move, why string) error {
	if err := u.journal.Announce(moves, why); err != nil || len(moves) == 0 || !u.backup.Durable() {
		return err
	}
	if err := fsx.SyncFile(u.journal.JournalFile()); err != nil {
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
func (u *Undoer) keepUndone(ctx context.Context, back []journal.Move) (keep []journal.Move, err error) {
	var names []string
	for _, m := range back {
		names = append(names, m.Ref)
	}
	for _, m := range back {
		if m.Old == "" || u.isHeldBy(m.New, m.Old) || u.isHeldBeside(ctx, m.Old, names...) {
			continue
		}
		kept := undonePrefix + m.Old
		has, err := u.repo.Tip(ctx, kept)
		if err != nil {
			return nil, err
		}
		if has == "" && !slices.ContainsFunc(keep, func(k journal.Move) bool { return k.Ref == kept }) {
			keep = append(keep, journal.Move{Ref: kept, Old: "", New: m.Old})
		}
	}
	return keep, nil
}

// isHeldBeside reports whether a line, fork or tag other than these holds id.
func (u *Undoer) isHeldBeside(ctx context.Context, id string, but ...string) bool {
	out, err := u.repo.Git.Run(ctx, "for-each-ref", "--contains="+id, "--format=%(refname)", refname.HeadsPrefix, refname.ForksPrefix, refname.TagsPrefix)
	return err == nil && slices.ContainsFunc(strings.Fields(string(out)), func(n string) bool { return !slices.Contains(but, n) })
}

// moveStands has sessions that stood at what a ref lost stand at what it is now. Of a ref
// that came forward again only one's own follows: another session has not seen that.
func (u *Undoer) moveStands(m journal.Move) {
	files := []string{u.session.StandFile()}
	if !u.isHeldBy(m.New, m.Old) {
		files = u.session.StandFiles()
	}
	for _, f := range files {
		t, ok := session.ReadStand(f)
		if !ok || m.Old == "" || t.Seen != m.Old || t.On() != m.Ref {
			continue
		}
		if t.Seen = m.New; m.New == "" {
			t.Ref = ""
		}
		_ = session.KeepStandAt(f, t) // else it is as after a kill
	}
}
