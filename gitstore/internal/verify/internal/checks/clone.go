package checks

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
	"github.com/git-sage/git-sage/gitstore/internal/verify/internal/pass"
	"github.com/git-sage/git-sage/gitstore/internal/wording"
	"github.com/git-sage/git-sage/gitstore/remedy"
)

// Clone names the refs that the clone at p.From has, if one was named, and that were never
// here. They
// are none of what was lost, so a repair takes none: a fetch and a merge do, which
// let nothing in that was purged.
type Clone struct{}

func (Clone) Run(p *pass.Pass) {
	from := p.From
	if from == "" {
		return
	}
	if !filepath.IsAbs(from) {
		from = filepath.Join(p.Repo.Options.Dir, from)
	}
	out, err := p.Repo.Git.In(from).Bare().Run(p.Ctx, "for-each-ref", "--format=%(objectname) %(refname)", refname.HeadsPrefix, refname.ForksPrefix, refname.TagsPrefix, refname.KnowledgeRef)
	if err != nil {
		p.Warn("only-there", from, "cannot list its refs: "+wording.PlainError(err))
		return
	}
	for l := range strings.Lines(string(out)) {
		id, name, ok := strings.Cut(git.Text([]byte(l)), " ")
		if _, known := p.Known[name]; !ok || known || p.IDOf(name) != "" || !refname.IsAcknowledged(name) || !p.Fits(name, id) {
			continue
		}
		rest := strings.TrimPrefix(name, "refs/sage/")
		p.Warn("only-there", name, fmt.Sprintf("only the clone has %s", p.Title(id)),
			remedy.FetchClone.On(wording.InShell(from), name, refname.RemotePrefix+"clone/"+rest))
		p.OnlyThere = append(p.OnlyThere, *p.Last())
	}
}
