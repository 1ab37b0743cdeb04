package ledger

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/journal"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
)

// Move moves refs, all or none, each only if it still has its old value. It
// returns ErrMoved if one has not. Refs are durable when it returns nil, and the
// journal knows of it unless that cannot be written, which takes nothing away.
func (led *Ledger) Move(ctx context.Context, message string, moves ...journal.Move) error {
	return led.MoveThen(ctx, message, nil, moves...)
}

// MoveThen is move and what is to follow it, both or none. then may be nil.
func (led *Ledger) MoveThen(ctx context.Context, message string, then func() error, moves ...journal.Move) error {
	w, err := led.Mover(ctx, message)
	if err != nil {
		return err
	}
	if err := led.MoveBy(w, moves); err != nil {
		return err
	}
	if then != nil {
		if err := then(); err != nil {
			return led.undo(moves, err)
		}
	}
	_ = led.journal.Journal(moves, message)
	led.haveMoved()
	return nil
}

// MoveBack is move for what does not bring every ref forward: it is announced in
// the journal before it is done.
func (led *Ledger) MoveBack(ctx context.Context, message string, moves ...journal.Move) error {
	if err := led.journal.Announce(moves, message); err != nil {
		return err
	}
	return led.Move(ctx, message, moves...)
}

// deletions are the moves that delete a ref.
func deletions(moves []journal.Move) (out []journal.Move) {
	for _, m := range moves {
		if m.New == "" {
			out = append(out, m)
		}
	}
	return out
}

// ErrPurgedMeanwhile says that what a ref was to point to, or to continue, was
// purged while that went on. A purge looks at all refs again behind its own move;
// who moves one after that finds the purge here. Between the two nobody brings
// back what was purged.
var ErrPurgedMeanwhile = fmt.Errorf("%w: its parent was purged", journal.ErrMoved)

// UndoWait bounds what is done about a move that failed half way.
const UndoWait = 10 * time.Second

// lookAgain bounds how often a ref is read that decides whether something was
// saved. Two errors of a disk are met in one test of faults, and three in none.
const lookAgain = 5

// moved reports whether refs moved although git says that it did not succeed: it
// may have been ended, or have failed, right behind the commit. An error says
// that nobody can tell.
func (led *Ledger) moved(moves []journal.Move) (bool, error) {
	ctx, cancel := context.WithTimeout(context.Background(), UndoWait)
	defer cancel()
	for _, m := range moves {
		tip, err := led.repo.GitTip(ctx, m.Ref) // it failed, and has to say itself what it left
		for n := 1; err != nil && n < lookAgain && ctx.Err() == nil; n++ {
			tip, err = led.repo.GitTip(ctx, m.Ref)
		}
		if err != nil || tip != m.New {
			return false, err
		}
	}
	return true, nil
}

// undo takes moves back that must not be acknowledged because of cause, and
// returns that. What another writer built upon stays, and the error says so.
func (led *Ledger) undo(moves []journal.Move, cause error) error {
	ctx, cancel := context.WithTimeout(context.Background(), UndoWait)
	defer cancel()
	m, err := led.Mover(ctx, "sage: undo what did not become durable")
	if err == nil {
		err = m.feed(Reversed(moves))
	}
	if err != nil {
		return fmt.Errorf("%w; rollback failed; the ref may have moved", cause)
	}
	return cause
}

func Reversed(moves []journal.Move) []journal.Move {
	back := make([]journal.Move, len(moves))
	for i, m := range moves {
		back[i] = journal.Move{Ref: m.Ref, Old: m.New, New: m.Old}
	}
	return back
}

func (led *Ledger) script(moves []journal.Move) string {
	var b strings.Builder
	b.WriteString("start\x00")
	for _, m := range moves {
		if m.New == "" {
			fmt.Fprintf(&b, "delete %s\x00%s\x00", m.Ref, m.Old)
			continue
		}
		fmt.Fprintf(&b, "update %s\x00%s\x00%s\x00", m.Ref, m.New, led.orZero(m.Old))
	}
	b.WriteString("prepare\x00commit\x00")
	return b.String()
}

func (led *Ledger) orZero(id string) string {
	if id == "" {
		return led.repo.Objects.Zero()
	}
	return id
}

// moveError tells a lost race from real trouble by what git says; git has no
// exit status for it.
func moveError(err error) error {
	var e *git.Error
	if !errors.As(err, &e) {
		return err
	}
	if e.InQuarantine() {
		return fmt.Errorf("%w: the push is not accepted yet; save in a post-receive hook instead", err)
	}
	if e.BrokenRef() {
		return repo.Unsound(err)
	}
	if e.LostRace() {
		return fmt.Errorf("%w: %w", journal.ErrMoved, err)
	}
	return err
}

// syncRefs makes the refs durable. git syncs a ref file from 2.36 on and
// its folder never; where refs are packed or in a table there is no file.
func (led *Ledger) syncRefs(moves []journal.Move) error {
	if !led.backup.Durable() {
		return nil
	}
	var files, dirs []string
	for _, m := range moves {
		file := filepath.Join(led.repo.Where.CommonDir, filepath.FromSlash(m.Ref))
		files = append(files, file)
		for dir := filepath.Dir(file); len(dir) > len(led.repo.Where.CommonDir) && !slices.Contains(dirs, dir); dir = filepath.Dir(dir) {
			if dirs = append(dirs, dir); m.Old != "" {
				break // the folders above are not new
			}
		}
	}
	if err := fsx.SyncAll(files, dirs); err != nil {
		return fmt.Errorf("make refs durable: %w", err)
	}
	return nil
}

// NoBase tells "no common ancestor", which git says by status 1 alone. Of a commit that it
// cannot read it says something, and a merge without the base would bring back what one
// side had dropped.
func NoBase(err error) error {
	var e *git.Error
	if errors.As(err, &e) && e.Code == 1 && e.Stderr == "" {
		return nil
	}
	return fmt.Errorf("find the common ancestor: %w", err)
}
