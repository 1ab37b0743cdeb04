package gitstore

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/loose"
	"github.com/git-sage/git-sage/gitstore/redact"
	"github.com/git-sage/git-sage/gitstore/sage"
)

// A Store is the memory of one repository, opened on behalf of one person or
// session. Close it when done.
type Store struct {
	o       Options
	git     *git.Runner
	end     func() // ends every git that is still at work
	batch   *git.Batch
	objects loose.Store
	trees   treeCache
	where   discovery
	config  func() (*settings, error)
	code    func() sage.CodeState // where the user's code stands
	dirty   func() bool
	over    func(key string) (string, bool)

	folderHere func() folderLine // outside of git

	followed atomic.Pointer[func() following] // the line that goes with git's branch
	refollow func()                           // looks for it anew
	unsure   atomic.Bool                      // whether a look at the user's history took too long
	mu       sync.Mutex                       // orders the saves of this process

	back atomic.Int64 // objects that were taken back from the backup, and nobody was told of

	beforeWrite func(context.Context) error // before the knowledge is written: see adoptVersions

	tell atomic.Pointer[func(string)] // see Tell

	looks sync.WaitGroup // at refs, which may note something at their end

	trustMu                               sync.Mutex // guards what is below
	trustWord                             string     // see word
	ownLedger, vouchedLedger, begunLedger ledger
	left                                  *versions

	purgeMu    sync.Mutex // guards purgeIndex
	purgeIndex purgeIndex
}

// Open finds the repository that o names. It returns ErrNotRepository if there
// is none; what git says against one, such as a foreign owner, is passed on.
func Open(ctx context.Context, o Options) (*Store, error) {
	o = o.withDefaults()
	run, err := runner(&o)
	if err != nil {
		return nil, err
	}
	guess := guessDirs(o.Dir)
	s := &Store{o: o}
	s.git, s.end = run.Watch(func() error { return guess.stuck(run.Env()) }).Together(ctx)
	ref := s.refGuess(guess)
	s.where, _ = plain(s.o, s.git.Env(), ref)
	s.dirty = func() bool { return s.isDirty(ctx)() }
	s.config = s.readConfig(ctx)
	err = s.find(ctx, ref)
	if err == nil {
		err = s.refuseLinks()
	}
	if err != nil {
		s.end()
		return nil, err
	}
	s.batch = s.git.Batch()
	s.objects = loose.Store{Dir: s.where.objects, Format: s.where.format}
	if o.Writing {
		s.dirty = s.isDirty(ctx)
	}
	s.folderHere = sync.OnceValue(s.findFolder)
	s.refollow = func() {
		look := sync.OnceValue(func() following { return s.findLine(ctx) })
		s.followed.Store(&look)
	}
	s.refollow()
	s.beforeWrite = s.adoptVersions
	return s, nil
}

// find lets git find a repository that is not plain to see.
func (s *Store) find(ctx context.Context, ref string) error {
	if s.where.plain {
		s.code = sync.OnceValue(func() sage.CodeState { return s.headState(ctx) })
		return nil
	}
	env := s.git.Env()
	d, err := discover(ctx, s.git, ref)
	if err != nil && !s.o.Global {
		s.git, d, err = retryBare(ctx, s.git, err)
	}
	if errors.Is(err, ErrNotRepository) && !s.o.Global {
		err = noPlace(s.o.Dir, env)
	}
	s.where = d
	s.code = func() sage.CodeState { return d.code }
	return err
}

// ownFolders are the folders in sage that are written to, and removed from.
var ownFolders = []string{
	"", "cache", "cache/given", "cache/recalled", "sessions", "branches", "wanted", "continuity", "folders", "writers", "repairs",
	"backup.git", "backup.git/objects", "backup.git/refs", "private.git", "private.git/objects", "private.git/refs",
}

// refuseLinks refuses a repository in which a folder of ours is a symbolic link:
// one that came in an archive would have us write among the user's own files.
func (s *Store) refuseLinks() error {
	dirs := []string{s.worktreeDir()}
	for _, name := range ownFolders {
		dirs = append(dirs, s.dir(filepath.FromSlash(name)))
	}
	for _, dir := range dirs {
		if st, err := fsx.Lstat(dir); err == nil && st.Mode()&os.ModeSymlink != 0 {
			return fmt.Errorf("'%s' is a symbolic link; remove it", dir)
		}
	}
	return nil
}

// early starts f at once and returns how to wait for it.
func early[T any](f func() T) func() T {
	ch := make(chan T, 1)
	go func() { ch <- f() }()
	return sync.OnceValue(func() T { return <-ch })
}

// headState says where the user's code stands. In a plain repository the files
// tell, but for the tree of a commit that is packed. On an unborn HEAD only the
// branch is known.
func (s *Store) headState(ctx context.Context) sage.CodeState {
	d := s.where
	c := sage.CodeState{Branch: headBranch(ctx, s.git, d.gitDir)}
	if b, err := fsx.ReadFile(filepath.Join(d.gitDir, "HEAD")); err == nil && isHex(text(b)) {
		c.Commit = text(b)
	} else if c.Branch != "" {
		c.Commit = d.value("refs/heads/" + c.Branch)
	}
	if c.Commit == "" {
		return c
	}
	if known := s.knownCommit(); known.Commit == c.Commit && known.Tree != "" {
		c.Tree = known.Tree
	} else if o, err := s.object(c.Commit); err == nil {
		tree, _, _ := strings.Cut(strings.TrimPrefix(string(o.Data), "tree "), "\n")
		c.Tree = tree
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

// Close ends what the store started, also a git that hangs.
func (s *Store) Close() error {
	if s == nil || s.batch == nil {
		return nil
	}
	s.end()
	s.looks.Wait() // not long: their gits are ended
	return s.batch.Close()
}

// Session is the session of the agent on whose behalf this is; "" is a person at a shell.
func (s *Store) Session() string { return s.o.Session }

// GitDir is the git directory of this work tree.
func (s *Store) GitDir() string { return s.where.gitDir }

// CommonDir is the git directory that all work trees of the repository share.
func (s *Store) CommonDir() string { return s.where.commonDir }

// Top is the top of the work tree, or "" if there is none.
func (s *Store) Top() string { return s.where.top }

// Anchor is a folder from which the repository is found when this work tree is gone: the
// main work tree, or the git directory where there is none.
func (s *Store) Anchor() string {
	if top, name := filepath.Split(s.where.commonDir); name == ".git" {
		return filepath.Clean(top)
	}
	return s.where.commonDir
}

// Folder is our own folder beside git's objects.
func (s *Store) Folder() string { return s.dir() }

func (s *Store) dir(elem ...string) string {
	return filepath.Join(append([]string{s.where.commonDir, "sage"}, elem...)...)
}

// worktreeDir is our own folder of this work tree.
func (s *Store) worktreeDir(elem ...string) string {
	return filepath.Join(append([]string{s.where.gitDir, "sage"}, elem...)...)
}
