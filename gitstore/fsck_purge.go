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
	tip, err := k.s.tip(k.ctx, knowledgeRef)
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
	for _, r := range k.refs {
		if now, _ := k.s.purged(r.id); now != r.id && !strings.HasPrefix(r.name, remotePrefix) {
			k.warn("unfinished-purge", shortRef(r.name), "it holds what was purged", "'git sage purge --finish' finishes it")
		}
	}
}
