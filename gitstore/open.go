package gitstore

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

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
	batch   *git.Batch
	objects loose.Store
	where   discovery
	config  func() (*settings, error)
	code    func() sage.CodeState // where the user's code stands
	dirty   func() bool
	over    func(key string) (string, bool)
	mu      sync.Mutex // orders the saves of this process
}

// A discovery is what one `git rev-parse` tells of a repository.
type discovery struct {
	gitDir, commonDir, objects, format string
	top                                string // of the work tree; "" if there is none
	code                               sage.CodeState
	ref, tip                           string // the ref that was asked for, and its value
	plain                              bool   // found without git; see plain.go
}

// Open finds the repository that o names. It returns ErrNotRepository if there
// is none; what git says against one, such as a foreign owner, is passed on.
func Open(ctx context.Context, o Options) (*Store, error) {
	o = o.withDefaults()
	run, err := runner(&o)
	if err != nil {
		return nil, err
	}
	s := &Store{o: o, git: run}
	guess := guessDirs(o.Dir)
	ref := s.refGuess(guess)
	s.where, _ = plain(s.o, s.git.Env(), ref)
	s.dirty = func() bool { return s.isDirty(ctx, guess.config)() }
	s.config = s.readConfig(ctx)
	if err := s.find(ctx, ref); err != nil {
		return nil, err
	}
	s.batch = s.git.Batch()
	s.objects = loose.Store{Dir: s.where.objects, Format: s.where.format}
	if o.Writing {
		s.dirty = s.isDirty(ctx, guess.config)
	}
	return s, nil
}

// find lets git find a repository that is not plain to see.
func (s *Store) find(ctx context.Context, ref string) error {
	if s.where.plain {
		s.code = sync.OnceValue(func() sage.CodeState { return s.headState(ctx) })
		return nil
	}
	d, err := discover(ctx, s.git, ref)
	if err != nil && !s.o.Global {
		s.git, d, err = retryBare(ctx, s.git, err)
	}
	s.where = d
	s.code = func() sage.CodeState { return d.code }
	return err
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
	if b, err := os.ReadFile(filepath.Join(d.gitDir, "HEAD")); err == nil && isHex(text(b)) {
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

// runner returns a git for o. The user's own store is made when it is missing.
func runner(o *Options) (*git.Runner, error) {
	if !o.Global {
		return git.New(o.Dir, o.Env, o.Guest)
	}
	if o.Home == "" {
		return nil, errors.New("no home folder for the store of your own: set SAGE_HOME")
	}
	o.Dir = filepath.Join(o.Home, "memory.git")
	r, err := git.New(o.Dir, o.Env, true)
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(filepath.Join(o.Dir, "HEAD")); err == nil {
		return r.Bare(), nil
	}
	return r.Bare(), makeOwn(r, o)
}

// makeOwn makes memory.git whole or not at all: it is built beside and renamed.
func makeOwn(r *git.Runner, o *Options) error {
	if err := os.MkdirAll(o.Home, 0o700); err != nil {
		return fmt.Errorf("make the store of your own: %w", err)
	}
	tmp, err := os.MkdirTemp(o.Home, ".memory-*")
	if err != nil {
		return fmt.Errorf("make the store of your own: %w", err)
	}
	defer os.RemoveAll(tmp)
	if _, err := r.In(tmp).Run(context.Background(), "init", "-q", "--bare", "--template="); err != nil {
		return fmt.Errorf("make the store of your own: %w", err)
	}
	err = os.Rename(tmp, o.Dir)
	if _, there := os.Stat(filepath.Join(o.Dir, "HEAD")); there == nil {
		return nil // ours, or that of another process which was faster
	}
	return err
}

// discover asks git where it is. One call tells all when HEAD and the ref are
// born; git prints what it found before it stops at what is not there.
func discover(ctx context.Context, run *git.Runner, ref string) (discovery, error) {
	out, err := run.Run(ctx, "rev-parse", "--path-format=absolute", "--absolute-git-dir", "--git-common-dir", "--git-path", "objects", "--show-object-format", "--is-inside-work-tree", "--show-cdup",
		"HEAD", "HEAD^{tree}", ref)
	d, ok := parseDiscovery(ctx, run, out)
	if !ok {
		return d, notRepository(err)
	}
	d.ref = ref
	if d.code.Commit == "" {
		return d, unborn(ctx, run, &d)
	}
	d.code.Branch = headBranch(ctx, run, d.gitDir)
	return d, nil
}

// headBranch reads which branch HEAD is on. Where refs are kept in a table the
// file says nothing and git is asked.
func headBranch(ctx context.Context, run *git.Runner, gitDir string) string {
	b, err := os.ReadFile(filepath.Join(gitDir, "HEAD"))
	name, symbolic := strings.CutPrefix(text(b), "ref: refs/heads/")
	if err == nil && symbolic && name != ".invalid" {
		return name
	}
	if err == nil && isHex(text(b)) {
		return "" // detached
	}
	out, _ := run.Run(ctx, "symbolic-ref", "-q", "--short", "HEAD")
	return text(out)
}

func unborn(ctx context.Context, run *git.Runner, d *discovery) error {
	d.code = sage.CodeState{Branch: headBranch(ctx, run, d.gitDir)}
	out, err := run.Run(ctx, "rev-parse", "--verify", "-q", d.ref)
	var bad *git.Error
	if err != nil && !errors.As(err, &bad) {
		return err
	}
	d.tip = text(out)
	return nil
}

// parseDiscovery reads the answer from its end, since a path may hold newlines.
func parseDiscovery(ctx context.Context, run *git.Runner, out []byte) (d discovery, ok bool) {
	lines := strings.Split(text(out), "\n")
	at := -1
	for i, l := range lines {
		if i >= 3 && (l == "sha1" || l == "sha256") {
			at = i
		}
	}
	if at < 0 {
		return d, false
	}
	d.gitDir, d.commonDir, d.objects, d.format = lines[0], lines[1], lines[2], lines[at]
	if at > 3 {
		d.gitDir = ask(ctx, run, "--absolute-git-dir")
		d.commonDir = ask(ctx, run, "--path-format=absolute", "--git-common-dir")
		d.objects = ask(ctx, run, "--path-format=absolute", "--git-path", "objects")
	}
	d.top = topOf(run.Dir(), lines[at+1:])
	rest := slices.DeleteFunc(lines[at+1:], func(l string) bool { return !isHex(l) }) // git echoes what it does not know
	if len(rest) >= 2 {
		d.code = sage.CodeState{Commit: rest[0], Tree: rest[1]}
	}
	if len(rest) >= 3 {
		d.tip = rest[2]
	}
	return d, true
}

// topOf reads the top of the work tree: the way up from inside it, its path from
// outside, nothing where there is none.
func topOf(dir string, lines []string) string {
	if len(lines) < 2 {
		return ""
	}
	if lines[0] == "false" {
		if filepath.IsAbs(lines[1]) {
			return lines[1]
		}
		return ""
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	return filepath.Join(dir, lines[1])
}

func ask(ctx context.Context, run *git.Runner, args ...string) string {
	out, _ := run.Run(ctx, append([]string{"rev-parse"}, args...)...)
	return string(bytes.TrimSuffix(out, []byte("\n")))
}

func text(b []byte) string { return string(bytes.TrimRight(b, "\n")) }

func notRepository(err error) error {
	var e *git.Error
	if errors.As(err, &e) && strings.Contains(e.Stderr, "not a git repository") {
		return ErrNotRepository
	}
	if err == nil {
		return errors.New("this git is too old: git-sage needs 2.31 or newer")
	}
	return err
}

// retryBare opens a bare repository, which git was told to refuse, unless it
// lies in the work tree of another: then it came with a clone.
func retryBare(ctx context.Context, run *git.Runner, err error) (*git.Runner, discovery, error) {
	var e *git.Error
	if !errors.As(err, &e) || !strings.Contains(e.Stderr, "safe.bareRepository") {
		return nil, discovery{}, err
	}
	bare := run.Bare()
	d, err := discover(ctx, bare, headRef(DefaultLine))
	if err != nil {
		return nil, d, err
	}
	outer := ask(ctx, run.In(filepath.Dir(d.gitDir)), "--show-toplevel")
	if outer != "" && filepath.Base(d.gitDir) != ".git" {
		return nil, d, fmt.Errorf("refusing the bare repository '%s' inside the work tree of '%s'", d.gitDir, outer)
	}
	return bare, d, nil
}

// Close ends what the store started.
func (s *Store) Close() error {
	if s == nil || s.batch == nil {
		return nil
	}
	return s.batch.Close()
}

// GitDir is the git directory of this work tree.
func (s *Store) GitDir() string { return s.where.gitDir }

// CommonDir is the git directory that all work trees of the repository share.
func (s *Store) CommonDir() string { return s.where.commonDir }

// Top is the top of the work tree, or "" if there is none.
func (s *Store) Top() string { return s.where.top }

// dir is our own folder beside git's objects.
func (s *Store) dir(elem ...string) string {
	return filepath.Join(append([]string{s.where.commonDir, "sage"}, elem...)...)
}

// worktreeDir is our own folder of this work tree.
func (s *Store) worktreeDir(elem ...string) string {
	return filepath.Join(append([]string{s.where.gitDir, "sage"}, elem...)...)
}

// dirs are where a repository may lie, found without git and trusted with
// nothing: they only let two questions be put to git at once.
type dirs struct{ git, common, config string }

func guessDirs(dir string) (d dirs) {
	for ; ; dir = filepath.Dir(dir) {
		p := filepath.Join(dir, ".git")
		if st, err := os.Stat(p); err == nil {
			if !st.IsDir() {
				return linked(dir, p)
			}
			return dirs{p, p, filepath.Join(p, "config")}
		}
		if filepath.Dir(dir) == dir {
			return d
		}
	}
}

func linked(dir, file string) (d dirs) {
	b, err := os.ReadFile(file)
	p, ok := strings.CutPrefix(text(b), "gitdir: ")
	if err != nil || !ok {
		return d
	}
	if !filepath.IsAbs(p) {
		p = filepath.Join(dir, p)
	}
	d = dirs{git: p, common: p}
	if b, err := os.ReadFile(filepath.Join(p, "commondir")); err == nil {
		if d.common = text(b); !filepath.IsAbs(d.common) {
			d.common = filepath.Join(p, d.common)
		}
	}
	d.config = filepath.Join(d.common, "config")
	return d
}

var hexDigits = "0123456789abcdef"

func isHex(s string) bool {
	return s != "" && !slices.ContainsFunc([]byte(s), func(c byte) bool { return !strings.Contains(hexDigits, string(c)) })
}
