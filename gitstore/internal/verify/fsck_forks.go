package verify

import (
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
)

// forks names forks that their line contains, which the next merge folds, and
// those whose line is gone.
func (k *checker) forks() {
	for _, f := range k.refs {
		line, _, ok := strings.Cut(strings.TrimPrefix(f.Name, repo.ForksPrefix), "/")
		if !ok || !strings.HasPrefix(f.Name, repo.ForksPrefix) || f.symref != "" {
			continue
		}
		head := k.idOf(repo.HeadRef(line))
		switch _, known := k.known[repo.HeadRef(line)]; {
		case head == "" && !known:
			k.warn("orphan-fork", repo.ShortRef(f.Name), "its line does not exist", "git sage branch "+line+" "+record.Short(f.ID))
		case head != "" && k.s.commits.IsAncestor(k.ctx, f.ID, head):
			k.warn("merged-fork", repo.ShortRef(f.Name), "its line contains it", "git sage merge "+repo.ShortRef(f.Name))
		}
	}
}
