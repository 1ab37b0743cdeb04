package undo

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/commits"
	"github.com/git-sage/git-sage/gitstore/internal/journal"
	"github.com/git-sage/git-sage/gitstore/internal/knowledge"
	"github.com/git-sage/git-sage/gitstore/internal/ledger"
	"github.com/git-sage/git-sage/gitstore/internal/ownership"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
	"github.com/git-sage/git-sage/gitstore/internal/write"
	"github.com/git-sage/git-sage/gitstore/remedy"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
)

// An UndoError says why an act cannot be taken back, and what can be done instead.
type UndoError struct {
	Why     string
	Instead remedy.Remedy
}

func (e *UndoError) Error() string { return e.Why }

// oneOf is what takes a part of an act back.
const oneOf = "removes one of them instead"

// Undone says what an undo did.
type Undone struct {
	Act      Act      // that was taken back
	Commit   string   // of the knowledge, which an undo there made; "" is none
	Back     []string // full names of the refs that were moved back
	Items    []string // keys of the items that are the user's own now, or no longer
	Warnings []remedy.Note
}

// maxNumber is the largest number of an act in the list; a longer one is an id.
const maxNumber = 9999

// Find is the act that a word means: its number in [Undoer.List], its id, or the id of
// a commit that it made, each id by a prefix of four digits or more.
func (u *Undoer) Find(ctx context.Context, word string) (Act, error) {
	acts, err := u.List(ctx, 0)
	if err != nil {
		return Act{}, err
	}
	if n, err := strconv.Atoi(word); err == nil && n <= maxNumber {
		if n < 1 || n > len(acts) {
			return Act{}, remedy.For(fmt.Errorf("no action %d", n), remedy.ListActions.On().To("lists "+legible.Count(len(acts), "action")))
		}
		return acts[n-1], nil
	}
	word = strings.ToLower(word)
	var named []Act
	for _, a := range acts {
		if len(word) >= commits.MinPrefix && strings.HasPrefix(a.ID, word) {
			named = append(named, a)
		}
	}
	if len(named) > 1 {
		return Act{}, fmt.Errorf("'%s' matches %s, such as %s and %s", word, legible.Count(len(named), "action"), named[0].ID, named[1].ID)
	}
	for _, a := range append(named, acts...) { // newest first: a commit may come again
		if a.ID == word || len(word) >= commits.MinPrefix && a.goesBy(word) {
			return a, nil
		}
	}
	return Act{}, remedy.For(fmt.Errorf("no action '%s'", word), remedy.ListActions.On().To("lists them"))
}

// goesBy reports whether a prefix is one of the act's id, or of a commit that it made;
// what moved a ref back made none.
func (a *Act) goesBy(prefix string) bool {
	return strings.HasPrefix(a.ID, prefix) || !a.isUndo() && slices.ContainsFunc(a.moves, func(m journal.Move) bool {
		return m.New != "" && strings.HasPrefix(m.New, prefix)
	})
}

// Undo takes an act back, which is an act itself. Refs go back by compare-and-swap, and
// what they held is kept under refs/sage/repairs/undone/; the knowledge goes on to a
// commit that has the files as they were. An [*UndoError] says that somebody built on it,
// has it already, or that it cannot be taken back for another reason: nothing changed.
func (u *Undoer) Undo(ctx context.Context, a Act) (Undone, error) {
	if err := u.repo.Enabled(); err != nil {
		return Undone{}, err
	}
	out := Undone{Act: a}
	var err error
	switch {
	case len(a.stood.IDs)+len(a.stood.Steps) > 0:
		err = u.undoConfirm(ctx, a.stood)
		for _, v := range a.stood.Steps {
			out.Items = append(out.Items, v.Key)
		}
	case a.Kind == ActRemove:
		err = u.undoTombstone(ctx, a)
	case a.isFetched() && a.moved(refname.KnowledgeRef):
		err = a.tookIn()
	case a.moved(refname.KnowledgeRef), a.moved(refname.PrivateRef):
		out, err = u.undoKnowledge(ctx, a)
	default:
		out, err = u.undoMoves(ctx, a)
	}
	if errors.Is(err, journal.ErrMoved) {
		err = &UndoError{"changed by another process; nothing was undone", remedy.ListActions.On()}
	}
	return out, err
}

// tookIn says why a merge of what was fetched stays.
func (a *Act) tookIn() error {
	instead := remedy.RemoveCheckpoint.On().To(oneOf)
	if len(a.moves) == 1 && a.moved(refname.KnowledgeRef) {
		instead = remedy.RemoveItem.On().To(oneOf)
	}
	return &UndoError{"it merged others' work, which the next fetch would bring back", instead}
}

func (u *Undoer) undoConfirm(ctx context.Context, c knowledge.ConfirmLine) error {
	done := u.backup.Turn(ctx)
	defer done()
	known := u.ownership.VouchedIDs()
	if c.Back {
		if !u.repo.Options.Person {
			return repo.ErrNoPerson
		}
		var again []ownership.Version
		for _, v := range c.Steps {
			again = append(again, ownership.Version{Blob: v.New, Key: v.Key})
		}
		if err := cmp.Or(u.ownership.Vouch(c.IDs...), u.ownership.NoteVersions(again...)); err != nil {
			return err
		}
		return u.knowledge.NoteConfirm(knowledge.ConfirmLine{IDs: c.IDs, Steps: c.Steps, What: c.What})
	}
	left := u.ownership.Versions()
	if !slices.ContainsFunc(c.IDs, known.Has) && !slices.ContainsFunc(c.Steps, func(v knowledge.VersionStep) bool { return left.Of(v.Key) == v.New }) {
		return &UndoError{c.What + " is no longer confirmed", remedy.ListActions.On()}
	}
	return u.knowledge.Unconfirm(c)
}

// undoTombstone records the contrary, which works wherever the tombstone has gone.
func (u *Undoer) undoTombstone(ctx context.Context, a Act) error {
	r, err := u.commits.CommitRecord(a.moves[0].New)
	if err != nil {
		return err
	}
	if len(r.Removes) > 0 {
		_, err = u.write.RestoreRemoved(ctx, r.Removes)
	} else {
		_, err = u.write.Remove(ctx, r.Restores)
	}
	if errors.Is(err, repo.ErrNothing) {
		err = &UndoError{"already undone", remedy.ListActions.On()}
	}
	return err
}

// undoMoves puts lines, forks and tags back.
func (u *Undoer) undoMoves(ctx context.Context, a Act) (Undone, error) {
	done := u.backup.Turn(ctx)
	defer done()
	back, err := u.movesBack(ctx, a)
	if err != nil {
		return Undone{}, err
	}
	for _, m := range back {
		if line, ok := strings.CutPrefix(m.Ref, refname.HeadsPrefix); ok && m.New == "" && a.Kind == ActLine && line == u.session.Stand().Line {
			return Undone{}, &UndoError{"line '" + line + "' is the current one", remedy.SwitchLine.On(refname.DefaultLine).To("leaves it first")}
		}
	}
	if err = u.moveUndo(ctx, a, back); err != nil {
		return Undone{}, fmt.Errorf("undo: %w", err)
	}
	out := Undone{Act: a}
	for _, m := range back {
		out.Back = append(out.Back, m.Ref)
	}
	return out, nil
}

// movesBack are the moves that take back those of an act, if all can be made.
func (u *Undoer) movesBack(ctx context.Context, a Act) ([]journal.Move, error) {
	back := ledger.Reversed(slices.DeleteFunc(slices.Clone(a.moves), func(m journal.Move) bool { return refname.IsKnowledge(m.Ref) }))
	for _, m := range back {
		now, err := u.repo.Tip(ctx, m.Ref)
		if err == nil {
			err = u.history.Guard(ctx, m.Ref, now)
		}
		if err != nil {
			return nil, err
		}
		if err := u.mayGoBack(ctx, a, m, now); err != nil {
			return nil, err
		}
	}
	return back, nil
}

// mayGoBack refuses a ref that moved since, what a purge took, and what a remote has.
func (u *Undoer) mayGoBack(ctx context.Context, a Act, m journal.Move, now string) error {
	name := refname.ShortName(m.Ref)
	switch {
	case m.Old != "" && now == "":
		return &UndoError{"'" + name + "' no longer exists", remedy.ListActions.On()}
	case now != m.Old && a.Kind == ActSave:
		return &UndoError{fmt.Sprintf("'%s' has moved on to %s", name, record.Short(now)), remedy.RemoveCheckpoint.On(record.Short(m.Old))}
	case now != m.Old && m.Old == "":
		return &UndoError{fmt.Sprintf("'%s' exists again, at %s", name, record.Short(now)), remedy.ListActions.On()}
	case now != m.Old:
		return &UndoError{fmt.Sprintf("'%s' has moved to %s", name, record.Short(now)), remedy.ListActions.On()}
	case u.isPurgeStep(m):
		return &UndoError{"a purge removed its earlier value", remedy.ListCheckpoints.On()}
	}
	if m.New != "" {
		if gone, err := u.commits.IsGone(ctx, m.New); err != nil || gone {
			return cmp.Or(err, error(&UndoError{"the earlier value of '" + name + "', " + record.Short(m.New) + ", can no longer be read", remedy.Check.On().To("says what is wrong")}))
		}
	}
	if m.Old == "" || u.isHeldBy(m.New, m.Old) {
		return nil
	}
	return u.notShared(ctx, a, m)
}

// isHeldBy reports whether a ref that goes from old to id loses nothing: id continues it.
func (u *Undoer) isHeldBy(id, old string) bool {
	return id != "" && u.commits.IsAncestor(context.Background(), old, id)
}

// notShared refuses what a remote has: it would come back with the next fetch, and a push
// of what is left would be refused. A join is made again by whoever merges.
func (u *Undoer) notShared(ctx context.Context, a Act, m journal.Move) error {
	err := u.shared(ctx, m, a.At)
	if refused := (*UndoError)(nil); a.isFetched() && !strings.HasPrefix(m.Ref, refname.TagsPrefix) && errors.As(err, &refused) {
		return a.tookIn()
	}
	return err
}

func (u *Undoer) shared(ctx context.Context, m journal.Move, since time.Time) error {
	if tag, ok := strings.CutPrefix(m.Ref, refname.TagsPrefix); ok {
		if err := u.lines.TagIsOurs(ctx, tag, m.Old); err != nil {
			return &UndoError{"tag '" + tag + "' was pushed: others rely on it", remedy.TagAgain.On(record.Short(cmp.Or(m.New, m.Old)))}
		}
		return nil
	}
	instead := remedy.RemoveCheckpoint.On(record.Short(m.Old))
	if r, err := u.commits.CommitRecord(m.Old); err != nil {
		return err
	} else if r.IsJoin() {
		return &UndoError{write.MergeRecurs, instead}
	}
	if line, ok := strings.CutPrefix(m.Ref, refname.HeadsPrefix); ok && m.New == "" && u.isHeldBeside(ctx, m.Old, m.Ref) {
		where, err := u.history.NamedByRemote(ctx, "heads/"+line, "")
		if where != "" {
			err = &UndoError{"line '" + line + "' was pushed (" + where + ")", remedy.CloseLine.On(line)}
		}
		return err
	}
	where, err := u.history.HeldByRemote(ctx, m.Ref, m.Old, since)
	if where != "" {
		err = &UndoError{fmt.Sprintf("%s was pushed (%s)", record.Short(m.Old), where), instead}
	}
	return err
}
