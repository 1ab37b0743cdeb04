package recall

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
func (m *Memory) Refresh(ctx context.Context, left func(int)) (r Refresh, err error) {
	shelves, err := m.shelves(ctx)
	if err != nil {
		return r, err
	}
	defer shelves.close()
	for _, sh := range shelves {
		if err := sh.Refresh(ctx, left); errors.Is(err, index.ErrBusy) {
			r.Busy = true
		} else if err != nil {
			return r, err
		}
		if err := sh.tell(ctx, &r); err != nil {
			return r, err
		}
	}
	return r, nil
}

func (sh *shelf) tell(ctx context.Context, r *Refresh) error {
	st, err := sh.Index.Status(ctx)
	r.Documents, r.Vectors, r.Missing = r.Documents+st.Docs, r.Vectors+st.Vectors, r.Missing+st.Chunks-st.Vectors
	if sh.Model != nil {
		r.Model = sh.Model.Model().Name
	}
	return err
}

// Drop removes the sidecar. Nothing is lost: the next search makes it again.
func (m *Memory) Drop(ctx context.Context) error {
	return m.eachStore(ctx, func(s *gitstore.Store, _ bool) error { return s.RemoveSidecar() })
}
