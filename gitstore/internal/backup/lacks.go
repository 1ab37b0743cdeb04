package backup

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/loose"
)

// A save puts what it writes into the backup. What comes into our refs by other ways,
// a fetch or a version that had no backup, is looked for here.

// Lacking lists objects that our refs reach and that are here, but not in the backup.
// It looks at so many of the newest commits behind what the backup was last packed
// with; 0 is all. 1,000 take 20 ms.
func (bk *Backup) Lacking(ctx context.Context, most int) ([]string, error) {
	refs, err := bk.OurTips(ctx)
	if err != nil {
		return nil, err
	}
	dir := bk.BackupDir()
	var limit []string
	if most > 0 {
		limit = append(limit, fmt.Sprintf("--max-count=%d", most))
	}
	ids, err := bk.Reached(ctx, bk.repo.Git, refs, slices.Sorted(maps.Values(bk.BackupRefs(dir))), limit...)
	if err != nil {
		return nil, err
	}
	var there []string
	if fsx.IsFolder(bk.BackupObjectsDir()) {
		if there, err = bk.Present(ctx, bk.Lend(dir, false), ids); err != nil {
			return nil, err
		}
	}
	kept := make(map[string]bool, len(there))
	for _, id := range there {
		kept[id] = true
	}
	return bk.Present(ctx, bk.repo.Git, slices.DeleteFunc(ids, func(id string) bool { return kept[id] }))
}

// keepAtOnce is how many commits are brought into the backup by who waits for it, in
// some 0.3 s.
const keepAtOnce = 1000

// KeepFetched brings into the backup what our refs reach since a fetch was merged. It
// returns false if that is so much that it should be left to [upkeep.Upkeep.MaintainDue], in
// a process that nobody waits for, or if that or a purge is at work.
func (bk *Backup) KeepFetched(ctx context.Context) (bool, error) {
	once, cancel := context.WithCancel(ctx)
	cancel()
	l, err := bk.LockUpkeep(once) // a purge that ends meanwhile must not find again what it took away
	if errors.Is(err, ErrBusy) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer l.Unlock()
	ids, err := bk.Lacking(ctx, keepAtOnce+1)
	if err != nil || len(ids) > 3*keepAtOnce {
		return false, err
	}
	for _, id := range ids {
		if o, err := bk.repo.Object(id); err == nil {
			bk.BackupObjects(loose.Object{ID: o.ID, Type: o.Type, Data: o.Data})
		}
	}
	return true, ctx.Err()
}
