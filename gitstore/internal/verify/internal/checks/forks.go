package checks

import (
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/commits"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
	"github.com/git-sage/git-sage/gitstore/internal/verify/internal/pass"
	"github.com/git-sage/git-sage/gitstore/remedy"
)

// Forks names forks that their line contains, which the next merge folds, and those whose
// line is gone.
type Forks struct{ Commits *commits.Commits }

func (c Forks) Run(p *pass.Pass) {
	for _, f := range p.List {
		line, _, ok := strings.Cut(strings.TrimPrefix(f.Name, refname.ForksPrefix), "/")
		if !ok || !strings.HasPrefix(f.Name, refname.ForksPrefix) || f.Symref != "" {
			continue
		}
		head := p.IDOf(refname.HeadRef(line))
		switch _, known := p.Known[refname.HeadRef(line)]; {
		case head == "" && !known:
			p.Warn("orphan-fork", refname.ShortRef(f.Name), "its line does not exist", remedy.StartLine.On(record.Short(f.ID), line))
		case head != "" && c.Commits.IsAncestor(p.Ctx, f.ID, head):
			p.Warn("merged-fork", refname.ShortRef(f.Name), "its line contains it", remedy.MergeFork.On(refname.ShortRef(f.Name)))
		}
	}
}
