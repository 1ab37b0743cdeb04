package history

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
)

// KnowledgeTip is the commit that the knowledge tree is at, "" before the first.
// Whoever derives something from it notes this.
func (hist *History) KnowledgeTip(ctx context.Context) (string, error) {
	// The git that reads items says it in 0.5 ms, one of its own in 3.
	if !hist.repo.Where.Plain && !hist.isAmbiguous(refname.KnowledgeRef) {
		if o, err := hist.repo.Batch.Get(refname.KnowledgeRef); err == nil && o.Type == "commit" {
			return o.ID, ctx.Err()
		}
	}
	return hist.repo.Tip(ctx, refname.KnowledgeRef) // which knows a ref that is broken from one that is not there
}

// isAmbiguous reports whether git would find something else by the name of a ref that is
// not there.
func (hist *History) isAmbiguous(name string) bool {
	for _, rule := range []string{"refs/tags/%s", "refs/heads/%s", "refs/remotes/%s", "refs/remotes/%s/HEAD"} {
		if _, err := hist.repo.Batch.Get(fmt.Sprintf(rule, name)); !errors.Is(err, git.ErrMissing) {
			return true
		}
	}
	return false
}

// Knowledge is a name of the knowledge tree's commit that cannot mean another: its id, or
// one that nothing has. Of a ref that is broken git shall say so.
func (hist *History) Knowledge() string {
	id, err := hist.KnowledgeTip(context.Background())
	if err != nil {
		return refname.KnowledgeRef
	}
	return cmp.Or(id, hist.repo.Objects.Zero())
}
