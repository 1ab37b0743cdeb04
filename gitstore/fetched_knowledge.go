package gitstore

import (
	"fmt"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/meet"
)

// knowledge brings the knowledge tree forward, before anything else: it says which
// lines were renamed, and what was purged.
func (f *fetching) knowledge() error {
	if len(f.names(KnowledgeRef)) == 0 {
		return nil
	}
	return f.bring(KnowledgeRef, f.h.joinTrees)
}

// joinTrees makes a join of commits of the knowledge tree. As with checkpoints,
// what it holds is a function of the heads.
func (h *joinGraph) joinTrees(parents []string) (joint, error) {
	heads, err := meet.Heads(h, parents...)
	if err != nil {
		return joint{}, err
	}
	t := newForest(h)
	root, err := t.joined(heads)
	if err != nil {
		return joint{}, fmt.Errorf("merge the knowledge tree: %w", err)
	}
	message := fmt.Sprintf("merge %d states of the knowledge\n\n%sSage-Format: %d\nSage-Kind: %s\nSage-Trigger: %s\n",
		len(heads), waiting(t.disagree), plainFormat(), kindKnowledge, syncTrigger)
	o, err := h.joinCommit(root, parents, time.Time{}, message)
	if err != nil {
		return joint{}, err
	}
	return joint{commit: o, objects: append(t.under(root), o), detail: strings.Join(t.disagree, ", ")}, nil
}

// waiting tells in the message which files hold versions that disagree.
func waiting(paths []string) string {
	const most = 20
	var b strings.Builder
	for i, path := range paths {
		if i == most {
			fmt.Fprintf(&b, "and %d more\n", len(paths)-most)
			break
		}
		b.WriteString(disagreed + path + "\n")
	}
	if b.Len() == 0 {
		return ""
	}
	return b.String() + "\n"
}
