package repo

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/git"
)

// runner returns a git for o. The user's own store is made when it is missing.
func runner(o *Options) (*git.Runner, error) {
	if !o.Global {
		return git.New(o.Dir, o.Env, o.Guest)
	}
	if o.Home == "" {
		return nil, errors.New("no home folder for your own store: set SAGE_HOME")
	}
	o.Dir = filepath.Join(o.Home, "memory.git")
	r, err := git.New(o.Dir, o.Env, true)
	if err != nil {
		return nil, err
	}
	if _, err := fsx.Stat(filepath.Join(o.Dir, "HEAD")); err == nil {
		return r.Bare(), nil
	}
	return r.Bare(), makeOwn(r, o)
}

// makeOwn makes memory.git whole or not at all: it is built beside and renamed.
func makeOwn(r *git.Runner, o *Options) error {
	if err := fsx.MkdirAll(o.Home, 0o700); err != nil {
		return fmt.Errorf("create your own store: %w", err)
	}
	tmp, err := fsx.MkdirTemp(o.Home, ".memory-*")
	if err != nil {
		return fmt.Errorf("create your own store: %w", err)
	}
	defer fsx.RemoveAll(tmp)
	if _, err := r.In(tmp).Run(context.Background(), "init", "-q", "--bare", "--template="); err != nil {
		return fmt.Errorf("create your own store: %w", err)
	}
	err = fsx.Rename(tmp, o.Dir)
	if _, there := fsx.Stat(filepath.Join(o.Dir, "HEAD")); there == nil {
		return nil // ours, or that of another process which was faster
	}
	return err
}
