package history

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
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

// privateTip is the commit that the private knowledge is at, "" if there is none: in most
// repositories, so that no git of its own is asked.
func (hist *History) privateTip(ctx context.Context) (string, error) {
	if !hist.repo.Where.Plain {
		o, err := hist.repo.Batch.Get(refname.PrivateRef)
		switch {
		case errors.Is(err, git.ErrMissing):
			if _, broken := fsx.Lstat(filepath.Join(hist.repo.Where.CommonDir, filepath.FromSlash(refname.PrivateRef))); broken != nil {
				return "", ctx.Err()
			}
		case err == nil && o.Type == "commit" && !hist.isAmbiguous(refname.PrivateRef):
			return o.ID, ctx.Err()
		}
	}
	return hist.repo.Tip(ctx, refname.PrivateRef)
}

// StateTip is the state that the knowledge is in, shared and private, "" before the first:
// see [refname.State]. Whoever derives something from items notes this.
func (hist *History) StateTip(ctx context.Context) (string, error) {
	return hist.state(ctx, hist.KnowledgeTip)
}

// State is [History.Knowledge] with what is private.
func (hist *History) State() string {
	state, err := hist.state(context.Background(), func(context.Context) (string, error) { return hist.Knowledge(), nil })
	if err != nil {
		return refname.State(hist.Knowledge(), refname.PrivateRef)
	}
	return state
}

// state reads what is private before and after what is shared, until it is the same: an item that
// is made private in between would be in neither.
func (hist *History) state(ctx context.Context, shared func(context.Context) (string, error)) (string, error) {
	before, err := hist.privateTip(ctx)
	for range repo.MaxTries {
		if err != nil {
			break
		}
		var tip, after string
		if tip, err = shared(ctx); err == nil {
			after, err = hist.privateTip(ctx)
		}
		if err == nil && after == before {
			return refname.State(tip, after), nil
		}
		before = after
	}
	return "", cmp.Or(err, repo.ErrOutraced)
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
