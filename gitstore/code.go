package gitstore

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/redact"
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

// codeState records where the user's own code stands. The name of a branch is a
// text like others, and may hold a secret. The tree is not recorded: a commit's id tells
// others where the code stood, and what was never pushed they cannot look into.
func (s *Store) codeState(ctx context.Context, c *sage.Checkpoint) (found []redact.Finding) {
	if c.Code != (sage.CodeState{}) || s.o.Global {
		c.Code.Tree = ""
		return nil
	}
	c.Code = s.code()
	var err error
	if c.Code.Branch, found, err = s.o.Redact.Text(c.Code.Branch); err != nil {
		c.Code.Branch = ""
	}
	if c.Code.Commit != "" {
		c.Code.Dirty = s.dirty()
		c.Code.PatchID = s.patchID(ctx, c.Code)
	}
	c.Code.Tree = ""
	return found
}

// patchID returns the stable patch id of a commit, remembered from one save to
// the next, since HEAD seldom moves between them.
func (s *Store) patchID(ctx context.Context, c sage.CodeState) string {
	if known := s.knownCommit(); known.Commit == c.Commit {
		return known.PatchID
	}
	id := s.computePatchID(ctx, c.Commit)
	_ = fsx.WriteDerived(s.headCache(), fmt.Appendf(nil, "%s %s %s\n", c.Commit, dash(c.Tree), dash(id)), 0o644)
	return id
}

func (s *Store) headCache() string { return s.dir("cache", "head") }

// knownCommit is what was found out about HEAD when a save last saw it.
func (s *Store) knownCommit() (c sage.CodeState) {
	b, err := fsx.ReadOwn(s.headCache())
	if f := strings.Fields(string(b)); err == nil && len(f) == 3 {
		c.Commit, c.Tree, c.PatchID = f[0], strings.Trim(f[1], "-"), strings.Trim(f[2], "-")
	}
	return c
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
