package recall

import (
	"context"
	"errors"
	"fmt"

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
		if err := sh.refresh(ctx, left); errors.Is(err, index.ErrBusy) {
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

func (sh *shelf) refresh(ctx context.Context, left func(int)) error {
	end, err := sh.index.Turn(ctx)
	if err != nil {
		return err
	}
	defer end()
	state, err := sh.gitState(ctx) // as it is before: what changes meanwhile is looked at again
	if err != nil {
		return err
	}
	if err = sh.catchUp(ctx, true); err == nil {
		err = sh.fillAll(ctx, left)
	}
	if err == nil {
		err = sh.index.Compact(ctx)
	}
	if ctx.Err() == nil {
		sh.index.Rest(state, sh.m.now(), err)
	}
	return err
}

// gitState names the state of all refs that the sidecar is made of.
func (sh *shelf) gitState(ctx context.Context) (string, error) {
	tips, err := sh.store.Tips(ctx)
	return fmt.Sprint(tips), err // in the order of names
}

// wake starts the background for a shelf, unless a process is at it, or the last one left
// nothing to do as things stand.
func (sh *shelf) wake(ctx context.Context) {
	if sh.m.Background == nil || sh.index.Busy(ctx) {
		return
	}
	if state, err := sh.gitState(ctx); err == nil && sh.index.Rests(state, sh.m.now()) {
		return
	}
	sh.m.Background()
}

func (sh *shelf) tell(ctx context.Context, r *Refresh) error {
	st, err := sh.index.Status(ctx)
	r.Documents, r.Vectors, r.Missing = r.Documents+st.Docs, r.Vectors+st.Vectors, r.Missing+st.Chunks-st.Vectors
	if sh.model != nil {
		r.Model = sh.model.Model().Name
	}
	return err
}

// Drop removes the sidecar. Nothing is lost: the next search makes it again.
func (m *Memory) Drop(ctx context.Context) error {
	return m.eachStore(ctx, func(s *gitstore.Store, _ bool) error { return s.RemoveSidecar() })
}
