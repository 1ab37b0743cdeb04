package prompts

import (
	"context"
	"time"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/recall/doc"
	"github.com/git-sage/git-sage/recall/index"
	"github.com/git-sage/git-sage/recall/rank"
)

const (
	// mostJudged is how many candidates are held against the code: more than are recalled.
	// Most name no file, and cost nothing.
	mostJudged = 8
	// judgedWithin bounds that at a prompt: one that refers to a file that is gone asks git
	// where that went, which takes 10 ms in a repository of 5,000 files.
	judgedWithin = 100 * time.Millisecond
)

// judgeCode notes of candidates that may be recalled whether they were written for code that
// changed or is gone. What the session was given is not given again.
func (re *Recaller) judgeCode(ctx context.Context, r *rank.Ranking, found []rank.Scored, o RecallOptions) {
	var refs []sage.CodeRef
	var of []*rank.Scored
	judged := 0
	for i := range found {
		s := &found[i]
		_, fits := r.Fits(s)
		if len(s.Meta.Paths) == 0 || !fits && !s.Meta.Always && !o.Asked || o.Seen[s.Meta.Key] != "" {
			continue
		}
		if judged++; judged > mostJudged {
			break
		}
		for _, ref := range re.codeRefs(ctx, s.Meta) {
			if ref.Relevance != "context" { // which nothing rests on
				refs, of = append(refs, ref), append(of, s)
			}
		}
	}
	if len(refs) == 0 {
		return
	}
	if o.Quick {
		var done func()
		ctx, done = context.WithTimeout(ctx, judgedWithin)
		defer done()
	}
	for i, now := range re.stores.Store.Repo.RefStates(ctx, refs) {
		if of[i].Outlived == "" {
			of[i].Outlived = refs[i].Outlived(now)
		}
	}
}

// codeRefs are the code references of a document of the repository; what cannot be read, or is
// the person's own, has none.
func (re *Recaller) codeRefs(ctx context.Context, d *index.Meta) []sage.CodeRef {
	if d.Kind == doc.Checkpoint {
		if c, err := re.stores.Store.Commits.LoadBeginning(ctx, doc.ID(d.Key)); err == nil {
			return c.CodeRefs
		}
		return nil
	}
	if e, err := re.stores.Store.Knowledge.Item(ctx, doc.ID(d.Key)); err == nil && e.Item != nil && !re.stores.IsOwn() {
		return sage.RefsInside(e.Item.CodeRefs)
	}
	return nil
}
