package gitstore

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/loose"
)

// The folder sage/private.git is a bare repository of its own, so that no push of the
// user's carries conversations off, not even one of everything. It is its owner's alone.
//
// As with the backup we write its few files ourselves and never run git in it: its
// folder of objects is lent to a git that runs in the user's repository, and no config
// in it is ever read. There is one writer at a time, which has the lock; a ref is
// replaced whole, behind the objects that it leads to.

// privateDir is a path in the repository of conversations.
func (s *Store) privateDir(elem ...string) string {
	return s.dir(append([]string{"private.git"}, elem...)...)
}

// conversationsPrefix begins the refs there: one for each session.
const conversationsPrefix = "refs/sage/conversations/"

// lockPrivate waits until nobody else writes there. Where files cannot be locked there is
// nothing to wait for: what comes of two writers is that one keeps its part later.
func (s *Store) lockPrivate(ctx context.Context) (done func(), err error) {
	l, waited, err := fsx.TryLock(ctx, s.dir("private.lock"))
	if err == nil && l == nil && waited {
		err = fmt.Errorf("another process keeps conversations here: %w", context.Cause(ctx))
	}
	if err != nil {
		return nil, fmt.Errorf("lock %s: %w", s.dir("private.lock"), err)
	}
	if err := s.settlePrivate(); err != nil {
		l.Unlock()
		return nil, err
	}
	return l.Unlock, nil
}

// settlePrivate ends what a purge began that was killed while it put a clean repository in
// the place of the old one: see replacePrivate.
func (s *Store) settlePrivate() error {
	fresh, gone := s.privateDir()+".new", s.privateDir()+".gone"
	if _, err := fsx.Lstat(gone); err == nil {
		if _, err := fsx.Lstat(s.privateDir()); errors.Is(err, fs.ErrNotExist) {
			if err := fsx.Rename(fresh, s.privateDir()); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
	}
	for _, dir := range []string{fresh, gone} {
		if err := fsx.RemoveAll(dir); err != nil {
			return err
		}
	}
	return nil
}

// replacePrivate puts fresh, which is whole, in the place of the repository. The old one
// is there until the new one is.
func (s *Store) replacePrivate(fresh string) error {
	gone := s.privateDir() + ".gone"
	if err := fsx.SyncDir(fresh); err != nil {
		return err
	}
	if err := fsx.Rename(s.privateDir(), gone); err != nil {
		return err
	}
	if err := fsx.Rename(fresh, s.privateDir()); err != nil {
		return err
	}
	if err := fsx.SyncDir(s.dir()); err != nil {
		return err
	}
	return fsx.RemoveAll(gone)
}

// makePrivate makes the repository if it is not there, for its owner alone: what is made
// in it is for those whom it is for.
func (s *Store) makePrivate(dir string) error {
	if err := fsx.Mkdir(filepath.Dir(dir)); err != nil {
		return err
	}
	if err := fsx.MkdirOne(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return s.makeBackup(dir)
}

// privateObjects is the folder of objects of the repository at dir.
func (s *Store) privateObjects(dir string) loose.Store {
	return loose.Store{Dir: filepath.Join(dir, "objects"), Format: s.objects.Format, Durable: s.durable()}
}

// privateGit is a git that reads the objects of the repository, and nothing else.
func (s *Store) privateGit() *git.Runner { return s.lend(s.privateDir(), false) }

// privateRefs are its refs, sorted by name. A file that cannot be one is none; fsck names it.
func (s *Store) privateRefs() (refs []ref, err error) {
	known := map[string]string{}
	b, _ := fsx.ReadOwn(s.privateDir("packed-refs")) // a person's git may have packed them
	for l := range bytes.Lines(b) {
		if id, name, ok := strings.Cut(text(l), " "); ok && s.isID(id) && strings.HasPrefix(name, conversationsPrefix) {
			known[name] = id
		}
	}
	list, err := fsx.ReadDir(s.privateDir(filepath.FromSlash(conversationsPrefix)))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, e := range list {
		name := conversationsPrefix + e.Name()
		if b, err := fsx.ReadOwn(s.privateDir(filepath.FromSlash(name))); err == nil && s.isID(text(b)) {
			known[name] = text(b)
		}
	}
	for name, id := range known {
		refs = append(refs, ref{name, id})
	}
	slices.SortFunc(refs, func(a, b ref) int { return strings.Compare(a.name, b.name) })
	return refs, nil
}

// setPrivateRef moves a ref of the repository at dir, durably.
func setPrivateRef(dir, name, id string) error {
	return fsx.WriteFile(filepath.Join(dir, filepath.FromSlash(name)), []byte(id+"\n"), 0o600)
}
