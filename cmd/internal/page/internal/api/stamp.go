package api

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/recall"
)

// stamp names the state of a memory: whoever has an answer of the same need not be given it
// again. It goes by our refs, by what the store notes beside them (what was confirmed, what
// counts as made here), by the line that goes with the branch, and by what was written here.
func (a *API) stamp(ctx context.Context, m *recall.Memory) (string, error) {
	h := sha256.New()
	fmt.Fprintln(h, a.life, a.writes.Load(), m.Store.Session.CurrentLine())
	err := m.Stores.EachStore(ctx, func(s *gitstore.Store, _ bool) error {
		refs, err := s.Repo.Refs(ctx, "refs/sage/")
		for _, r := range refs {
			fmt.Fprintln(h, r.Name, r.ID)
		}
		for _, name := range []string{s.Ownership.OwnFile(), s.Ownership.VouchedFile(), s.Ownership.TakenFile(), s.Repo.Dir("trusted"), filepath.Join(s.Repo.CommonDir(), "config")} {
			if at, err := os.Stat(name); err == nil {
				fmt.Fprintln(h, at.Size(), at.ModTime().UnixNano())
			}
		}
		return err
	})
	return hex.EncodeToString(h.Sum(nil)[:12]), err
}
