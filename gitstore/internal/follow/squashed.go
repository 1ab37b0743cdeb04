package follow

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

const (
	mostSquashed = 200 // commits of HEAD's that are compared with a branch, the newest
	mostPaths    = 200 // files that a branch may have changed
)

// squashed reports which candidates were merged by squash: a commit of HEAD's since the two
// parted changed the branch's files as the branch did as a whole. It goes by git's patch ids,
// so that it does not see one whose conflicts somebody settled.
func (an *ancestry) squashed(ctx context.Context, list []candidate) map[string]bool {
	head := an.repo.Code().Commit
	known, more := an.known(isSquashed, head), false
	ctx, cancel := context.WithTimeout(ctx, an.Within)
	defer cancel()
	for _, c := range list {
		if _, told := known[c.commit]; told {
			continue
		}
		is, err := an.isSquashed(ctx, head, c.commit)
		if ctx.Err() != nil {
			break
		}
		known[c.commit], more = is && err == nil, true // what fails will fail again
	}
	if more {
		an.keep(isSquashed, head, known)
	}
	return known
}

// isSquashed asks git twice where nothing since changed the branch's files, as of nearly every
// branch at work: a session start waits for it. A git before 2.30, which does not know
// --merge-base, is an error.
func (an *ancestry) isSquashed(ctx context.Context, head, tip string) (bool, error) {
	if o, err := an.repo.Object(tip); err != nil || o.Type != "commit" {
		return false, err
	}
	paths, err := an.pathsOf(ctx, head, tip)
	if err != nil || len(paths) == 0 || len(paths) > mostPaths {
		return false, err
	}
	since := append([]string{"rev-list", "--first-parent", "--no-merges", fmt.Sprintf("--max-count=%d", mostSquashed), head, "^" + tip, "--"}, paths...)
	commits, err := an.repo.Git.Run(ctx, since...)
	if err != nil || len(commits) == 0 {
		return false, err
	}
	whole, err := an.repo.PatchIDs(ctx, nil, "-r", "--no-renames", "--merge-base", head, tip)
	if err != nil || len(whole) != 1 {
		return false, err
	}
	each, err := an.repo.PatchIDs(ctx, commits, append([]string{"-r", "--no-renames", "--stdin", "--"}, paths...)...)
	return slices.Contains(each, whole[0]), err
}

// pathsOf are the files that a branch changed since it parted from HEAD, as patterns that git
// takes for nothing but these.
func (an *ancestry) pathsOf(ctx context.Context, head, tip string) (paths []string, err error) {
	out, err := an.repo.Git.Run(ctx, "diff-tree", "-r", "-z", "--name-only", "--no-renames", "--merge-base", head, tip)
	for name := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		if name != "" {
			paths = append(paths, ":(top,literal)"+name)
		}
	}
	return paths, err
}
