package codeindex

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/git-sage/git-sage/codeindex/internal/patch"
	"github.com/git-sage/git-sage/codeindex/internal/view"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
)

// since is what changed since a commit, or since what was committed at a date: in commits, in
// the work tree, and in files that git does not track yet. A commit of a name goes before a
// date. One call of git tells it, beside one or two that find the commit.
func (x *Index) since(ctx context.Context, v *view.View, q Query) (patch.Lines, error) {
	if q.Since == "" {
		return nil, nil
	}
	from, to := x.resolve(ctx, q.Since), x.resolve(ctx, q.Rev)
	if from == "" {
		if !gitstore.IsDate(q.Since) {
			return nil, &gitstore.FilterError{Field: "since", Err: fmt.Errorf("'%s' is no commit and no date, such as v1.2, 2026-03-01, yesterday or 2.weeks.ago", legible.OneLine(q.Since))}
		}
		if from = x.oneLine(ctx, "rev-list", "-n1", "--before="+q.Since, cmp.Or(to, "HEAD"), "--"); from == "" {
			return nil, ctx.Err() // there was nothing yet
		}
	}
	command, ends := []string{"diff-index"}, []string{from, "--"}
	if v.Top == "" {
		command, ends = []string{"diff-tree", "-r"}, []string{from, to, "--"}
	}
	r := patch.NewReader()
	if err := x.o.Git.Records(ctx, r.Read, slices.Concat([]string{"-C", cmp.Or(x.o.Top, "."), "-c", "core.quotePath=false"}, command, []string{
		"-p", "-U0", "-M", "--no-color", "--no-ext-diff", "--no-textconv", "--no-relative", "--ignore-submodules", "--src-prefix=a/", "--dst-prefix=b/",
	}, ends)...); err != nil {
		return nil, fmt.Errorf("compare with '%s': %w", legible.OneLine(q.Since), err)
	}
	for i := range v.Files {
		if f := &v.Files[i]; f.Untracked {
			r.Lines[f.Path] = patch.All
		}
	}
	return r.Lines, ctx.Err()
}
