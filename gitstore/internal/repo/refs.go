package repo

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/discover"
	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
)

// Refs lists our refs under the prefixes, by name. Broken ones are left out, and
// so are those whose name would write more to a terminal than is seen; fsck names
// them.
func (rp *Repo) Refs(ctx context.Context, prefixes ...string) ([]refname.Ref, error) {
	if rp.Where.Plain {
		if refs, err := discover.Refs(rp.Where.CommonDir, prefixes); !errors.Is(err, discover.ErrOdd) {
			return refs, err
		}
	}
	args := append([]string{"for-each-ref", "--format=%(objectname) %(refname)", "--end-of-options"}, prefixes...)
	out, err := rp.Git.Run(ctx, args...)
	var e *git.Error
	if err != nil && !(errors.As(err, &e) && len(out) > 0) {
		return nil, fmt.Errorf("list refs: %w", err)
	}
	var refs []refname.Ref
	for l := range strings.Lines(string(out)) {
		if id, name, ok := strings.Cut(strings.TrimSuffix(l, "\n"), " "); ok && legible.Visible(name) == name {
			refs = append(refs, refname.Ref{Name: name, ID: id})
		}
	}
	return refs, nil
}

// Tip returns the value of a ref, or "" if it does not exist. Its file says it in 0.05 ms,
// a git in 3, which each of fifty who wait in turn would start, and a hook seven times where
// nothing is known yet.
func (rp *Repo) Tip(ctx context.Context, name string) (string, error) {
	if rp.Where.Plain && strings.HasPrefix(name, "refs/") && discover.Usual(name) {
		if id, ok := rp.Where.LookUp(name); ok {
			return id, ctx.Err()
		}
	}
	return rp.GitTip(ctx, name)
}

// GitTip is tip as git says it. A name with more to it, such as @{1}, it takes apart.
func (rp *Repo) GitTip(ctx context.Context, name string) (string, error) {
	out, err := rp.Git.Run(ctx, "rev-parse", "--verify", "-q", "--end-of-options", name)
	var e *git.Error
	if errors.As(err, &e) && e.Code == 1 && e.Stderr == "" {
		return "", nil
	}
	if e.BrokenRef() {
		return "", Unsoundf("'%s' is broken, so git ignores it", refname.ShortRef(name))
	}
	if err == nil {
		var there bool
		if there, err = rp.isThere(ctx, name); err == nil && !there {
			return "", nil
		}
	}
	if err != nil {
		return "", fmt.Errorf("read ref %s: %w", name, err)
	}
	return git.Text(out), nil
}

// isThere reports whether there is a ref of a name. Where there is none, git takes the
// name for that of a branch or tag called refs/sage/..., which anybody can make.
func (rp *Repo) isThere(ctx context.Context, name string) (bool, error) {
	if !strings.HasPrefix(name, "refs/") || strings.ContainsAny(name, "@^~:") {
		return true, nil
	}
	refs, err := rp.Refs(ctx, name)
	return slices.ContainsFunc(refs, func(r refname.Ref) bool { return r.Name == name }), err
}

// Repairs are the numbers of the repairs so far, ascending.
func (rp *Repo) Repairs() (out []int) {
	list, _ := fsx.ReadDir(rp.Dir("repairs"))
	for _, e := range list {
		if n, err := strconv.Atoi(e.Name()); err == nil && n > 0 {
			out = append(out, n)
		}
	}
	slices.Sort(out)
	return out
}

// Tips are the refs that hold what can be searched, with the commits that they are
// at: lines, forks, and the knowledge, whose state stands under the name of what is shared of
// it. Whoever derives something from them notes
// which it was. In a shallow clone what they reach changes too: there "shallow" stands for
// its depth.
func (rp *Repo) Tips(ctx context.Context) (map[string]string, error) {
	refs, err := rp.Refs(ctx, refname.HeadsPrefix, refname.ForksPrefix, refname.KnowledgeRef, refname.PrivateRef)
	if err != nil {
		return nil, err
	}
	tips, private := map[string]string{}, ""
	for _, r := range refs {
		switch {
		case r.Name == refname.PrivateRef:
			private = r.ID
		case r.Name == refname.KnowledgeRef || !strings.HasPrefix(r.Name, refname.KnowledgeRef):
			tips[r.Name] = r.ID
		}
	}
	if private != "" {
		tips[refname.KnowledgeRef] = refname.State(tips[refname.KnowledgeRef], private)
	}
	if depth := rp.Shallow().Depth(); depth != "" {
		tips["shallow"] = depth
	}
	return tips, nil
}
