package gitstore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
)

// Upkeep packs what was saved. A save writes three loose objects, so that at
// 10,000 saves there are 30,000 files; packed they are a few, and a tenth of the
// size.
//
// It may be killed anywhere, and run beside anything:
//
//   - What it makes is whole, verified and durable before it has a name that git
//     sees, and is on our list before that.
//   - A loose object is removed only when a pack that was read back holds it, and
//     only if nobody wrote or refreshed it after that pack was made: a save that
//     finds its object there refreshes it, and reads it back behind its ref.
//   - Nothing else of git's is removed but packs on our list, whose every object
//     is in a newer one, and which nobody marked to be kept or put into an index
//     of several packs. Readers of a pack that goes find the newer one, as they
//     do beside git's own repack.
//   - While a gc of git's is at work it does nothing: that packs, too.

// upkeepEvery is how many commits are made here from one upkeep to the next.
const upkeepEvery = 500

// upkeepTime bounds one upkeep. 150,000 objects take 20 s at the lowest priority.
const upkeepTime = 30 * time.Minute

// upkeepWait is how long a person who asks for it waits for another one.
const upkeepWait = 30 * time.Second

// UpkeepDue reports whether so much was saved since the last upkeep that a front
// end should start one, with [Store.MaintainDue], in a process that nobody waits
// for. It costs one look at a file's size, and from the first upkeep on the read
// of a line.
func (s *Store) UpkeepDue() bool {
	made := s.madeHere()
	if made < upkeepEvery {
		return false
	}
	last := s.lastUpkeep()
	return made-last >= upkeepEvery || made < last // less: the list was rewritten
}

// madeHere is how many commits were made here, from the size of their list.
func (s *Store) madeHere() int64 {
	st, err := fsx.Stat(s.dir("own"))
	if err != nil {
		return 0
	}
	return st.Size() / int64(trustWord+len(" ")+len(s.objects.Zero())+len("\n"))
}

// lastUpkeep is how many commits had been made here when the last upkeep began.
// One that failed counts, so that a full disk does not start one a save.
func (s *Store) lastUpkeep() int64 {
	b, err := fsx.ReadOwn(s.dir("upkeep"))
	if err != nil {
		return 0
	}
	made, _, _ := strings.Cut(text(b), " ")
	n, err := strconv.ParseInt(made, 10, 64)
	if err != nil {
		return 0
	}
	return n
}

// markUpkeep records that an upkeep began at so many commits, and what became of it.
func (s *Store) markUpkeep(made int64, outcome string) error {
	line := fmt.Sprintf("%d %d %s\n", made, s.o.Now().Unix(), strings.ReplaceAll(outcome, "\n", " "))
	if err := fsx.WriteDerived(s.dir("upkeep"), []byte(line), 0o644); err != nil {
		return fmt.Errorf("begin upkeep: %w", err)
	}
	return nil
}

// errBusy says that another process is at it.
var errBusy = errors.New("another 'git sage admin maintenance' is at work here; try again when it is done")

// lockUpkeep keeps two from packing at once, and whoever removes objects for
// good from doing so beside one that packs. It waits until ctx ends.
func (s *Store) lockUpkeep(ctx context.Context) (*fsx.Lock, error) {
	l, waited, err := fsx.TryLock(ctx, s.dir("upkeep.lock"))
	if err != nil {
		if err = fsx.Mkdir(s.dir()); err == nil {
			l, waited, err = fsx.TryLock(ctx, s.dir("upkeep.lock"))
		}
	}
	if err == nil && l == nil && waited {
		err = errBusy
	}
	if err != nil {
		return nil, fmt.Errorf("lock %s: %w", s.dir("upkeep.lock"), err)
	}
	return l, nil
}

// Maintain packs our loose objects, and prunes nothing. It says what it did.
func (s *Store) Maintain(ctx context.Context) (string, error) {
	wait, cancel := context.WithTimeout(ctx, upkeepWait)
	defer cancel()
	l, err := s.lockUpkeep(wait)
	if err != nil {
		return "", err
	}
	defer l.Unlock()
	return s.upkeep(ctx)
}

// MaintainDue is Maintain for a process that nobody waits for: it does nothing
// where another is at it and, where none is due, brings into the backup what it lacks.
func (s *Store) MaintainDue(ctx context.Context) error {
	at, cancel := context.WithCancel(ctx)
	cancel() // try once
	l, err := s.lockUpkeep(at)
	if errors.Is(err, errBusy) {
		return nil
	}
	if err != nil {
		return err
	}
	defer l.Unlock()
	if s.UpkeepDue() {
		_, err = s.upkeep(ctx)
		return err
	}
	if ids, err := s.lacking(ctx, 0); err != nil || len(ids) == 0 {
		return err
	}
	return s.syncBackup(ctx)
}

func (s *Store) upkeep(ctx context.Context) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, upkeepTime)
	defer cancel()
	made := s.madeHere()
	if err := s.markUpkeep(made, "begun"); err != nil {
		return "", err
	}
	did, err := s.packAll(ctx)
	outcome := did
	if err != nil {
		outcome = err.Error()
	}
	_ = s.markUpkeep(made, outcome) // it says the same as the answer
	return did, err
}

func (s *Store) packAll(ctx context.Context) (string, error) {
	if s.gcAtWork() {
		return "nothing to pack: a git gc is at work, which packs, too", nil
	}
	p := &packer{s: s, made: map[string]bool{}}
	did, err := p.run(ctx)
	if err != nil {
		return "", err
	}
	return did, cmp.Or(s.syncBackup(ctx), s.packConversations(ctx))
}
