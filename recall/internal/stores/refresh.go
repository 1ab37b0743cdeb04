package stores

import (
	"context"
	"errors"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/recall/index"
)

// A Refresh says what became of the sidecar.
type Refresh struct {
	Documents int // that can be searched
	Vectors   int // of their pieces
	Missing   int // pieces without one
	Model     string
	Busy      bool // another process is at it
}

// Refresh brings the sidecar up to what git has, with all vectors, and tells how many
// are left to make. It is safe at any time: who searches meanwhile finds what is there.
func (st *Stores) Refresh(ctx context.Context, left func(int)) (r Refresh, err error) {
	sources, err := st.Sources(ctx)
	if err != nil {
		return r, err
	}
	defer sources.Close()
	for _, src := range sources {
		if err := src.Refresh(ctx, left); errors.Is(err, index.ErrBusy) {
			r.Busy = true
		} else if err != nil {
			return r, err
		}
		if err := src.tell(ctx, &r); err != nil {
			return r, err
		}
	}
	return r, nil
}

func (src *Source) tell(ctx context.Context, r *Refresh) error {
	st, err := src.Index.Status(ctx)
	r.Documents, r.Vectors, r.Missing = r.Documents+st.Docs, r.Vectors+st.Vectors, r.Missing+st.Chunks-st.Vectors
	if src.Model != nil {
		r.Model = src.Model.Model().Name
	}
	return err
}

// Drop removes the sidecar. Nothing is lost: the next search makes it again.
func (st *Stores) Drop(ctx context.Context) error {
	return st.EachStore(ctx, func(s *gitstore.Store, _ bool) error { return s.Knowledge.RemoveSidecar() })
}
