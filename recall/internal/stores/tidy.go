package stores

import (
	"context"
	"errors"

	"github.com/git-sage/git-sage/recall/index"
)

// A Tidied says what keeping the sidecar in shape did.
type Tidied struct {
	Documents int  // that can be found by their words
	Damaged   bool // files were, and are made anew
}

// Tidy reads all of the sidecar, makes anew what is damaged, brings its words up to
// what git has, and puts its files together. It makes no vectors; searches, and
// [Stores.Refresh], do.
func (st *Stores) Tidy(ctx context.Context) (t Tidied, err error) {
	sources, err := st.Sources(ctx)
	if err != nil {
		return t, err
	}
	defer sources.Close()
	for _, src := range sources {
		if err := src.tidy(ctx, &t); err != nil {
			return t, err
		}
	}
	return t, nil
}

func (src *Source) tidy(ctx context.Context, t *Tidied) error {
	err := src.Index.Verify(ctx)
	if errors.Is(err, index.ErrDamaged) {
		t.Damaged, err = true, nil
	}
	if err == nil {
		err = src.CatchUp(ctx, true)
	}
	if err == nil {
		err = src.Index.Compact(ctx)
	}
	if err != nil && !errors.Is(err, index.ErrBusy) { // then another process is at it
		return err
	}
	st, err := src.Index.Status(ctx)
	t.Documents += st.Docs
	return err
}
