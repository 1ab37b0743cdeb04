package gitstore

import (
	"context"
	"fmt"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/loose"
)

// verify reads back what was written, after the ref moved and after any gc
// that ran meanwhile, and writes again what is gone. It does so while the gc runs,
// too: until then others find a ref that points to nothing.
func (s *Store) verify(ctx context.Context, objects ...loose.Object) error {
	s.whileGC(ctx, func() { _ = s.readBack(ctx, objects) }) // what fails is tried again
	return s.readBack(ctx, objects)
}

func (s *Store) readBack(ctx context.Context, objects []loose.Object) error {
	for _, o := range objects {
		if o.Data == nil || s.objects.Holds(o) {
			continue
		}
		if got, err := s.batch.Get(o.ID); err == nil && string(got.Data) == string(o.Data) {
			continue // packed meanwhile
		}
		if err := s.put(ctx, o); err != nil {
			return fmt.Errorf("write again what a gc removed: %w", err)
		}
		s.noteFresh([]loose.Object{o}) // the next prune may have looked before the ref moved, too
	}
	return nil
}

// put writes objects by the way that suits the repository.
func (s *Store) put(ctx context.Context, objects ...loose.Object) error {
	if s.isShared() {
		return s.putShared(ctx, objects)
	}
	to := s.objects
	to.Durable = s.durable()
	return to.Write(objects...)
}

func (s *Store) durable() bool { return s.flag("sage.durable", true) }

func isFalse(v string) bool {
	switch strings.ToLower(v) {
	case "", "0", "false", "no", "off", "umask":
		return true
	}
	return false
}

// isShared reports whether other users of this machine write to the repository, too.
func (s *Store) isShared() bool {
	v, _, ok := s.Config("core.sharedrepository")
	return ok && !isFalse(v)
}

// putShared lets git write, which knows the modes of a shared repository.
func (s *Store) putShared(ctx context.Context, objects []loose.Object) error {
	for _, o := range objects {
		out, err := s.git.Feed(ctx, o.Data, "-c", "core.fsync=loose-object,reference", "hash-object", "-w", "--no-filters", "--stdin", "-t", o.Type)
		if err != nil {
			return fmt.Errorf("write object %s: %w", o.ID, err)
		}
		if text(out) != o.ID {
			return fmt.Errorf("write object %s: git made %s of it", o.ID, text(out))
		}
		if err := s.objects.Settle(o.ID); err != nil {
			return fmt.Errorf("write object %s: %w", o.ID, err)
		}
	}
	return nil
}
