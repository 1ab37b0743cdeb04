package ledger

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/git"
)

// lockSpan is how long after its record a writer may still make a lock.
const lockSpan = 2 * git.Timeout

// clearWait bounds the wait for another who clears.
const clearWait = time.Second

// ClearLocks removes the locks that dead writers left, and their records, and says
// which. See writers.go for when a lock is one of theirs.
func (led *Ledger) ClearLocks() (said []string) {
	files, err := fsx.ReadDir(led.repo.Dir("writers"))
	if err != nil || len(files) == 0 {
		return nil
	}
	one := led.lockWriters()
	if one == nil {
		return nil
	}
	defer one.Unlock()
	live, dead, ok := led.writers(files)
	for left, w := range dead {
		if !ok || !w.here() {
			left.Release()
			continue
		}
		gone, more := led.clearOf(w, live)
		if said = append(said, gone...); more {
			left.Release()
			continue
		}
		left.Remove()
	}
	return said
}

// lockWriters keeps others from clearing; it is nil if one of them does.
func (led *Ledger) lockWriters() *fsx.Lock {
	ctx, cancel := context.WithTimeout(context.Background(), clearWait)
	defer cancel()
	one, _, err := fsx.TryLock(ctx, led.repo.Dir("writers.lock"))
	if err != nil {
		return nil
	}
	return one
}

// ClearDead is ClearLocks if there is the record of a process that is gone. Every
// writer asks, whatever ref it moves: a lock on another ref of ours would keep the
// user's own gc from packing refs until somebody moves that one. It costs 5 µs
// while git starts.
func (led *Ledger) ClearDead() (said []string) {
	files, _ := fsx.ReadDir(led.repo.Dir("writers"))
	for _, f := range files {
		pid, _, _ := strings.Cut(f.Name(), "-")
		if n, err := strconv.Atoi(pid); err == nil && !fsx.Alive(n) {
			return led.ClearLocks()
		}
	}
	return nil
}

// writers reads all records: those of the living, and the rest, which the caller
// holds. It is not ok if one cannot be read.
func (led *Ledger) writers(files []os.DirEntry) (live []writer, dead map[*fsx.Held]writer, ok bool) {
	dead, ok = map[*fsx.Held]writer{}, true
	for _, f := range files {
		if strings.HasSuffix(f.Name(), fsx.LinkSuffix) {
			continue
		}
		b, st, left, err := fsx.ReadHeld(led.repo.Dir("writers", f.Name()))
		if err != nil {
			ok = ok && errors.Is(err, fs.ErrNotExist) // it is done meanwhile
			continue
		}
		w, whole := parseWriter(b, st.ModTime())
		switch {
		case left == nil && whole:
			live = append(live, w)
		case left != nil && whole:
			dead[left] = w
		case left != nil: // git was not fed yet
			left.Remove()
		}
	}
	return live, dead, ok
}

// ClearBehind looks after a git that ended with err. One that was killed may have left its
// locks, as may one that was not let remove them, of which git only warns. Nobody else is to
// find them: they are removed, or the record stays, by which the next writer does.
func (led *Ledger) ClearBehind(rec *writerRecord, err error, ended *git.Waiting) {
	var e *git.Error
	killed := err != nil && (!errors.As(err, &e) || e.Code < 0)
	if (killed || ended.LeftLock()) && led.clearMine(rec) {
		rec.release()
	}
}

// clearMine removes the locks of a git of ours that is dead for sure: we waited for
// its end. It reports whether one may be left.
func (led *Ledger) clearMine(r *writerRecord) (more bool) {
	if r == nil || r.moves == nil && r.files == nil {
		return false
	}
	st, err := fsx.Stat(r.held.Name())
	if err != nil {
		return !errors.Is(err, fs.ErrNotExist)
	}
	one := led.lockWriters()
	if one == nil {
		return true
	}
	defer one.Unlock()
	_, more = led.clearOf(writer{moves: r.moves, files: r.files, at: st.ModTime()}, nil)
	return more
}

// clearOf removes the locks that w left. It reports whether one remains that may be
// w's or a live writer's, or cannot be removed now.
func (led *Ledger) clearOf(w writer, live []writer) (said []string, more bool) {
	locks := w.locks(led.repo.Where.CommonDir)
	for _, lock := range slices.Sorted(maps.Keys(locks)) {
		st, holds, ok := lockState(lock)
		if !ok || !w.mayHave(st, holds, locks[lock]) {
			continue
		}
		if slices.ContainsFunc(live, func(l writer) bool {
			id, names := l.locks(led.repo.Where.CommonDir)[lock]
			return names && l.mayHave(st, holds, id)
		}) {
			more = true
			continue
		}
		if led.unlink(lock, st) {
			said = append(said, fmt.Sprintf("removed '%s', left by a killed writer", filepath.ToSlash(lock)))
		} else if _, err := fsx.Lstat(lock); !errors.Is(err, fs.ErrNotExist) {
			more = true
		}
	}
	return said, more
}

// mayHave reports whether a lock in this state can be w's, which may write id.
func (w writer) mayHave(st os.FileInfo, holds, id string) bool {
	at := st.ModTime()
	return !at.Before(w.at) && at.Before(w.at.Add(lockSpan)) && (id == anything || strings.HasPrefix(id+"\n", holds))
}

func lockState(lock string) (st os.FileInfo, holds string, ok bool) {
	b, err := fsx.ReadOwn(lock)
	if err != nil {
		return nil, "", false
	}
	st, err = fsx.Lstat(lock)
	return st, string(b), err == nil
}

// unlink removes a lock if it still is the one that was looked at. Beside that of
// packed refs git has a file that it writes while it holds the lock, which goes
// first: without the lock anyone might be about to make it.
func (led *Ledger) unlink(lock string, seen os.FileInfo) bool {
	now, err := fsx.Lstat(lock)
	if err != nil || !os.SameFile(seen, now) || !seen.ModTime().Equal(now.ModTime()) || seen.Size() != now.Size() {
		return false
	}
	if name, packed := strings.CutSuffix(lock, "packed-refs.lock"); packed {
		_ = fsx.Remove(name + "packed-refs.new")
	}
	return fsx.Remove(lock) == nil
}
