package repo

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/record"
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

// CodeState records where the user's own code stands. The name of a branch is a
// text like others, and may hold a secret. The tree is not recorded: a commit's id tells
// others where the code stood, and what was never pushed they cannot look into.
func (rp *Repo) CodeState(ctx context.Context, c *sage.Checkpoint) (found []redact.Finding) {
	if c.Code != (sage.CodeState{}) || rp.Options.Global {
		c.Code.Tree = ""
		return nil
	}
	c.Code = rp.Code()
	var err error
	if c.Code.Branch, found, err = rp.Options.Redact.Text(c.Code.Branch); err != nil {
		c.Code.Branch = ""
	}
	if c.Code.Commit != "" {
		c.Code.Dirty = rp.dirty()
		c.Code.PatchID = rp.patchID(ctx, c.Code)
	}
	c.Code.Tree = ""
	return found
}

// patchID returns the stable patch id of a commit, remembered from one save to
// the next, since HEAD seldom moves between them.
func (rp *Repo) patchID(ctx context.Context, c sage.CodeState) string {
	if known := rp.knownCommit(); known.Commit == c.Commit {
		return known.PatchID
	}
	id := rp.computePatchID(ctx, c.Commit)
	_ = fsx.WriteDerived(rp.headCache(), fmt.Appendf(nil, "%s %s %s\n", c.Commit, record.Dash(c.Tree), record.Dash(id)), 0o644)
	return id
}

func (rp *Repo) headCache() string { return rp.Dir("cache", "head") }

// knownCommit is what was found out about HEAD when a save last saw it.
func (rp *Repo) knownCommit() (c sage.CodeState) {
	b, err := fsx.ReadOwn(rp.headCache())
	if f := strings.Fields(string(b)); err == nil && len(f) == 3 {
		c.Commit, c.Tree, c.PatchID = f[0], strings.Trim(f[1], "-"), strings.Trim(f[2], "-")
	}
	return c
}

func (rp *Repo) computePatchID(ctx context.Context, commit string) string {
	ctx, cancel := context.WithTimeout(ctx, patchWait)
	defer cancel()
	var patch []byte
	err := rp.Git.Records(ctx, func(b []byte) bool {
		patch = append(append(patch, b...), 0)
		return len(patch) < maxPatch
	}, "diff-tree", "-p", "--root", "--no-ext-diff", "--no-textconv", "--no-color", commit)
	if err != nil || len(patch) == 0 || len(patch) >= maxPatch {
		return ""
	}
	out, err := rp.Git.Feed(ctx, patch[:len(patch)-1], "patch-id", "--stable")
	id, _, _ := strings.Cut(Text(out), " ")
	if err != nil || !record.IsHex(id) {
		return ""
	}
	return id
}
