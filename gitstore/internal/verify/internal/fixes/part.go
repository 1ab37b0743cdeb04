package fixes

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/loose"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
	"github.com/git-sage/git-sage/gitstore/part"
)

// Part is what repairs kept of what they replaced, as purge sees it.
func Part(r *repo.Repo) part.Part { return repairs{repo: r} }

type repairs struct {
	part.Nothing
	repo *repo.Repo
}

// Name is how messages call it.
func (repairs) Name() string { return "repairs" }

// Clean removes what a repair kept if that names or holds what is purged: such a repair
// cannot be undone any more.
func (p repairs) Clean(_ context.Context, r part.Rule) (out part.Cleaned, err error) {
	if r.Step != part.Remove {
		return out, nil
	}
	for _, n := range p.repo.Repairs() {
		dir := p.repo.Dir("repairs", strconv.Itoa(n))
		gone, err := holdsPurged(dir, r)
		if gone {
			err = fsx.RemoveAll(dir)
		}
		if err != nil {
			return out, fmt.Errorf("remove copies that repairs kept: %w", err)
		}
	}
	return out, nil
}

// holdsPurged reports whether a file below dir names an object that a purge changed, or
// holds what is purged, as it stands or inflated.
func holdsPurged(dir string, r part.Rule) (bool, error) {
	for _, f := range fsx.FilesBelow(dir) {
		b, err := fsx.ReadOwn(f)
		if err != nil {
			return false, err
		}
		text := string(b) + loose.Inflated(b, git.MostSearched)
		ids := strings.FieldsFunc(text, func(c rune) bool { return !strings.ContainsRune("0123456789abcdef", c) })
		if slices.ContainsFunc(ids, r.Changed) || r.Holds(text) {
			return true, nil
		}
	}
	return false, nil
}
