package gitstore

import (
	"fmt"
	"path/filepath"
	"strings"
)

// onlyThere names the refs that a clone at from has, and that were never here. They
// are none of what was lost, so a repair takes none: a fetch and a merge do, which
// let nothing in that was purged.
func (k *checker) onlyThere(from string) {
	if !filepath.IsAbs(from) {
		from = filepath.Join(k.s.o.Dir, from)
	}
	out, err := k.s.git.In(from).Bare().Run(k.ctx, "for-each-ref", "--format=%(objectname) %(refname)", headsPrefix, forksPrefix, tagsPrefix, KnowledgeRef)
	if err != nil {
		k.warn("only-there", from, "its refs cannot be listed: "+plainError(err), "")
		return
	}
	for l := range strings.Lines(string(out)) {
		id, name, ok := strings.Cut(text([]byte(l)), " ")
		if _, known := k.known[name]; !ok || known || k.idOf(name) != "" || !isAcknowledged(name) || !k.fits(name, id) {
			continue
		}
		rest := strings.TrimPrefix(name, "refs/sage/")
		k.warn("only-there", name, fmt.Sprintf("the clone has %s there, which was never here", k.title(id)),
			fmt.Sprintf("git fetch %s +%s:%sclone/%s && git sage merge --fetched clone", InShell(from), name, remotePrefix, rest))
		k.elsewhere = append(k.elsewhere, k.report.Findings[len(k.report.Findings)-1])
	}
}
