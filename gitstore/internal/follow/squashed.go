package follow

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
)

const (
	mostSquashed = 200 // commits of HEAD's that are compared with a branch, the newest
	mostPaths    = 200 // files that a branch may have changed
)

// squashed reports which candidates were merged by squash: a commit of HEAD's since the two
// parted changed the branch's files as the branch did as a whole. It goes by git's patch ids,
// so that it does not see one whose conflicts somebody settled.
func (fo *Follower) squashed(ctx context.Context, list []candidate) map[string]bool {
	head := fo.repo.Code().Commit
	known, more := fo.known(isSquashed, head), false
	ctx, cancel := context.WithTimeout(ctx, ancestorsWithin)
	defer cancel()
	for _, c := range list {
		if _, told := known[c.commit]; told {
			continue
		}
		is, err := fo.isSquashed(ctx, head, c.commit)
		if ctx.Err() != nil {
			break
		}
		known[c.commit], more = is && err == nil, true // what fails will fail again
	}
	if more {
		fo.keep(isSquashed, head, known)
	}
	return known
}

func (fo *Follower) isSquashed(ctx context.Context, head, tip string) (bool, error) {
	if o, err := fo.repo.Object(tip); err != nil || o.Type != "commit" {
		return false, err
	}
	out, err := fo.repo.Git.Run(ctx, "merge-base", head, tip)
	base := repo.Text(out)
	var none *git.Error
	if errors.As(err, &none) && none.Code == 1 || err == nil && (base == tip || base == head) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	paths, err := fo.pathsBetween(ctx, base, tip)
	if err != nil || len(paths) == 0 || len(paths) > mostPaths {
		return false, err
	}
	whole, err := fo.repo.PatchIDs(ctx, nil, "-r", "--no-renames", base, tip)
	if err != nil || len(whole) != 1 {
		return false, err
	}
	revs := append([]string{"rev-list", "--first-parent", "--no-merges", fmt.Sprintf("--max-count=%d", mostSquashed), base + ".." + head, "--"}, paths...)
	commits, err := fo.repo.Git.Run(ctx, revs...)
	if err != nil || len(commits) == 0 {
		return false, err
	}
	each, err := fo.repo.PatchIDs(ctx, commits, append([]string{"-r", "--no-renames", "--stdin", "--"}, paths...)...)
	return slices.Contains(each, whole[0]), err
}

// pathsBetween are the files that differ between two commits, as patterns that git takes
// for nothing but these.
func (fo *Follower) pathsBetween(ctx context.Context, from, to string) (paths []string, err error) {
	out, err := fo.repo.Git.Run(ctx, "diff-tree", "-r", "-z", "--name-only", "--no-renames", from, to)
	for name := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		if name != "" {
			paths = append(paths, ":(top,literal)"+name)
		}
	}
	return paths, err
}
