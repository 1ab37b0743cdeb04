package index

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/git-sage/git-sage/recall/index/disk"
	"github.com/git-sage/git-sage/recall/index/internal/list"
	"github.com/git-sage/git-sage/recall/index/internal/segment"
	"github.com/git-sage/git-sage/recall/index/internal/vectors"
)

// Compact merges what single saves left, drops what nothing refers to and removes
// files that nobody uses. One process at a time does so, and it returns ErrBusy to the
// others; who saves meanwhile is not kept waiting.
func (x *Index) Compact(ctx context.Context) error {
	if x.docs.Withheld() {
		return nil // it ends with the index
	}
	lock, err := x.docs.Lock(done(ctx), "compact.lock")
	if err == nil && lock == nil {
		err = ErrBusy
	}
	if err != nil {
		return fmt.Errorf("compact index: %w", err)
	}
	defer lock.Unlock()
	own, err := openIn(x.docs.Folder, x.o) // so that searches here are not kept waiting
	if err != nil {
		return err
	}
	defer own.Close()
	c := compaction{own}
	for _, step := range []func(context.Context) error{c.compactDocs, c.compactVectors, c.sweep} {
		if err := step(ctx); err != nil {
			return fmt.Errorf("compact index: %w", own.healed(err))
		}
	}
	return x.refresh()
}

// done is a context that has ended, for a lock that is not waited for.
func done(ctx context.Context) context.Context {
	ctx, cancel := context.WithCancel(ctx)
	cancel()
	return ctx
}

// A compaction works on an index that nobody searches.
type compaction struct{ *Index }

// compactDocs makes one segment of all. What is saved meanwhile is behind it; what was
// merged meanwhile by a save makes the work void, and it is done again with the next
// call.
func (x compaction) compactDocs(ctx context.Context) error {
	var name string
	var old []string
	err := x.read(ctx, func() (err error) {
		if len(x.segs) == 0 || len(x.segs) == 1 && x.segs[0].Deads == 0 && x.segs[0].Size() == x.segs[0].Len() {
			return nil
		}
		old = slices.Clone(x.docsIn.Names)
		b, err := x.merged(x.segs, false)
		if err != nil {
			return err
		}
		name = x.docs.NewName()
		return x.docs.Write(name, func(w io.Writer) error { return b.Write(w, x.docs.ID) })
	})
	if err != nil || name == "" {
		return err
	}
	return x.swap(ctx, x.docs, old, name)
}

func (x compaction) compactVectors(ctx context.Context) error {
	var name string
	var old []string
	if x.o.Model == "" {
		return nil
	}
	err := x.read(ctx, func() error {
		used := map[segment.Hash]bool{}
		for _, s := range x.segs {
			for i := range s.Names {
				used[s.Names[i].Name] = true
			}
		}
		var rows []vectors.Named
		n := 0
		for i := len(x.vsegs) - 1; i >= 0; i-- {
			all, err := x.vsegs[i].All(func(h segment.Hash) bool { return used[h] })
			if err != nil {
				return err
			}
			rows, n = append(rows, all...), n+x.vsegs[i].Len()
		}
		if len(x.vsegs) < 2 && len(rows) == n {
			return nil
		}
		old = slices.Clone(x.vecsIn.Names)
		name = x.vecs.NewName()
		return x.vecs.Write(name, func(w io.Writer) error { return vectors.Write(w, x.vecs.ID, x.o.Dim, rows) })
	})
	if err != nil || name == "" {
		return err
	}
	return x.swap(ctx, x.vecs, old, name)
}

// swap puts one segment in the place of those that it was made of, if they are still
// the first of the list.
func (x compaction) swap(ctx context.Context, c list.Catalog, old []string, name string) error {
	lock, err := c.LockList(ctx)
	if err != nil {
		_ = c.Remove(name)
		return err
	}
	defer lock.Unlock()
	raw, err := c.Raw()
	if err != nil {
		return err
	}
	l, err := c.Parse(raw)
	if err != nil || len(l.Names) < len(old) || !slices.Equal(l.Names[:len(old)], old) {
		_ = c.Remove(name)
		return err
	}
	next := list.List{Tips: l.Tips, Names: append([]string{name}, l.Names[len(old):]...)}
	return x.replace(c, next, l.Names)
}

const (
	// leftover is how old a file that no list names must be before it is removed: its
	// writer may be about to name it.
	leftover = time.Hour
	// unused is how long the files of another version or model stay after they were
	// last compacted: whoever uses it may come back.
	unused = 30 * 24 * time.Hour
)

// sweep removes files that nobody uses.
func (x compaction) sweep(ctx context.Context) error {
	now := time.Now()
	for _, c := range []list.Catalog{x.docs, x.vecs} {
		_ = os.Chtimes(c.Path(c.File()), now, now)
	}
	files, err := os.ReadDir(x.docs.Dir())
	if err != nil {
		return err
	}
	age := map[string]time.Duration{}
	for _, f := range files {
		if st, err := f.Info(); err == nil {
			age[f.Name()] = now.Sub(st.ModTime())
		}
	}
	for name, old := range age {
		sort, ours := sortOf(name)
		if !ours || old < leftover {
			continue
		}
		if listed, ok := age[sort+".list"]; x.isLeft(name) || sort != "" && sort != x.docs.Prefix && sort != x.vecs.Prefix && (!ok || listed > unused) {
			_ = disk.Clear(x.docs.Path(name)) // whatever it is
		}
	}
	return ctx.Err()
}

// sortOf returns what the names of all files of a sort begin with, "" of those that
// are being written; ours is false for a file that the index did not make.
func sortOf(name string) (sort string, ours bool) {
	if strings.HasPrefix(name, disk.TempPrefix) {
		return "", true
	}
	base, ok := strings.CutSuffix(name, ".seg")
	if ok {
		base = base[:max(0, strings.LastIndexByte(base, '-'))]
	} else if base, ok = strings.CutSuffix(name, ".list"); !ok {
		base, ok = strings.CutSuffix(name, ".lock")
	}
	return base, ok && (strings.HasPrefix(base, "docs") || strings.HasPrefix(base, "vectors"))
}

// isLeft reports whether a file is one that was not finished, or that no list of ours
// names.
func (x compaction) isLeft(name string) bool {
	if strings.HasPrefix(name, disk.TempPrefix) {
		return true
	}
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.docs.IsName(name) && !slices.Contains(x.docsIn.Names, name) || x.vecs.IsName(name) && !slices.Contains(x.vecsIn.Names, name)
}
