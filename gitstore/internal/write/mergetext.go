package write

import (
	"context"
	"errors"
	"path/filepath"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
)

// MergeText brings two texts together that were made of base, as git merges files: it
// is git merge-file. ok is false if both changed the same lines in different ways;
// there is no merged text then. Of o the home and the environment are of interest.
func MergeText(ctx context.Context, o repo.Options, base, ours, theirs []byte) (merged []byte, ok bool, err error) {
	if err := fsx.MkdirAll(o.Home, 0o700); err != nil {
		return nil, false, err
	}
	dir, err := fsx.MkdirTemp(o.Home, ".merge-*")
	if err != nil {
		return nil, false, err
	}
	defer fsx.RemoveAll(dir)
	for name, text := range map[string][]byte{"base": base, "ours": ours, "theirs": theirs} {
		if err := fsx.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			return nil, false, err
		}
	}
	r, err := git.New(dir, o.Env, true)
	if err != nil {
		return nil, false, err
	}
	merged, err = r.Run(ctx, "merge-file", "-p", "ours", "base", "theirs")
	var ended *git.Error
	if errors.As(err, &ended) && ended.Code > 0 && ended.Code < 128 { // so many conflicts
		return nil, false, nil
	}
	return merged, err == nil, err
}
