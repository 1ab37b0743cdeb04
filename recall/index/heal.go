package index

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/git-sage/git-sage/recall/index/disk"
	"github.com/git-sage/git-sage/recall/index/internal/list"
)

// healed makes sure that what is damaged is not met again, if err says that something
// is: with a document segment all documents go, since an update alone would not bring
// back what was in it, with one of vectors only those. It returns err, as an ErrDamaged
// if it is one.
func (x *segments) healed(err error) error {
	if isFault(err) {
		err = fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	if errors.Is(err, ErrDamaged) {
		x.heal(err)
	}
	return err
}

// told says what was done when it failed.
func (x *segments) told(err error) error {
	if err != nil {
		err = fmt.Errorf("read index: %w", x.healed(err))
	}
	return err
}

// isFault reports whether memory went away under a reader.
func isFault(err error) bool {
	var f interface{ Addr() uintptr }
	return errors.As(err, &f)
}

func (x *segments) heal(err error) {
	x.mu.Lock()
	docs, vecs := x.condemn(err)
	x.why = err.Error()
	x.drop()
	x.mu.Unlock()
	ctx := context.Background()
	if docs {
		x.rewrite(ctx, x.docs, func(l list.List) (list.List, bool) {
			return list.List{}, slices.ContainsFunc(l.Names, x.isBad)
		})
	}
	if vecs {
		x.rewrite(ctx, x.vecs, func(l list.List) (list.List, bool) {
			n := len(l.Names)
			l.Names = slices.DeleteFunc(l.Names, x.isBad)
			return l, len(l.Names) < n
		})
	}
}

// condemn looks for the damaged segments. Where none is, but something was, all
// documents are.
func (x *segments) condemn(why error) (docs, vecs bool) {
	for _, s := range x.segs {
		if err := disk.Guard(s.B.Verify); err != nil {
			docs = true
			x.met(filepath.Base(s.Name), err)
		}
	}
	for _, v := range x.vsegs {
		if err := disk.Guard(v.B.Verify); err != nil {
			vecs = true
			x.met(filepath.Base(v.Name), err)
		}
	}
	if !docs && !vecs {
		for _, s := range x.segs {
			docs = true
			x.met(filepath.Base(s.Name), why)
		}
	}
	return docs, vecs
}

// met remembers damage: of a segment, which no list may name from then on, or of a
// list itself.
func (x *segments) met(segment string, why error) {
	x.why = why.Error()
	x.forgetWhole()
	if segment != "" && x.bad[segment] {
		return
	}
	if segment != "" {
		x.bad[segment] = true
	}
	x.lost++
}

// damagedOf are the names of damaged segments of a sort.
func (x *segments) damagedOf(c list.Catalog) (names []string) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	for name := range x.bad {
		if c.IsName(name) {
			names = append(names, name)
		}
	}
	return names
}

func (x *segments) isBad(name string) bool {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.bad[name]
}

// rewrite changes a list, if it can: other processes meet the damage as well, and
// this one remembers it.
func (x *segments) rewrite(ctx context.Context, c list.Catalog, change func(list.List) (list.List, bool)) {
	lock, err := c.LockList(ctx)
	if err != nil {
		return
	}
	defer lock.Unlock()
	raw, err := c.Raw()
	if err != nil {
		return
	}
	l, err := c.Parse(raw)
	if err != nil {
		return
	}
	names := slices.Clone(l.Names)
	if next, changed := change(l); changed && c.WriteList(next) == nil {
		for _, name := range names {
			if !slices.Contains(next.Names, name) {
				_ = c.Remove(name)
			}
		}
	}
}
