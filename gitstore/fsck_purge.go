package gitstore

import (
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
)

// purges looks for a purge that was begun and not finished, and for records that
// cannot be read.
func (k *checker) purges() {
	if _, err := fsx.Lstat(k.s.purgingFile()); err == nil {
		k.warn("unfinished-purge", "sage/purging", "a purge was stopped while it removed what is purged", "'git sage purge --finish' finishes it")
		return
	}
	tip, err := k.s.tip(k.ctx, KnowledgeRef)
	if err != nil || tip == "" {
		return // reported with its ref
	}
	index := k.s.purges()
	known, err := k.s.purgeRecords(k.ctx, tip)
	if err != nil {
		k.add("bad-format", "knowledge:"+purgedDir, err.Error(), "")
		return
	}
	for old := range known {
		if _, ok := index[old]; !ok {
			k.warn("unfinished-purge", short(old), "what became of it is recorded, but old ids are not looked up yet", "'git sage purge --finish' finishes it")
			return
		}
	}
	found := len(k.report.Findings)
	for _, r := range k.refs {
		if now, _ := k.s.purged(r.id); now != r.id && !strings.HasPrefix(r.name, remotePrefix) {
			k.warn("unfinished-purge", shortRef(r.name), "it holds what was purged", "'git sage purge --finish' finishes it")
		}
	}
	if found == len(k.report.Findings) && k.most == 0 { // the doctor says it in a line of its own
		k.purgedHere()
	}
}

// purgedHere names what a purge removed and somebody brought back: a gc that had begun
// before, or a fetch.
func (k *checker) purgedHere() {
	here, err := k.s.still(k.ctx, k.s.purges())
	switch {
	case err != nil:
		k.warn("unfinished-purge", "sage/purged", "whether what was purged is gone cannot be read: "+plainError(err), "")
	case len(here) > 0:
		k.warn("unfinished-purge", short(here[0]), notRemoved(here), "'git sage purge --finish' removes them")
	}
}

func notRemoved(here []string) string {
	return count(len(here), "object") + " of what was purged, here or elsewhere, not removed yet"
}
