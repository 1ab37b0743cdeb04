package follow

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
	"github.com/git-sage/git-sage/gitstore/internal/session"
)

// What was found out about a branch of which nothing is known yet is kept as long as all
// that it depends on is the same: of 30 lines it takes 34 ms to find, and 1 to read.

func (fo *Follower) lineFile() string {
	return fo.repo.Dir("cache", "line-"+refname.Hash16(fo.repo.Where.GitDir))
}

// lineKey is all that the line of a branch and its beginning depend on, in short.
func (fo *Follower) lineKey(ctx context.Context, f session.Following) (string, error) {
	refs, err := fo.repo.Refs(ctx, refname.HeadsPrefix, refname.KnowledgeRef, refname.PrivateRef)
	var b strings.Builder
	fmt.Fprintln(&b, f.Branch, f.Line, fo.repo.Code().Commit, fo.created(f.Branch), fo.madeFrom(f.Branch), fo.isDefaultBranch(ctx, f.Branch))
	if own := fo.bondOf(f.Branch); own != nil {
		fmt.Fprintln(&b, *own)
	}
	for _, r := range refs {
		fmt.Fprintln(&b, r.Name, r.ID)
	}
	private, err2 := fo.repo.PrivateLines()
	fmt.Fprintln(&b, private)
	return refname.Hash16(b.String()), cmp.Or(err, err2)
}

// knownLine fills in what was kept, if it still holds.
func (fo *Follower) knownLine(ctx context.Context, f *session.Following) bool {
	b, err := fsx.ReadOwn(fo.lineFile())
	kept := strings.Split(string(b), "\n")
	if err != nil || len(kept) != 3 || refname.CheckName(kept[1]) != nil || kept[2] != "" && !record.IsHex(kept[2]) {
		return false
	}
	key, err := fo.lineKey(ctx, *f)
	if err != nil || key != kept[0] {
		return false
	}
	f.Line, f.Start = kept[1], kept[2]
	return true
}

func (fo *Follower) keepLine(ctx context.Context, f session.Following) {
	asked := f
	if asked.Bond == nil && !fo.isDefaultBranch(ctx, f.Branch) {
		asked.Line = ""
	}
	if key, err := fo.lineKey(ctx, asked); err == nil {
		_ = fsx.WriteDerived(fo.lineFile(), fmt.Appendf(nil, "%s\n%s\n%s", key, f.Line, f.Start), 0o644) // else it is found again
	}
}
