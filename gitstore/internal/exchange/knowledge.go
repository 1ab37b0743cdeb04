package exchange

import (
	"fmt"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/converge"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
)

// knowledge brings the knowledge tree forward, before anything else: it says which
// lines were renamed, and what was purged.
func (f *fetching) knowledge() error {
	if len(f.names(refname.KnowledgeRef)) == 0 {
		return nil
	}
	return f.bring(refname.KnowledgeRef, f.h.joinTrees)
}

// joinTrees makes a join of commits of the knowledge tree. As with checkpoints,
// what it holds is a function of the heads.
func (h *joinGraph) joinTrees(parents []string) (joint, error) {
	heads, err := converge.Heads(h, parents...)
	if err != nil {
		return joint{}, err
	}
	t := newTreeMerge(h)
	root, err := t.joined(heads)
	if err != nil {
		return joint{}, fmt.Errorf("merge the knowledge tree: %w", err)
	}
	message := fmt.Sprintf("merge %d states of the knowledge\n\n%sSage-Format: %d\nSage-Kind: %s\nSage-Trigger: %s\n",
		len(heads), record.Waiting(t.disagree), record.PlainFormat(), record.KindKnowledge, record.SyncTrigger)
	o, err := h.joinCommit(root, parents, time.Time{}, message)
	if err != nil {
		return joint{}, err
	}
	return joint{commit: o, objects: append(t.under(root), o), detail: strings.Join(t.disagree, ", ")}, nil
}
