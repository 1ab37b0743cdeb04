package checks

import (
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/purge"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
	"github.com/git-sage/git-sage/gitstore/internal/rewritten"
	"github.com/git-sage/git-sage/gitstore/internal/verify/internal/pass"
	"github.com/git-sage/git-sage/gitstore/internal/wording"
	"github.com/git-sage/git-sage/gitstore/remedy"
)

// Purges looks for a purge that was begun and not finished, and for records that
// cannot be read.
type Purges struct {
	Purge     *purge.Purger
	Rewritten *rewritten.Map
}

func (c Purges) Run(p *pass.Pass) {
	if _, err := fsx.Lstat(c.Purge.PurgingFile()); err == nil {
		p.Warn("unfinished-purge", "sage/purging", "a purge was stopped before it removed everything", remedy.FinishPurge.On().To("finishes it"))
		return
	}
	tip, err := p.Repo.Tip(p.Ctx, refname.KnowledgeRef)
	if err != nil || tip == "" {
		return // reported with its ref
	}
	index := c.Rewritten.Purges()
	known, err := c.Rewritten.PurgeRecords(p.Ctx, tip)
	if err != nil {
		p.Add("bad-format", "knowledge:"+rewritten.PurgedDir, err.Error(), remedy.Of(err)...)
		return
	}
	for old := range known {
		if _, ok := index[old]; !ok {
			p.Warn("unfinished-purge", record.Short(old), "its replacement is recorded, but not in use yet", remedy.FinishPurge.On().To("finishes it"))
			return
		}
	}
	found := len(p.Report.Findings)
	for _, r := range p.List {
		if now, _ := c.Rewritten.Purged(r.ID); now != r.ID && !strings.HasPrefix(r.Name, refname.RemotePrefix) {
			p.Warn("unfinished-purge", refname.ShortRef(r.Name), "still holds purged content", remedy.FinishPurge.On().To("finishes it"))
		}
	}
	if found == len(p.Report.Findings) && p.Most == 0 { // the doctor says it in a line of its own
		c.purgedHere(p)
	}
}

// purgedHere names what a purge removed and somebody brought back: a gc that had begun
// before, or a fetch.
func (c Purges) purgedHere(p *pass.Pass) {
	here, err := c.Purge.Still(p.Ctx, c.Rewritten.Purges())
	switch {
	case err != nil:
		p.Warn("unfinished-purge", "sage/purged", "cannot check whether purged objects are gone: "+wording.PlainError(err))
	case len(here) > 0:
		p.Warn("unfinished-purge", record.Short(here[0]), purge.NotRemoved(here), remedy.FinishPurge.On().To("removes them"))
	}
}
