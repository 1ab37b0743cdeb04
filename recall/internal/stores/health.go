package stores

import (
	"context"
	"time"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/recall/sidecar"
)

// A Health says how well what searches are answered from does, of the repository and
// of the person together.
type Health struct {
	Documents int       // that can be found by their words
	Missing   int       // pieces that cannot be found by meaning yet
	Unread    bool      // a checkpoint was saved that is not found yet, likewise
	Behind    bool      // knowledge was saved that is not found yet; the next search brings it in
	Healed    time.Time // when damaged files were last made anew; zero is never
	Files     int       // how many those were
	Why       string    // what was wrong with the last
}

// Waits reports whether more pieces want a vector than the next search makes by itself.
func (h Health) Waits() bool { return h.Missing > sidecar.FewVectors }

// SearchHealth looks at the sidecar as it is, and changes nothing.
func (st *Stores) SearchHealth(ctx context.Context) (h Health, err error) {
	sources, err := st.Sources(ctx)
	if err != nil {
		return h, err
	}
	defer sources.Close()
	for _, src := range sources {
		if err := src.health(ctx, &h); err != nil {
			return h, err
		}
	}
	return h, nil
}

func (src *Source) health(ctx context.Context, h *Health) error {
	st, err := src.Index.Status(ctx)
	if err != nil {
		return err
	}
	was, err := src.Index.Tips()
	if err != nil {
		return err
	}
	now, err := src.Store.Repo.Tips(ctx)
	if err != nil {
		return err
	}
	h.Documents += st.Docs
	if src.Model != nil {
		h.Missing += st.Chunks - st.Vectors
	}
	h.Behind = h.Behind || was[gitstore.KnowledgeRef] != now[gitstore.KnowledgeRef]
	for ref, tip := range now {
		h.Unread = h.Unread || ref != gitstore.KnowledgeRef && was[ref] != tip
	}
	if healed := src.Index.Healed(); healed.At.After(h.Healed) {
		h.Healed, h.Files, h.Why = healed.At, healed.Files, healed.Why
	}
	return nil
}
