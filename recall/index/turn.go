package index

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/git-sage/git-sage/recall/index/disk"
)

// Turn lets one process at a time do the long work, which is to make the vectors; the
// others get ErrBusy and need not do it. Searches and saves do not wait for it. The
// turn ends with the process at the latest.
func (x *Index) Turn(ctx context.Context) (end func(), err error) {
	return turnIn(ctx, x.docs.Folder)
}

func turnIn(ctx context.Context, d *disk.Folder) (end func(), err error) {
	lock, err := d.Lock(done(ctx), "turn.lock")
	if err == nil && lock == nil {
		err = ErrBusy
	}
	if err != nil {
		return nil, fmt.Errorf("index: %w", err)
	}
	return lock.Unlock, nil
}

// Busy reports whether a process has the turn.
func (x *Index) Busy(ctx context.Context) bool { return busy(x.Turn(ctx)) }

// Busy is [Index.Busy] of the index in dir, which need not be opened for that.
func Busy(ctx context.Context, dir string) bool { return busy(turnIn(ctx, disk.NewFolder(dir))) }

func busy(end func(), err error) bool {
	if err == nil {
		end()
	}
	return errors.Is(err, ErrBusy)
}

// retryAfter is when the long work is begun again that failed, though nothing has changed:
// a server of embeddings may answer again, a disk have room.
const retryAfter = 10 * time.Minute

// restOf names a state of things: that of the index, and what its owner says of git.
func (x *Index) restOf(git string) (string, error) {
	if err := x.refresh(); err != nil {
		return "", err
	}
	x.mu.RLock()
	defer x.mu.RUnlock()
	return fmt.Sprintf("%x", sha256.Sum256(fmt.Appendf(nil, "%q %q %q", x.docsIn.Raw, x.vecsIn.Raw, git))), nil
}

// Rest is for who has had the turn: as long as the index and git, of which the text tells,
// are as they are now, there is nothing left to do, or it failed with why. It is a hint,
// and where it cannot be written the next one begins again.
func (x *Index) Rest(git string, now time.Time, why error) {
	state, err := x.restOf(git)
	if err != nil {
		return
	}
	outcome := "done"
	if why != nil {
		outcome = "failed"
	}
	_ = x.vecs.Write(x.restFile(), func(w io.Writer) error {
		_, err := fmt.Fprintln(w, state, outcome, now.Unix())
		return err
	})
}

// Rests reports whether the long work need not be begun: nothing has changed since it was
// done, or since it failed less than ten minutes ago.
func (x *Index) Rests(git string, now time.Time) bool {
	b, err := x.vecs.Read(x.restFile())
	if err != nil {
		return false
	}
	var state, outcome string
	var at int64
	if n, _ := fmt.Sscan(strings.TrimSpace(string(b)), &state, &outcome, &at); n != 3 {
		return false
	}
	if current, err := x.restOf(git); err != nil || current != state {
		return false
	}
	age := now.Sub(time.Unix(at, 0))
	return outcome == "done" || 0 <= age && age < retryAfter
}
