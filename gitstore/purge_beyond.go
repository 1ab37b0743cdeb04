package gitstore

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/packs"
)

// packsWith are the indexes of the packs here that hold an object.
func (s *Store) packsWith(id string) (out []string) {
	for _, f := range filesBelow(filepath.Join(s.where.objects, "pack")) {
		if !strings.HasSuffix(f, ".idx") {
			continue
		}
		if x, err := packs.Read(f, s.idSize()); err == nil && x.Has(id) {
			out = append(out, f)
		}
	}
	return out
}

// beyond says where copies may be that a purge of this repository does not reach.
// Of a remote that the memory was never fetched from nobody knows what it has.
func (p *purge) beyond(remotes, others []string) (out []string) {
	for _, r := range remotes {
		out = append(out, fmt.Sprintf("the remote '%s', which had it when it was last fetched from: --push replaces it there", r))
	}
	for _, r := range others {
		out = append(out, fmt.Sprintf("the remote '%s', if it was pushed there: --push looks, and replaces it", r))
	}
	if b, err := fsx.ReadFile(filepath.Join(p.s.where.objects, "info", "alternates")); err == nil {
		for _, dir := range strings.Fields(string(b)) {
			out = append(out, fmt.Sprintf("the repository that this one borrows objects from, %s", dir))
		}
	}
	out = append(out,
		"clones of others: each lets go of it when it has fetched and run 'git sage merge --fetched' and 'git sage purge --finish'",
		"what a server, a mirror, a fork on a hosting service or a backup of this disk has copied; on a server 'git gc --prune=now' removes it",
	)
	return out
}
