package gitstore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// An UndoError says why an act cannot be taken back, and what to type instead.
type UndoError struct{ Why, Instead string }

func (e *UndoError) Error() string { return e.Why }

// Undone says what an undo did.
type Undone struct {
	Act      Act      // that was taken back
	Commit   string   // of the knowledge, which an undo there made; "" is none
	Back     []string // full names of the refs that were moved back
	Items    []string // keys of the items that are the user's own now, or no longer
	Warnings []string
}

// maxNumber is the largest number of an act in the list; a longer one is an id.
const maxNumber = 9999

// FindAct is the act that a word means: its number in [Store.Acts], its id, or the id of
// a commit that it made, each id by a prefix of four digits or more.
func (s *Store) FindAct(ctx context.Context, word string) (Act, error) {
	acts, err := s.Acts(ctx, 0)
	if err != nil {
		return Act{}, err
	}
	if n, err := strconv.Atoi(word); err == nil && n <= maxNumber {
		if n < 1 || n > len(acts) {
			return Act{}, fmt.Errorf("there is no act %d: 'git sage undo' lists %s", n, count(len(acts), "act"))
		}
		return acts[n-1], nil
	}
	word = strings.ToLower(word)
	var named []Act
	for _, a := range acts {
		if len(word) >= minPrefix && strings.HasPrefix(a.ID, word) {
			named = append(named, a)
		}
	}
	if len(named) > 1 {
		return Act{}, fmt.Errorf("'%s' is the beginning of %s: %s and %s", word, count(len(named), "act"), named[0].ID, named[1].ID)
	}
	for _, a := range append(named, acts...) { // newest first: a commit may come again
		if a.ID == word || len(word) >= minPrefix && a.goesBy(word) {
			return a, nil
		}
	}
	return Act{}, fmt.Errorf("there is no act '%s': 'git sage undo' lists them", word)
}

// goesBy reports whether a prefix is one of the act's id, or of a commit that it made;
// what moved a ref back made none.
func (a *Act) goesBy(prefix string) bool {
	return strings.HasPrefix(a.ID, prefix) || !a.isUndo() && slices.ContainsFunc(a.moves, func(m move) bool {
		return m.new != "" && strings.HasPrefix(m.new, prefix)
	})
}

// Undo takes an act back, which is an act itself. Refs go back by compare-and-swap, and
// what they held is kept under refs/sage/repairs/undone/; the knowledge goes on to a
// commit that has the files as they were. An [*UndoError] says that somebody built on it,
// has it already, or that it cannot be taken back for another reason: nothing changed.
func (s *Store) Undo(ctx context.Context, a Act) (Undone, error) {
	if err := s.Enabled(); err != nil {
		return Undone{}, err
	}
	out := Undone{Act: a}
	var err error
	switch {
	case len(a.stood.ids)+len(a.stood.steps) > 0:
		err = s.undoConfirm(ctx, a.stood)
		for _, v := range a.stood.steps {
			out.Items = append(out.Items, v.key)
		}
	case a.Kind == ActRemove:
		err = s.undoTombstone(ctx, a)
	case a.isFetched() && a.moved(KnowledgeRef):
		err = a.tookIn()
	case a.moved(KnowledgeRef):
		out, err = s.undoKnowledge(ctx, a)
	default:
		out, err = s.undoMoves(ctx, a)
	}
	if errors.Is(err, errMoved) {
		err = &UndoError{"somebody else moved it meanwhile: nothing was taken back", "git sage undo"}
	}
	return out, err
}

// tookIn says why a merge of what was fetched stays.
func (a *Act) tookIn() error {
	instead := "git sage checkpoint rm <id>"
	if len(a.moves) == 1 && a.moved(KnowledgeRef) {
		instead = "git sage knowledge rm <id>"
	}
	return &UndoError{"it took in what others wrote, and a fetch would bring that again", instead}
}

func (s *Store) undoConfirm(ctx context.Context, c confirmLine) error {
	done, _ := s.turn(ctx)
	defer done()
	known := s.vouched()
	if c.back {
		if !s.o.Person {
			return ErrNoPerson
		}
		var again []version
		for _, v := range c.steps {
			again = append(again, version{v.new, v.key})
		}
		if err := cmp.Or(s.vouch(c.ids...), s.noteVersions(again...)); err != nil {
			return err
		}
		return s.noteConfirm(confirmLine{ids: c.ids, steps: c.steps, what: c.what})
	}
	left := s.versions()
	if !slices.ContainsFunc(c.ids, known.has) && !slices.ContainsFunc(c.steps, func(v versionStep) bool { return left.of(v.key) == v.new }) {
		return &UndoError{"nobody stands for " + c.what + " any more", "git sage undo"}
	}
	return s.unconfirm(c)
}

// undoTombstone records the contrary, which works wherever the tombstone has gone.
func (s *Store) undoTombstone(ctx context.Context, a Act) error {
	r, err := s.commitRecord(a.moves[0].new)
	if err != nil {
		return err
	}
	if len(r.Removes) > 0 {
		_, err = s.RestoreRemoved(ctx, r.Removes)
	} else {
		_, err = s.Remove(ctx, r.Restores)
	}
	if errors.Is(err, ErrNothing) {
		err = &UndoError{"that has been taken back already", "git sage undo"}
	}
	return err
}

// undoMoves puts lines, forks and tags back.
func (s *Store) undoMoves(ctx context.Context, a Act) (Undone, error) {
	done, _ := s.turn(ctx)
	defer done()
	back, err := s.movesBack(ctx, a)
	if err != nil {
		return Undone{}, err
	}
	for _, m := range back {
		if line, ok := strings.CutPrefix(m.ref, headsPrefix); ok && m.new == "" && a.Kind == ActLine && line == s.stand().Line {
			return Undone{}, &UndoError{"line '" + line + "' is the current one", "git sage switch " + DefaultLine}
		}
	}
	if err = s.moveUndo(ctx, a, back); err != nil {
		return Undone{}, fmt.Errorf("undo: %w", err)
	}
	out := Undone{Act: a}
	for _, m := range back {
		out.Back = append(out.Back, m.ref)
	}
	return out, nil
}

// movesBack are the moves that take back those of an act, if all can be made.
func (s *Store) movesBack(ctx context.Context, a Act) ([]move, error) {
	back := reversed(slices.DeleteFunc(slices.Clone(a.moves), func(m move) bool { return m.ref == KnowledgeRef }))
	for _, m := range back {
		now, err := s.tip(ctx, m.ref)
		if err == nil {
			err = s.guard(ctx, m.ref, now)
		}
		if err != nil {
			return nil, err
		}
		if err := s.mayGoBack(ctx, a, m, now); err != nil {
			return nil, err
		}
	}
	return back, nil
}

// mayGoBack refuses a ref that moved since, what a purge took, and what a remote has.
func (s *Store) mayGoBack(ctx context.Context, a Act, m move, now string) error {
	name := shortName(m.ref)
	switch {
	case m.old != "" && now == "":
		return &UndoError{"'" + name + "' is gone since", "git sage undo"}
	case now != m.old && a.Kind == ActSave:
		return &UndoError{fmt.Sprintf("'%s' went on since, to %s", name, short(now)), "git sage checkpoint rm " + short(m.old)}
	case now != m.old && m.old == "":
		return &UndoError{fmt.Sprintf("there is a '%s' again, at %s", name, short(now)), "git sage undo"}
	case now != m.old:
		return &UndoError{fmt.Sprintf("'%s' moved since, to %s", name, short(now)), "git sage undo"}
	case s.isPurgeStep(m):
		return &UndoError{"a purge took away what was there before", "git sage log"}
	}
	if m.new != "" {
		if gone, err := s.isGone(ctx, m.new); err != nil || gone {
			return cmp.Or(err, error(&UndoError{"what '" + name + "' was at, " + short(m.new) + ", cannot be read any more", "git sage fsck"}))
		}
	}
	if m.old == "" || s.isHeldBy(m.new, m.old) {
		return nil
	}
	return s.notShared(ctx, a, m)
}

// isHeldBy reports whether a ref that goes from old to id loses nothing: id continues it.
func (s *Store) isHeldBy(id, old string) bool {
	return id != "" && s.isAncestor(context.Background(), old, id)
}

// notShared refuses what a remote has: it would come back with the next fetch, and a push
// of what is left would be refused. A join is made again by whoever merges.
func (s *Store) notShared(ctx context.Context, a Act, m move) error {
	err := s.shared(ctx, m, a.At)
	if refused := (*UndoError)(nil); a.isFetched() && !strings.HasPrefix(m.ref, tagsPrefix) && errors.As(err, &refused) {
		return a.tookIn()
	}
	return err
}

func (s *Store) shared(ctx context.Context, m move, since time.Time) error {
	if tag, ok := strings.CutPrefix(m.ref, tagsPrefix); ok {
		if err := s.tagIsOurs(ctx, tag, m.old); err != nil {
			return &UndoError{"tag '" + tag + "' was pushed: others rely on it", "git sage tag <another name> " + short(cmp.Or(m.new, m.old))}
		}
		return nil
	}
	instead := "git sage checkpoint rm " + short(m.old)
	if r, err := s.commitRecord(m.old); err != nil {
		return err
	} else if r.isJoin() {
		return &UndoError{"every clone makes the same merge of what was fetched, and would again", instead}
	}
	if line, ok := strings.CutPrefix(m.ref, headsPrefix); ok && m.new == "" && s.isHeldBeside(ctx, m.old, m.ref) {
		where, err := s.namedByRemote(ctx, "heads/"+line)
		if where != "" {
			err = &UndoError{"line '" + line + "' was pushed (" + where + ")", "git sage branch -d " + line}
		}
		return err
	}
	where, err := s.heldByRemote(ctx, m.ref, m.old, since)
	if where != "" {
		err = &UndoError{fmt.Sprintf("%s was pushed (%s)", short(m.old), where), instead}
	}
	return err
}
