package transcripts

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
	"github.com/git-sage/git-sage/gitstore/internal/refname"
)

// The folder sage/private.git is a bare repository of its own, so that no push of the
// user's carries conversations off, not even one of everything. It is its owner's alone.
//
// As with the backup we write its few files ourselves and never run git in it: its
// folder of objects is lent to a git that runs in the user's repository, and no config
// in it is ever read. There is one writer at a time, which has the lock; a ref is
// replaced whole, behind the objects that it leads to.

// privateDir is a path in the repository of conversations.
func (t *Transcripts) privateDir(elem ...string) string {
	return t.repo.Dir(append([]string{"private.git"}, elem...)...)
}

// conversationsPrefix begins the refs there: one for each session.
const conversationsPrefix = "refs/sage/conversations/"

// lockPrivate waits until nobody else writes there. Where files cannot be locked there is
// nothing to wait for: what comes of two writers is that one keeps its part later.
func (t *Transcripts) lockPrivate(ctx context.Context) (done func(), err error) {
	l, waited, err := fsx.TryLock(ctx, t.repo.Dir("private.lock"))
	if err == nil && l == nil && waited {
		err = fmt.Errorf("another process is saving conversations here: %w", context.Cause(ctx))
	}
	if err != nil {
		return nil, fmt.Errorf("lock %s: %w", t.repo.Dir("private.lock"), err)
	}
	if err := t.settlePrivate(); err != nil {
		l.Unlock()
		return nil, err
	}
	return l.Unlock, nil
}

// settlePrivate ends what a purge began that was killed while it put a clean repository in
// the place of the old one: see replacePrivate.
func (t *Transcripts) settlePrivate() error {
	fresh, gone := t.privateDir()+".new", t.privateDir()+".gone"
	if _, err := fsx.Lstat(gone); err == nil {
		if _, err := fsx.Lstat(t.privateDir()); errors.Is(err, fs.ErrNotExist) {
			if err := fsx.Rename(fresh, t.privateDir()); err != nil && !errors.Is(err, fs.ErrNotExist) {
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
func (t *Transcripts) replacePrivate(fresh string) error {
	gone := t.privateDir() + ".gone"
	if err := fsx.SyncDir(fresh); err != nil {
		return err
	}
	if err := fsx.Rename(t.privateDir(), gone); err != nil {
		return err
	}
	if err := fsx.Rename(fresh, t.privateDir()); err != nil {
		return err
	}
	if err := fsx.SyncDir(t.repo.Dir()); err != nil {
		return err
	}
	return fsx.RemoveAll(gone)
}

// makePrivate makes the repository if it is not there, for its owner alone: what is made
// in it is for those whom it is for.
func (t *Transcripts) makePrivate(dir string) error {
	if err := fsx.Mkdir(filepath.Dir(dir)); err != nil {
		return err
	}
	if err := fsx.MkdirOne(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return t.backup.MakeBackup(dir)
}

// privateObjects is the folder of objects of the repository at dir.
func (t *Transcripts) privateObjects(dir string) loose.Store {
	return loose.Store{Dir: filepath.Join(dir, "objects"), Format: t.repo.Objects.Format, Durable: t.backup.Durable()}
}

// privateGit is a git that reads the objects of the repository, and nothing else.
func (t *Transcripts) privateGit() *git.Runner { return t.backup.Lend(t.privateDir(), false) }

// privateRefs are its refs, sorted by name. A file that cannot be one is none; fsck names it.
func (t *Transcripts) privateRefs() (refs []refname.Ref, err error) {
	known := map[string]string{}
	b, _ := fsx.ReadOwn(t.privateDir("packed-refs")) // a person's git may have packed them
	for l := range bytes.Lines(b) {
		if id, name, ok := strings.Cut(git.Text(l), " "); ok && t.repo.IsID(id) && strings.HasPrefix(name, conversationsPrefix) {
			known[name] = id
		}
	}
	list, err := fsx.ReadDir(t.privateDir(filepath.FromSlash(conversationsPrefix)))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, e := range list {
		name := conversationsPrefix + e.Name()
		if b, err := fsx.ReadOwn(t.privateDir(filepath.FromSlash(name))); err == nil && t.repo.IsID(git.Text(b)) {
			known[name] = git.Text(b)
		}
	}
	for name, id := range known {
		refs = append(refs, refname.Ref{Name: name, ID: id})
	}
	slices.SortFunc(refs, func(a, b refname.Ref) int { return strings.Compare(a.Name, b.Name) })
	return refs, nil
}

// setPrivateRef moves a ref of the repository at dir, durably.
func setPrivateRef(dir, name, id string) error {
	return fsx.WriteFile(filepath.Join(dir, filepath.FromSlash(name)), []byte(id+"\n"), 0o600)
}
