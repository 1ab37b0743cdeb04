package contents

import (
	"fmt"

	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/gittree"
)

func (tr *Tree) ItemFolder(name string) ([]gittree.Entry, error) {
	o, err := tr.repo.Object(name)
	if err == nil && o.Type != "tree" {
		err = git.ErrMissing
	}
	if err != nil {
		return nil, err
	}
	return gittree.Parse(o.Data, tr.repo.IDSize()), nil
}

// EachItem calls fn with what each file holds, or why that cannot be read.
func (tr *Tree) EachItem(files []gittree.Entry, fn func(gittree.Entry, git.Object, error)) error {
	ids := make([]string, len(files))
	for i, f := range files {
		ids[i] = f.ID
	}
	i := 0
	err := tr.repo.EachObject(ids, func(_ string, o git.Object, err error) { fn(files[i], o, err); i++ })
	if err != nil {
		return fmt.Errorf("read items: %w", tr.repo.LeftOut(err))
	}
	return nil
}

// CoreListFile lists the files of the user's own that matter most: a mapping of paths to
// what is to be known of each.
const CoreListFile = "core.yaml"
