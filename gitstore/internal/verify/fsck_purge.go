package verify

import (
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
	"github.com/git-sage/git-sage/gitstore/internal/rewritten"
)

// purges looks for a purge that was begun and not finished, and for records that
// cannot be read.
func (k *checker) purges() {
	if _, err := fsx.Lstat(k.s.purge.PurgingFile()); err == nil {
		k.warn("unfinished-purge", "sage/purging", "a purge was stopped before it removed everything", "'git sage purge --finish' finishes it")
		return
	}
	tip, err := k.s.repo.Tip(k.ctx, repo.KnowledgeRef)
	if err != nil || tip == "" {
		return // reported with its ref
	}
	index := k.s.rewritten.Purges()
	known, err := k.s.rewritten.PurgeRecords(k.ctx, tip)
	if err != nil {
		k.add("bad-format", "knowledge:"+rewritten.PurgedDir, err.Error(), "")
		return
	}
	for old := range known {
		if _, ok := index[old]; !ok {
			k.warn("unfinished-purge", record.Short(old), "its replacement is recorded, but not in use yet", "'git sage purge --finish' finishes it")
			return
		}
	}
	found := len(k.Report.Findings)
	for _, r := range k.refs {
		if now, _ := k.s.rewritten.Purged(r.ID); now != r.ID && !strings.HasPrefix(r.Name, repo.RemotePrefix) {
			k.warn("unfinished-purge", repo.ShortRef(r.Name), "still holds purged content", "'git sage purge --finish' finishes it")
		}
	}
	if found == len(k.Report.Findings) && k.most == 0 { // the doctor says it in a line of its own
		k.purgedHere()
	}
}

// purgedHere names what a purge removed and somebody brought back: a gc that had begun
// before, or a fetch.
func (k *checker) purgedHere() {
	here, err := k.s.purge.Still(k.ctx, k.s.rewritten.Purges())
	switch {
	case err != nil:
		k.warn("unfinished-purge", "sage/purged", "cannot check whether purged objects are gone: "+repo.PlainError(err), "")
	case len(here) > 0:
		k.warn("unfinished-purge", record.Short(here[0]), NotRemoved(here), "'git sage purge --finish' removes them")
	}
}

func NotRemoved(here []string) string {
	return repo.Count(len(here), "object") + " purged here or elsewhere, but not removed yet"
}
