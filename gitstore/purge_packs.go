package gitstore

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

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/packs"
)

// remove removes objects for good: loose ones, and from packs, which are written
// anew with all the rest in them. It returns how many it removed from somewhere.
func (s *Store) remove(ctx context.Context, ids map[string]bool) (int, error) {
	if len(ids) == 0 {
		return 0, nil
	}
	s.awaitGC(ctx)
	removed := map[string]bool{}
	begun := s.readPurging()
	begun.objects = ids
	if err := s.keepPurging(begun); err != nil {
		return 0, err
	}
	if err := s.emptyPacks(ctx, ids, removed); err != nil {
		return len(removed), fmt.Errorf("take objects out of packs: %w", err)
	}
	now := time.Now().Add(time.Hour) // whoever refreshed one a moment ago writes it again
	for _, id := range slices.Sorted(keysOf(ids)) {
		did, err := s.objects.RemoveOld(id, now)
		if err != nil {
			return len(removed), fmt.Errorf("remove object %s: %w", short(id), err)
		}
		if did {
			removed[id] = true
		}
	}
	return len(removed), nil
}

// emptyPacks writes packs anew that hold any of ids. One that is to be kept, or
// was promised by a remote, stays as it is.
func (s *Store) emptyPacks(ctx context.Context, ids, removed map[string]bool) error {
	dir := filepath.Join(s.where.objects, "pack")
	files, err := fsx.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	p := &packer{s: s, made: map[string]bool{}}
	if err := p.recover(ctx); err != nil {
		return err
	}
	if g := s.readPurging(); g.pack != "" {
		if err := s.dropPack(ctx, p, g.pack); err != nil {
			return err
		}
	}
	for _, f := range files {
		name, isIndex := strings.CutSuffix(f.Name(), ".idx")
		if !isIndex || p.has(name, ".keep") || p.has(name, ".promisor") || !p.has(name, ".pack") {
			continue
		}
		x, err := packs.Read(p.path(name)+".idx", s.idSize())
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
		if err := s.replacePack(ctx, p, name, rest.String(), x, ids); err != nil {
			return err
		}
	}
	return nil
}

// replacePack makes a pack without ids in the place of one with them.
func (s *Store) replacePack(ctx context.Context, p *packer, name, rest string, old *packs.Index, ids map[string]bool) error {
	ours := slices.Contains(s.ourPacks(), name)
	p.unlisted, p.without = !ours, ids
	made, err := p.pack(ctx, strings.NewReader(rest), []*packs.Index{old})
	if err != nil {
		return err
	}
	if st, err := fsx.Stat(p.path(name) + ".pack"); err == nil && made != "" {
		for _, ext := range []string{".pack", ".idx"} {
			_ = fsx.Touch(p.path(made)+ext, st.ModTime()) // what is old in it stays old for a prune
		}
	}
	if err := s.keepPurging(purging{objects: ids, pack: name}); err != nil {
		return err
	}
	return s.dropPack(ctx, p, name)
}

// dropPack removes a pack that another took the place of.
func (s *Store) dropPack(ctx context.Context, p *packer, name string) error {
	several, err := s.dropMultiIndex(p)
	if err != nil {
		return err
	}
	for _, ext := range []string{".idx", ".bitmap", ".rev", ".mtimes", ".pack"} {
		if err := fsx.Remove(p.path(name) + ext); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	if several {
		err = s.runRecorded(ctx, nil, []string{p.path("multi-pack-index")}, "multi-pack-index", "write")
	}
	return cmp.Or(err, fsx.SyncDir(p.dir()))
}

// A purging is what a purge has begun to remove: so much is written down before
// it begins that the next one finishes it.
type purging struct {
	objects map[string]bool
	pack    string // whose place another took
}

func (s *Store) purgingFile() string { return s.dir("purging") }

func (s *Store) keepPurging(g purging) error {
	var b strings.Builder
	if g.pack != "" {
		b.WriteString(g.pack + "\n")
	}
	for _, id := range slices.Sorted(keysOf(g.objects)) {
		b.WriteString(id + "\n")
	}
	return fsx.WriteFile(s.purgingFile(), []byte(b.String()), 0o644)
}

func (s *Store) readPurging() purging {
	g := purging{objects: map[string]bool{}}
	b, err := fsx.ReadOwn(s.purgingFile())
	if err != nil {
		return g
	}
	for l := range strings.Lines(string(b)) {
		l = strings.TrimSuffix(l, "\n")
		if sum, ok := strings.CutPrefix(l, "pack-"); ok && isID(sum) {
			g.pack = l
		} else if isID(l) {
			g.objects[l] = true
		}
	}
	return g
}

// dropMultiIndex removes the index of several packs, which names one that goes;
// git does without until it is written again.
func (s *Store) dropMultiIndex(p *packer) (there bool, err error) {
	files, err := fsx.ReadDir(p.dir())
	for _, f := range files {
		if strings.HasPrefix(f.Name(), "multi-pack-index") && !strings.HasSuffix(f.Name(), ".lock") {
			there = true
			err = cmp.Or(err, fsx.RemoveAll(p.path(f.Name())))
		}
	}
	return there, err
}

// regraph writes the graph of commits anew where there is one: it may name what
// is gone, which git fsck takes for damage.
func (s *Store) regraph(ctx context.Context) error {
	info := filepath.Join(s.where.objects, "info")
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
	err := s.runRecorded(ctx, nil, files, args...)
	if lock := lockIn(err); lock != "" {
		return fmt.Errorf("write the commit-graph: '%s' is in the way; delete it if no git is at work here", lock)
	}
	if err != nil {
		return fmt.Errorf("write the commit-graph: %w; 'git commit-graph write --reachable' does it", err)
	}
	return nil
}
