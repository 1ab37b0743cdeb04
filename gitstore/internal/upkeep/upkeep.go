package upkeep

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/backup"
	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/ownership"
	"github.com/git-sage/git-sage/gitstore/part"
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

// Due reports whether so much was saved since the last upkeep that a front
// end should start one, with [Upkeep.MaintainDue], in a process that nobody waits
// for. It costs one look at a file's size, and from the first upkeep on the read
// of a line.
func (u *Upkeep) Due() bool {
	made := u.madeHere()
	if made < upkeepEvery {
		return false
	}
	last := u.lastUpkeep()
	return made-last >= upkeepEvery || made < last // less: the list was rewritten
}

// madeHere is how many commits were made here, from the size of their list.
func (u *Upkeep) madeHere() int64 {
	st, err := fsx.Stat(u.repo.Dir("own"))
	if err != nil {
		return 0
	}
	return st.Size() / int64(ownership.TrustWord+len(" ")+len(u.repo.Objects.Zero())+len("\n"))
}

// lastUpkeep is how many commits had been made here when the last upkeep began.
// One that failed counts, so that a full disk does not start one a save.
func (u *Upkeep) lastUpkeep() int64 {
	b, err := fsx.ReadOwn(u.repo.Dir("upkeep"))
	if err != nil {
		return 0
	}
	made, _, _ := strings.Cut(git.Text(b), " ")
	n, err := strconv.ParseInt(made, 10, 64)
	if err != nil {
		return 0
	}
	return n
}

// markUpkeep records that an upkeep began at so many commits, and what became of it.
func (u *Upkeep) markUpkeep(made int64, outcome string) error {
	line := fmt.Sprintf("%d %d %s\n", made, u.repo.Options.Now().Unix(), strings.ReplaceAll(outcome, "\n", " "))
	if err := fsx.WriteDerived(u.repo.Dir("upkeep"), []byte(line), 0o644); err != nil {
		return fmt.Errorf("begin upkeep: %w", err)
	}
	return nil
}

// Maintain packs our loose objects, and prunes nothing. It says what it did.
func (u *Upkeep) Maintain(ctx context.Context) (string, error) {
	wait, cancel := context.WithTimeout(ctx, upkeepWait)
	defer cancel()
	l, err := u.backup.LockUpkeep(wait)
	if err != nil {
		return "", err
	}
	defer l.Unlock()
	return u.upkeep(ctx)
}

// MaintainDue is Maintain for a process that nobody waits for: it does nothing
// where another is at it and, where none is due, brings into the backup what it lacks.
func (u *Upkeep) MaintainDue(ctx context.Context) error {
	at, cancel := context.WithCancel(ctx)
	cancel() // try once
	l, err := u.backup.LockUpkeep(at)
	if errors.Is(err, backup.ErrBusy) {
		return nil
	}
	if err != nil {
		return err
	}
	defer l.Unlock()
	if u.Due() {
		_, err = u.upkeep(ctx)
		return err
	}
	if ids, err := u.backup.Lacking(ctx, 0); err != nil || len(ids) == 0 {
		return err
	}
	return u.backup.SyncBackup(ctx)
}

func (u *Upkeep) upkeep(ctx context.Context) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, upkeepTime)
	defer cancel()
	made := u.madeHere()
	if err := u.markUpkeep(made, "begun"); err != nil {
		return "", err
	}
	did, err := u.packAll(ctx)
	outcome := did
	if err != nil {
		outcome = err.Error()
	}
	_ = u.markUpkeep(made, outcome) // it says the same as the answer
	return did, err
}

func (u *Upkeep) packAll(ctx context.Context) (string, error) {
	if u.repo.GcAtWork() {
		return "nothing to pack: git gc is running and packs too", nil
	}
	p := &backup.Packer{S: u.backup, Made: map[string]bool{}}
	did, err := p.Run(ctx)
	if err != nil {
		return "", err
	}
	return did, part.Join(u.backup.SyncBackup(ctx), u.parts.Each(func(p part.Part) error { return p.Upkeep(ctx) }))
}
