package backup

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/journal"
	"github.com/git-sage/git-sage/gitstore/internal/loose"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
)

// `git prune --expire=now`, and a gc with --prune=now, look first at what refs reach and
// remove what is not among that, which takes from milliseconds to minutes. What is saved
// in between goes, however new it is and although a ref points to it: git says of that
// option that it is unsafe beside a writer, and leaves no sign by which a save could see
// it. The backup has it all: a prune does not go there. So who is about to build on what
// is gone takes it back and goes on.

const (
	// takeBackWait bounds the wait for a purge, which removes what must not come back.
	takeBackWait = 5 * time.Second
	// fewTaken is up to how many objects come back as files of their own. More come in a
	// pack, in less time.
	fewTaken = 300
)

// Recover brings back from the backup what our refs reach and git lacks, and returns how
// many objects those were. It looks at what came since the backup was packed last, which
// git has in packs, too, and at all if everything is set and that was whole.
func (bk *Backup) Recover(ctx context.Context, everything bool) (n int, err error) {
	return bk.takeBackWithin(ctx, takeBackWait, everything)
}

// takeBackWithin is Recover that waits so long for a purge.
func (bk *Backup) takeBackWithin(ctx context.Context, most time.Duration, everything bool) (n int, err error) {
	if !fsx.IsFolder(bk.BackupObjectsDir()) {
		return 0, nil
	}
	wait, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	l, err := bk.LockUpkeep(wait)
	if err != nil {
		return 0, err
	}
	defer l.Unlock()
	defer func() { _ = bk.repo.Batch.Close() }() // it remembers what was missing, also what others took back
	packed := slices.Sorted(maps.Values(bk.BackupRefs(bk.BackupDir())))
	if n, err = bk.takeBackFrom(ctx, packed); n == 0 && err == nil && everything && len(packed) > 0 {
		n, err = bk.takeBackFrom(ctx, nil)
	}
	bk.back.Add(int64(n))
	return n, err
}

// takeBackFrom is Recover of what is not reached by the commits of whole.
func (bk *Backup) takeBackFrom(ctx context.Context, whole []string) (int, error) {
	refs, err := bk.OurTips(ctx)
	if err != nil {
		return 0, err
	}
	ids, err := bk.Reached(ctx, bk.Lend(bk.BackupDir(), true), refs, whole)
	if err != nil {
		return 0, err
	}
	here, err := bk.Present(ctx, bk.repo.Git, ids)
	if err != nil || len(here) == len(ids) {
		return 0, err
	}
	has := make(map[string]bool, len(here))
	for _, id := range here {
		has[id] = true
	}
	lacking := slices.DeleteFunc(ids, func(id string) bool { return has[id] })
	if len(lacking) > fewTaken {
		return len(lacking), bk.bring(ctx, lacking)
	}
	from, err := bk.OpenSpare("")
	if err != nil {
		return 0, err
	}
	defer from.Close()
	var objects []loose.Object
	for _, id := range lacking {
		if o, err := from.Get(id); err == nil {
			objects = append(objects, loose.Object{ID: id, Type: o.Type, Data: o.Data})
		}
	}
	return len(objects), bk.Put(ctx, objects...)
}

// TookBack says once what was taken back since it was asked last.
func (bk *Backup) TookBack() []string {
	n := bk.back.Swap(0)
	if n == 0 {
		return nil
	}
	return []string{fmt.Sprintf("git had lost %s; restored from the backup ('git prune --expire=now' during a save can cause this)", legible.Count(int(n), "object"))}
}

// IsBackedUp reports whether the backup has an object that git lacks.
func (bk *Backup) IsBackedUp(id string) bool {
	if !bk.repo.IsID(id) {
		return false
	}
	from, err := bk.OpenSpare("")
	if err != nil {
		return false
	}
	defer from.Close()
	_, err = from.Get(id)
	return err == nil
}

// A list of what was written lately lets a writer see what is gone: a few hundred names of
// files are looked for in less than half a millisecond. Ids of objects, one a line, the
// newest at the end; what is packed need not stand in it.

const (
	// FreshTail is how much of it is looked at, in bytes: 200 objects, some 60 saves.
	FreshTail = 8 << 10
	freshMost = 8 * FreshTail // from where on it is cut
)

func (bk *Backup) FreshFile() string { return bk.repo.Dir("cache", "fresh") }

// NoteFresh notes objects that were written. Where that fails, nobody looks for them
// before a walk over all does.
func (bk *Backup) NoteFresh(objects []loose.Object) {
	var b strings.Builder
	for _, o := range objects {
		b.WriteString(o.ID + "\n")
	}
	if b.Len() == 0 {
		return
	}
	size, err := fsx.Append(bk.FreshFile(), []byte(b.String()))
	if err == nil && size > freshMost {
		_ = bk.PruneFresh(func(ids []string) []string { return ids })
	}
}

// Fresh lists the newest of what was written lately, of the last so many bytes.
func (bk *Backup) Fresh(tail int) []string {
	b, _, _ := fsx.ReadEnd(bk.FreshFile(), int64(tail))
	return bk.freshIn(b)
}

func (bk *Backup) freshIn(b []byte) (ids []string) {
	for l := range strings.Lines(string(b)) {
		if id := strings.TrimSuffix(l, "\n"); bk.repo.IsID(id) { // the first may be half of one
			ids = append(ids, id)
		}
	}
	return ids
}

// PruneFresh lets keep choose what stays of the list. What others note meanwhile stays,
// also if it is what goes: somebody wrote it again. While one does so, no other does: it
// reports whether keep was asked.
func (bk *Backup) PruneFresh(keep func(ids []string) []string) bool {
	file := bk.FreshFile()
	now, cancel := context.WithCancel(context.Background())
	cancel()
	l, busy, err := fsx.TryLock(now, bk.repo.Dir("fresh.lock")) // beside the others: a lock in cache/ would pass for one that was left
	if err != nil || busy && l == nil {
		return false
	}
	defer l.Unlock()
	b, err := fsx.ReadLines(file)
	if err != nil {
		return false
	}
	stays := keep(bk.freshIn(b[max(0, len(b)-FreshTail):]))
	_ = fsx.Supersede(file, []byte(strings.Join(append(stays, ""), "\n")), int64(len(b)), fsx.WriteDerived)
	return true
}

// Turn is queue for who is about to build on what is there. Of that it takes back what a
// prune took since.
func (bk *Backup) Turn(ctx context.Context) (done func()) {
	done = bk.repo.Queue(ctx)
	bk.restock(ctx, takeBackWait)
	return done
}

// restock looks for what was written lately, and takes back what is gone. It waits so long
// for a purge.
func (bk *Backup) restock(ctx context.Context, most time.Duration) {
	gone := bk.notLoose(bk.Fresh(FreshTail))
	if len(gone) == 0 {
		return
	}
	if !bk.PruneFresh(func(ids []string) []string {
		settled := bk.settled(ctx, bk.notLoose(ids), most)
		return slices.DeleteFunc(ids, func(id string) bool { return slices.Contains(settled, id) })
	}) {
		bk.settled(ctx, gone, most)
	}
}

// settled takes back what is gone of these objects, and returns those that nobody needs
// to look for any more.
func (bk *Backup) settled(ctx context.Context, ids []string, most time.Duration) []string {
	packed, err := bk.Present(ctx, bk.repo.Git, ids)
	if err != nil || len(packed) == len(ids) {
		return packed
	}
	switch n, err := bk.takeBackWithin(ctx, most, false); {
	case err != nil: // the next one looks again
		return nil
	case n == 0: // no ref of ours reaches the rest: who is about to move one notes it again
		return ids
	}
	return packed
}

// notLoose are those that do not lie in a file of their own.
func (bk *Backup) notLoose(ids []string) []string {
	return slices.DeleteFunc(slices.Clone(ids), func(id string) bool {
		_, err := fsx.Lstat(bk.repo.ObjectFile(id))
		return err == nil
	})
}

// freshGlance is how many objects a reader looks for: those of the last few saves. Who
// saved before those has taken back what was gone then.
const freshGlance = 12

// TakeBack is for who is about to read: it looks for what the last few saves wrote, takes
// 0.02 ms if that is there, and else takes back from the backup what was written lately
// and is gone, as a prune takes it beside a save. It says so in words, once.
func (bk *Backup) TakeBack(ctx context.Context) []string {
	if !bk.Glance(ctx) {
		return nil
	}
	return bk.TookBack()
}

// Glance is TakeBack without words. It reports whether anything was gone, or packed.
func (bk *Backup) Glance(ctx context.Context) bool {
	if len(bk.notLoose(bk.Fresh(freshGlance*(len(bk.repo.Objects.Zero())+1)))) == 0 {
		return false
	}
	bk.restock(ctx, 0)
	return true
}

// Healing does what changes the memory, and does it once more if it failed for want of
// objects that the backup has.
func Healing[T any](ctx context.Context, s *Backup, do func() (T, error)) (T, error) {
	out, err := do()
	if !maybeLacking(err) {
		return out, err
	}
	n, terr := s.Recover(ctx, !errors.Is(err, repo.ErrNotFound))
	if terr != nil || n == 0 && !isLacking(err) { // what is lacking another may have taken back
		return out, err
	}
	return do()
}

// maybeLacking reports whether an error may come of missing objects: somebody looked for
// one in vain, a ref seems to have lost what it reached, or git failed.
func maybeLacking(err error) bool {
	var lost *journal.LostError
	var failed *git.Error
	return isLacking(err) || errors.Is(err, repo.ErrNotFound) || errors.As(err, &lost) || errors.As(err, &failed)
}

func isLacking(err error) bool { return errors.Is(err, git.ErrMissing) || errors.Is(err, repo.ErrGone) }
