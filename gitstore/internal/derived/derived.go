// Package derived checks and cleans what is made of git alone, and made anew when it is
// missing.
package derived

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/knowledge"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
	"github.com/git-sage/git-sage/gitstore/internal/wording"
	"github.com/git-sage/git-sage/gitstore/part"
	"github.com/git-sage/git-sage/gitstore/remedy"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
)

// Part is what was made of git alone, the search index first of all, as fsck and purge see
// it: all below sage/cache, and the user's own folder for it. What a feature keeps there
// needs no Clean of its own.
func Part(r *repo.Repo, k *knowledge.Collection) part.Part { return files{repo: r, knowledge: k} }

type files struct {
	part.Nothing
	repo      *repo.Repo
	knowledge *knowledge.Collection
}

// Name is how messages call it.
func (files) Name() string { return "derived files" }

// Clean removes all of it: nobody can see in a vector what was purged.
func (f files) Clean(_ context.Context, r part.Rule) (out part.Cleaned, err error) {
	if r.Step != part.Remove {
		return out, nil
	}
	for _, dir := range []string{f.repo.Dir("cache"), f.knowledge.SidecarDir(), f.knowledge.OwnCache()} {
		if dir == "" {
			continue
		}
		if err := repo.RemoveDerived(dir); err != nil {
			return out, fmt.Errorf("remove derived data: %w", err)
		}
	}
	return out, nil
}

// Check looks at the folder of derived files in the work tree, which a clone can bring
// along: it is believed only if it is ours, and no link leads out of it.
func (f files) Check(ctx context.Context, _ int, found func(part.Finding)) error {
	top := f.repo.Where.Top
	if top == "" {
		return nil
	}
	local := filepath.Join(top, ".sage", "local")
	for _, dir := range []string{filepath.Dir(local), local} {
		st, err := fsx.Lstat(dir)
		switch {
		case os.IsNotExist(err):
			return nil
		case err != nil:
			found(part.Warn("sidecar", dir, wording.PlainError(err)+"; ignored"))
			return nil
		case !st.IsDir():
			what := "a " + fsx.ModeWord(st.Mode())
			if to, err := fsx.Readlink(dir); err == nil {
				what = "a symbolic link to '" + legible.OneLine(to) + "'"
			}
			found(part.Warn("sidecar", dir, "is "+what+", not a folder; ignored", remedy.Typed("rm '"+dir+"'")))
			return nil
		}
	}
	if out, err := f.repo.Git.Run(ctx, "-C", top, "ls-files", "-z", "--", ".sage/local"); err == nil && len(out) > 0 {
		found(part.Warn("sidecar", local, "tracked by git, so it came with the repository; ignored", remedy.Typed("git rm -r --cached .sage/local")))
	}
	theirs, err := fsx.ReadOwn(filepath.Join(local, "id"))
	ours, err2 := fsx.ReadOwn(f.repo.Dir("id"))
	if err == nil && (err2 != nil || git.Text(theirs) != git.Text(ours)) {
		found(part.Warn("sidecar", local, "belongs to another repository; ignored", remedy.Typed("rm -r '"+local+"'")))
	}
	return nil
}
