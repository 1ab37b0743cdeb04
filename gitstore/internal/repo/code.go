package repo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
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
		c.Code.PatchID = rp.patchID(ctx, c.Code.Commit)
	}
	return found
}

// patchID returns the stable patch id of a commit, remembered from one save to
// the next, since HEAD seldom moves between them: of each work tree, for two that
// take turns would else ask git each time.
func (rp *Repo) patchID(ctx context.Context, commit string) string {
	cache := rp.Dir("cache", "head")
	if rp.Where.GitDir != rp.Where.CommonDir {
		cache += "-" + refname.Hash16(rp.Where.GitDir)
	}
	b, err := fsx.ReadOwn(cache)
	if f := strings.Fields(string(b)); err == nil && len(f) == 2 && f[0] == commit {
		return strings.Trim(f[1], "-")
	}
	id := rp.computePatchID(ctx, commit)
	_ = fsx.WriteDerived(cache, fmt.Appendf(nil, "%s %s\n", commit, record.Dash(id)), 0o644)
	return id
}

func (rp *Repo) computePatchID(ctx context.Context, commit string) string {
	ctx, cancel := context.WithTimeout(ctx, patchWait)
	defer cancel()
	ids, err := rp.PatchIDs(ctx, nil, "--root", commit)
	if err != nil || len(ids) == 0 {
		return ""
	}
	return ids[0]
}

// PatchIDs are the ids of the patches that a git diff-tree prints with these arguments and
// this on standard input: see git patch-id. Where they are larger than a megabyte in all,
// that is an error.
func (rp *Repo) PatchIDs(ctx context.Context, stdin []byte, args ...string) (ids []string, err error) {
	var patches limitedBuffer
	args = append([]string{"diff-tree", "-p", "--no-ext-diff", "--no-textconv", "--no-color"}, args...)
	if err := rp.Git.Pipe(ctx, bytes.NewReader(stdin), &patches, args...); err != nil {
		return nil, err
	}
	out, err := rp.Git.Feed(ctx, patches.Bytes(), "patch-id", "--stable")
	for l := range strings.Lines(string(out)) {
		if id, _, _ := strings.Cut(l, " "); record.IsHex(id) {
			ids = append(ids, id)
		}
	}
	return ids, err
}

// A limitedBuffer holds no more than a patch may have.
type limitedBuffer struct{ bytes.Buffer }

func (b *limitedBuffer) Write(p []byte) (int, error) {
	if b.Len()+len(p) > maxPatch {
		return 0, errors.New("the patch is too large")
	}
	return b.Buffer.Write(p)
}
