package gitstore

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/git"
)

// A LostError says that a ref does not hold what was acknowledged on it: somebody
// rewrote or removed it behind our back. Nothing is put on such a ref, since what
// was lost would then be past finding.
type LostError struct {
	Ref  string    // full name
	Want string    // the last acknowledged value
	Have string    // what git has there, which does not contain it; "" is nothing
	At   time.Time // when Want was acknowledged
}

func (e *LostError) Error() string {
	has := "git has nothing there"
	if e.Have != "" {
		has = "git has " + short(e.Have) + " there, which does not continue it"
	}
	name := shortName(e.Ref)
	return fmt.Sprintf("'%s' lost checkpoint %s (saved %s): %s; run 'git sage fsck --repair', or 'git sage fsck --accept %s' if that was meant",
		name, short(e.Want), e.At.Format("2006-01-02 15:04"), has, name)
}

// shortName is a name of a ref that can be typed: see refNamed. A line may be called
// as the knowledge tree is.
func shortName(ref string) string {
	if s := shortRef(ref); !strings.ContainsAny(s, ": ") && ref != KnowledgeRef {
		return s
	}
	return ref
}

// guard returns a *LostError if the journal knows a value of ref that tip, which
// git has there ("" is nothing), does not contain. Whoever is about to build on tip
// asks, and status; other readers do not. It returns errMoved if tip is no longer what git has.
//
// What does not count as loss: a ref that the journal does not know, or knows as
// deleted; a move that was announced; a fork that its line, or any other, contains,
// as one that was folded by a writer who could not say so any more.
//
// The journal may be behind the ref, by those who moved it and are about to say so,
// and tip may be behind both. So a difference is believed when ref and journal
// stand still.
func (s *Store) guard(ctx context.Context, ref, tip string) error {
	e, known := s.lastEntry(ref)
	if known && e.agrees(tip) {
		return nil
	}
	s.awaitCommit(ctx, tip)
	want := s.standIn(e.new)
	if !known || want == "" || want == tip || s.contains(ctx, ref, tip, want) {
		return nil
	}
	if s.learnPurges(ctx) { // one was ended between its move of the refs and its index
		return s.guard(ctx, ref, tip)
	}
	now, err := s.tip(ctx, ref)
	if err != nil {
		return err
	}
	if again, _ := s.lastEntry(ref); now != tip || again.new != e.new {
		return fmt.Errorf("%w: '%s'", errMoved, shortRef(ref))
	}
	return &LostError{Ref: ref, Want: e.new, Have: tip, At: e.at}
}

// backWait bounds the wait for what a gc took, from the end of that gc on: a writer
// needs some milliseconds to write it again, or a second on a machine that is busy.
const backWait = 2 * time.Second

// awaitCommit waits until a commit is there that a ref points to and that nobody
// has acknowledged yet. A gc that prunes at once may take what it holds away, and
// whoever moved the ref is about to write that again: see verify.
func (s *Store) awaitCommit(ctx context.Context, id string) {
	if id == "" {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, gcWait)
	defer cancel()
	var last time.Time // that a gc was seen
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		if _, err := s.object(id); !errors.Is(err, git.ErrMissing) {
			return
		}
		if s.gcAtWork() || last.IsZero() {
			last = time.Now()
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if time.Since(last) > backWait {
			return
		}
	}
}

// agrees reports whether a ref may have this value without anything being lost.
func (e entry) agrees(tip string) bool {
	return e.new == "" || e.new == tip || slices.Contains(e.begun, tip)
}

// contains reports whether want is in the history of tip, the value of ref. In most
// cases it is a parent, and no process is needed to see it.
func (s *Store) contains(ctx context.Context, ref, tip, want string) bool {
	if tip == "" {
		return strings.HasPrefix(ref, forksPrefix) && s.heldBy(ctx, headsPrefix, want)
	}
	if r, err := s.commitRecord(tip); err == nil && slices.Contains(r.Parents, want) {
		return true
	}
	return s.isAncestor(ctx, want, tip)
}

func (s *Store) heldBy(ctx context.Context, prefix, id string) bool {
	out, err := s.git.Run(ctx, "for-each-ref", "--count=1", "--contains="+id, "--format=%(refname)", prefix)
	return err == nil && len(out) > 0
}
