package gitstore

import (
	"context"
	"os"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/sage"
)

// patchWait bounds what a save spends on the patch id of a commit that it sees
// for the first time, and maxPatch how large a patch it looks at, in bytes. Both
// are given up rather than waited for: the id only helps to find a commit again
// after a rebase.
const (
	patchWait = 100 * time.Millisecond
	maxPatch  = 1 << 20
)

// codeState records where the user's own code stands.
func (s *Store) codeState(ctx context.Context, c *sage.Checkpoint) {
	if c.Code != (sage.CodeState{}) || s.o.Global {
		return
	}
	c.Code = s.code()
	if c.Code.Commit != "" {
		c.Code.Dirty = s.dirty()
		c.Code.PatchID = s.patchID(ctx, c.Code.Commit)
	}
}

// patchID returns the stable patch id of a commit, remembered from one save to
// the next, since HEAD seldom moves between them.
func (s *Store) patchID(ctx context.Context, commit string) string {
	file := s.dir("cache", "patch-id")
	if b, err := os.ReadFile(file); err == nil {
		if of, id, _ := strings.Cut(text(b), " "); of == commit {
			return id
		}
	}
	id := s.computePatchID(ctx, commit)
	_ = fsx.WriteDerived(file, []byte(commit+" "+id+"\n"), 0o644)
	return id
}

func (s *Store) computePatchID(ctx context.Context, commit string) string {
	ctx, cancel := context.WithTimeout(ctx, patchWait)
	defer cancel()
	var patch []byte
	err := s.git.Records(ctx, func(b []byte) bool {
		patch = append(append(patch, b...), 0)
		return len(patch) < maxPatch
	}, "diff-tree", "-p", "--root", "--no-ext-diff", "--no-textconv", "--no-color", commit)
	if err != nil || len(patch) == 0 || len(patch) >= maxPatch {
		return ""
	}
	out, err := s.git.Feed(ctx, patch[:len(patch)-1], "patch-id", "--stable")
	id, _, _ := strings.Cut(text(out), " ")
	if err != nil || !isHex(id) {
		return ""
	}
	return id
}
