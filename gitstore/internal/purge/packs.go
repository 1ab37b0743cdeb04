package purge

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/backup"
	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/ledger"
	"github.com/git-sage/git-sage/gitstore/internal/packs"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/rewritten"
)

// remove removes objects for good: loose ones, and from packs, which are written
// anew with all the rest in them. It returns how many it removed from somewhere.
func (pu *Purger) remove(ctx context.Context, ids map[string]bool) (int, error) {
	if len(ids) == 0 {
		return 0, nil
	}
	pu.repo.AwaitGC(ctx)
	removed := map[string]bool{}
	begun := pu.readPurging()
	begun.objects = ids
	if err := pu.keepPurging(begun); err != nil {
		return 0, err
	}
	if err := pu.emptyPacks(ctx, ids, removed); err != nil {
		return len(removed), fmt.Errorf("remove objects from packs: %w", err)
	}
	now := time.Now().Add(time.Hour) // whoever refreshed one a moment ago writes it again
	for _, id := range slices.Sorted(keysOf(ids)) {
		did, err := pu.repo.Objects.RemoveOld(id, now)
		if err != nil {
			return len(removed), fmt.Errorf("remove object %s: %w", record.Short(id), err)
		}
		if did {
			removed[id] = true
		}
	}
	return len(removed), nil
}

// emptyPacks writes packs anew that hold any of ids. One that is to be kept, or
// was promised by a remote, stays as it is.
func (pu *Purger) emptyPacks(ctx context.Context, ids, removed map[string]bool) error {
	dir := filepath.Join(pu.repo.Where.Objects, "pack")
	files, err := fsx.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	p := &backup.Packer{S: pu.backup, Made: map[string]bool{}}
	if err := p.Recover(ctx); err != nil {
		return err
	}
	if g := pu.readPurging(); g.pack != "" {
		if err := pu.dropPack(ctx, p, g.pack); err != nil {
			return err
		}
	}
	for _, f := range files {
		name, isIndex := strings.CutSuffix(f.Name(), ".idx")
		if !isIndex || p.Has(name, ".keep") || p.Has(name, ".promisor") || !p.Has(name, ".pack") {
			continue
		}
		x, err := packs.Read(p.Path(name)+".idx", pu.repo.IDSize())
		if err != nil {
			return err
		}
		var rest strings.Builder
		out := 0
		for i := range x.Len() {
			if id := x.ID(i); ids[id] {
				out++
				removed[id] = true
			} else {
				rest.WriteString(id + "\n")
			}
		}
		if out == 0 {
			continue
		}
		if err := pu.replacePack(ctx, p, name, rest.String(), x, ids); err != nil {
			return err
		}
	}
	return nil
}

// replacePack makes a pack without ids in the place of one with them.
func (pu *Purger) replacePack(ctx context.Context, p *backup.Packer, name, rest string, old *packs.Index, ids map[string]bool) error {
	ours := slices.Contains(pu.backup.OurPacks(), name)
	p.Unlisted, p.Without = !ours, ids
	made, err := p.Pack(ctx, strings.NewReader(rest), []*packs.Index{old})
	if err != nil {
		return err
	}
	if st, err := fsx.Stat(p.Path(name) + ".pack"); err == nil && made != "" {
		for _, ext := range []string{".pack", ".idx"} {
			_ = fsx.Touch(p.Path(made)+ext, st.ModTime()) // what is old in it stays old for a prune
		}
	}
	if err := pu.keepPurging(purging{objects: ids, pack: name}); err != nil {
		return err
	}
	return pu.dropPack(ctx, p, name)
}

// dropPack removes a pack that another took the place of.
func (pu *Purger) dropPack(ctx context.Context, p *backup.Packer, name string) error {
	several, err := pu.dropMultiIndex(p)
	if err != nil {
		return err
	}
	for _, ext := range []string{".idx", ".bitmap", ".rev", ".mtimes", ".pack"} {
		if err := fsx.Remove(p.Path(name) + ext); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	if several {
		err = pu.runRecorded(ctx, nil, []string{p.Path("multi-pack-index")}, "multi-pack-index", "write")
	}
	return cmp.Or(err, fsx.SyncDir(p.Dir()))
}

// A purging is what a purge has begun to remove: so much is written down before
// it begins that the next one finishes it.
type purging struct {
	objects map[string]bool
	pack    string // whose place another took
}

func (pu *Purger) PurgingFile() string { return pu.repo.Dir("purging") }

func (pu *Purger) keepPurging(g purging) error {
	var b strings.Builder
	if g.pack != "" {
		b.WriteString(g.pack + "\n")
	}
	for _, id := range slices.Sorted(keysOf(g.objects)) {
		b.WriteString(id + "\n")
	}
	return fsx.WriteFile(pu.PurgingFile(), []byte(b.String()), 0o644)
}

func (pu *Purger) readPurging() purging {
	g := purging{objects: map[string]bool{}}
	b, err := fsx.ReadOwn(pu.PurgingFile())
	if err != nil {
		return g
	}
	for l := range strings.Lines(string(b)) {
		l = strings.TrimSuffix(l, "\n")
		if sum, ok := strings.CutPrefix(l, "pack-"); ok && rewritten.IsID(sum) {
			g.pack = l
		} else if rewritten.IsID(l) {
			g.objects[l] = true
		}
	}
	return g
}

// dropMultiIndex removes the index of several packs, which names one that goes;
// git does without until it is written again.
func (pu *Purger) dropMultiIndex(p *backup.Packer) (there bool, err error) {
	files, err := fsx.ReadDir(p.Dir())
	for _, f := range files {
		if strings.HasPrefix(f.Name(), "multi-pack-index") && !strings.HasSuffix(f.Name(), ".lock") {
			there = true
			err = cmp.Or(err, fsx.RemoveAll(p.Path(f.Name())))
		}
	}
	return there, err
}

// regraph writes the graph of commits anew where there is one: it may name what
// is gone, which git fsck takes for damage.
func (pu *Purger) regraph(ctx context.Context) error {
	info := filepath.Join(pu.repo.Where.Objects, "info")
	_, one := fsx.Lstat(filepath.Join(info, "commit-graph"))
	_, chain := fsx.Lstat(filepath.Join(info, "commit-graphs", "commit-graph-chain"))
	if one != nil && chain != nil {
		return nil
	}
	args := []string{"commit-graph", "write", "--reachable"}
	if chain == nil {
		args = append(args, "--split=replace")
	}
	files := []string{filepath.Join(info, "commit-graph"), filepath.Join(info, "commit-graphs", "commit-graph-chain")}
	err := pu.runRecorded(ctx, nil, files, args...)
	if lock := ledger.LockIn(err); lock != "" {
		return fmt.Errorf("write the commit-graph: '%s' is in the way; delete it if no git is running here", lock)
	}
	if err != nil {
		return fmt.Errorf("write the commit-graph: %w; run 'git commit-graph write --reachable'", err)
	}
	return nil
}
