package stores

import (
	"context"

	"github.com/git-sage/git-sage/recall/index"
)

// About returns the documents of the repository that name one of the paths among theirs. It
// asks the sidecar, which is opened without a model while nothing changed: who changes it has
// to count tokens as the model does.
func (st *Stores) About(ctx context.Context, paths ...string) (found []*index.Meta, err error) {
	src := st.SourceOf(st.Store, st.IsOwn(), nil)
	if err := src.Open(); err != nil {
		return nil, err
	}
	defer func() { Sources{src}.Close() }()
	if err := src.ReadySoon(ctx); err != nil {
		return nil, err
	}
	err = src.Whole(ctx, func() (err error) { found, err = src.Index.About(ctx, paths...); return err })
	return found, err
}
