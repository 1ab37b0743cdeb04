package verify

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/repo"
)

// onlyThere names the refs that a clone at from has, and that were never here. They
// are none of what was lost, so a repair takes none: a fetch and a merge do, which
// let nothing in that was purged.
func (k *checker) onlyThere(from string) {
	if !filepath.IsAbs(from) {
		from = filepath.Join(k.s.repo.Options.Dir, from)
	}
	out, err := k.s.repo.Git.In(from).Bare().Run(k.ctx, "for-each-ref", "--format=%(objectname) %(refname)", repo.HeadsPrefix, repo.ForksPrefix, repo.TagsPrefix, repo.KnowledgeRef)
	if err != nil {
		k.warn("only-there", from, "cannot list its refs: "+repo.PlainError(err), "")
		return
	}
	for l := range strings.Lines(string(out)) {
		id, name, ok := strings.Cut(repo.Text([]byte(l)), " ")
		if _, known := k.known[name]; !ok || known || k.idOf(name) != "" || !repo.IsAcknowledged(name) || !k.fits(name, id) {
			continue
		}
		rest := strings.TrimPrefix(name, "refs/sage/")
		k.warn("only-there", name, fmt.Sprintf("only the clone has %s", k.title(id)),
			fmt.Sprintf("git fetch %s +%s:%sclone/%s && git sage merge --fetched clone", repo.InShell(from), name, repo.RemotePrefix, rest))
		k.elsewhere = append(k.elsewhere, k.Report.Findings[len(k.Report.Findings)-1])
	}
}
