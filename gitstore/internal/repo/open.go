package repo

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/discover"
	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/gitconfig"
	"github.com/git-sage/git-sage/gitstore/internal/identity"
	"github.com/git-sage/git-sage/gitstore/internal/loose"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/worktree"
	"github.com/git-sage/git-sage/gitstore/redact"
	"github.com/git-sage/git-sage/gitstore/sage"
)

// Open finds the repository that o names. It returns discover.ErrNotRepository if there is none;
// what git says against one, such as a foreign owner, is passed on.
func Open(ctx context.Context, o Options) (*Repo, error) {
	o = o.withDefaults()
	run, err := runner(&o)
	if err != nil {
		return nil, err
	}
	dirs := discover.Guess(o.Dir)
	rp := &Repo{Options: o}
	rp.Git, rp.end = run.Watch(func() error { return dirs.Stuck(run.Env()) }).Together(ctx)
	rp.Where, _ = discover.Plain(o.Dir, o.Global, rp.Git.Env())
	rp.dirty = func() bool { return rp.isDirty(ctx)() }
	rp.Settings = gitconfig.Read(ctx, rp.Where, func() *git.Runner { return rp.Git })
	if err = rp.find(ctx); err == nil {
		err = rp.refuseLinks()
	}
	if err != nil {
		rp.end()
		return nil, err
	}
	rp.Batch = rp.Git.Batch()
	rp.Objects = loose.Store{Dir: rp.Where.Objects, Format: rp.Where.Format}
	rp.People = identity.New(rp.Git, o.Env, o.Redact, rp.Config)
	rp.UserFiles = worktree.New(rp.Where.Top, rp.Git, rp.Object, rp.redacted, rp.Unfiltered, rp.SHA256())
	if o.Writing {
		rp.dirty = rp.isDirty(ctx)
	}
	rp.FolderHere = sync.OnceValue(rp.findFolder)
	return rp, nil
}

// redacted is a text without secrets; "" where that cannot be known.
func (rp *Repo) redacted(text string) string {
	clean, _, err := rp.Options.Redact.Text(text)
	if err != nil {
		return ""
	}
	return clean
}

// Close ends what was started for the repository, also a git that hangs.
func (rp *Repo) Close() error {
	rp.end()
	rp.Looks.Wait() // not long: their gits are ended
	return rp.Batch.Close()
}

// find lets git find a repository that is not plain to see.
func (rp *Repo) find(ctx context.Context) error {
	if rp.Where.Plain {
		rp.Code = sync.OnceValue(func() sage.CodeState { return rp.headState(ctx) })
		return nil
	}
	env := rp.Git.Env()
	d, err := discover.Ask(ctx, rp.Git)
	if err != nil && !rp.Options.Global {
		rp.Git, d, err = discover.RetryBare(ctx, rp.Git, err)
	}
	if errors.Is(err, discover.ErrNotRepository) && !rp.Options.Global {
		err = discover.NoPlace(rp.Options.Dir, env)
	}
	rp.Where = d
	rp.Code = func() sage.CodeState { return d.Code }
	return err
}

// ownFolders are the folders in sage that are written to, and removed from.
var ownFolders = []string{
	"", "cache", "cache/given", "cache/recalled", "sessions", "branches", "wanted", "continuity", "folders", "writers", "repairs",
	"vault", "cache/vault",
	"backup.git", "backup.git/objects", "backup.git/refs", "private.git", "private.git/objects", "private.git/refs",
}

// refuseLinks refuses a repository in which a folder of ours is a symbolic link:
// one that came in an archive would have us write among the user's own files.
func (rp *Repo) refuseLinks() error {
	dirs := []string{rp.WorktreeDir()}
	for _, name := range ownFolders {
		dirs = append(dirs, rp.Dir(filepath.FromSlash(name)))
	}
	for _, dir := range dirs {
		if st, err := fsx.Lstat(dir); err == nil && st.Mode()&os.ModeSymlink != 0 {
			return fmt.Errorf("'%s' is a symbolic link; remove it", dir)
		}
	}
	return nil
}

// Early starts f at once and returns how to wait for it.
func Early[T any](f func() T) func() T {
	ch := make(chan T, 1)
	go func() { ch <- f() }()
	return sync.OnceValue(func() T { return <-ch })
}

// headState says where the user's code stands. In a plain repository the files
// tell. On an unborn HEAD only the branch is known.
func (rp *Repo) headState(ctx context.Context) sage.CodeState {
	d := rp.Where
	c := sage.CodeState{Branch: discover.HeadBranch(ctx, rp.Git, d.GitDir)}
	if b, err := fsx.ReadFile(filepath.Join(d.GitDir, "HEAD")); err == nil && record.IsHex(git.Text(b)) {
		c.Commit = git.Text(b)
	} else if c.Branch != "" {
		c.Commit, _ = rp.Tip(ctx, "refs/heads/"+c.Branch) // else it is unborn, or cannot be read
	}
	return c
}

func (o Options) withDefaults() Options {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.After == nil {
		o.After = time.After
	}
	if o.Redact == nil {
		o.Redact = redact.Default()
	}
	if o.Dir == "" {
		o.Dir = "."
	}
	if abs, err := filepath.Abs(o.Dir); err == nil {
		o.Dir = abs
	}
	return o
}

// Session is the session of the agent on whose behalf this is; "" is a person at a shell.
func (rp *Repo) Session() string { return rp.Options.Session }

// GitDir is the git directory of this work tree.
func (rp *Repo) GitDir() string { return rp.Where.GitDir }

// CommonDir is the git directory that all work trees of the repository share.
func (rp *Repo) CommonDir() string { return rp.Where.CommonDir }

// Top is the top of the work tree, or "" if there is none.
func (rp *Repo) Top() string { return rp.Where.Top }

// Anchor is a folder from which the repository is found when this work tree is gone: the
// main work tree, or the git directory where there is none.
func (rp *Repo) Anchor() string {
	if top, name := filepath.Split(rp.Where.CommonDir); name == ".git" {
		return filepath.Clean(top)
	}
	return rp.Where.CommonDir
}

// Folder is our own folder beside git's objects.
func (rp *Repo) Folder() string { return rp.Dir() }

func (rp *Repo) Dir(elem ...string) string {
	return filepath.Join(append([]string{rp.Where.CommonDir, "sage"}, elem...)...)
}

// WorktreeDir is our own folder of this work tree.
func (rp *Repo) WorktreeDir(elem ...string) string {
	return filepath.Join(append([]string{rp.Where.GitDir, "sage"}, elem...)...)
}
