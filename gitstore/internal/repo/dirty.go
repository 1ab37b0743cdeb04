package repo

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/gitconfig"
)

// isDirty asks git whether tracked files differ from HEAD. It compares by file
// times, with no content filter run: a filter is a command, and that of a
// repository's own config is a stranger's. So where that config names one
// nothing is asked and the answer is no.
func (rp *Repo) isDirty(ctx context.Context) func() bool {
	if rp.Options.Global || rp.Where.Top == "" {
		return func() bool { return false }
	}
	if !rp.Where.Plain { // the config may lie anywhere
		return Early(func() bool { return !rp.namesFilter() && rp.diffIndex(ctx)() })
	}
	b, err := fsx.ReadFile(filepath.Join(rp.Where.CommonDir, "config"))
	if err != nil || bytes.Contains(bytes.ToLower(b), []byte("filter")) {
		return func() bool { return false }
	}
	return rp.diffIndex(ctx)
}

// namesFilter reports whether the repository's own config, with what it
// includes, names a filter; and where that cannot be known, that it does.
func (rp *Repo) namesFilter() bool {
	c, err := rp.Configuration()
	if err != nil {
		return true
	}
	for key, scope := range c.Scope {
		if strings.HasPrefix(key, "filter.") && gitconfig.OfRepository(scope) {
			return true
		}
	}
	return false
}

// Unfiltered is a git that runs no content filter which the repository's own config names, for
// commands that look into files of the work tree.
func (rp *Repo) Unfiltered() *git.Runner {
	c, err := rp.Configuration()
	if err != nil { // of which git tells as well
		return rp.Git
	}
	var keys []string
	for key, scope := range c.Scope {
		if strings.HasPrefix(key, "filter.") && gitconfig.OfRepository(scope) {
			keys = append(keys, key)
		}
	}
	if len(keys) == 0 {
		return rp.Git
	}
	return rp.Git.Unset(keys...)
}

func (rp *Repo) diffIndex(ctx context.Context) func() bool {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	diff := rp.Git.Stream(ctx, "diff-index", "-z", "--no-renames", "--ignore-submodules=dirty", "HEAD", "--")
	return sync.OnceValue(func() (dirty bool) {
		defer cancel()
		_ = diff.Records(func(b []byte) bool {
			dirty = len(b) > 0
			return !dirty
		})
		return dirty
	})
}
