package save

import (
	"context"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/codec"
	"github.com/git-sage/git-sage/prose/compare"
)

// inherit lets a save that nobody asked for begin with what it continues: the question,
// evidence and open questions that it does not mention stay, unless it says that there are
// none, or asks another question. A recovery is shown beside what it follows and needs
// nothing of it; what came from elsewhere is not said anew.
func (sv *Saver) inherit(ctx context.Context, d gitstore.Draft, c *sage.Checkpoint) {
	if c.Trigger == sage.Recovery || d.Line != "" || d.Parent != "" {
		return
	}
	r, err := sv.session.Latest(ctx)
	if err != nil || r == nil || !r.Own {
		return
	}
	older, err := sv.stores.Store.Commits.Load(ctx, r.ID)
	if err != nil || c.CoreQuestion != "" && compare.Difference(older.CoreQuestion, c.CoreQuestion) != "" {
		return
	}
	if c.CoreQuestion == "" && !c.SaysNone("core_question") {
		c.CoreQuestion = older.CoreQuestion
	}
	if len(c.KeyEvidence) == 0 && !c.SaysNone("key_evidence") {
		c.KeyEvidence = older.KeyEvidence
	}
	if len(c.OpenQuestions) == 0 && !c.SaysNone("open_questions") {
		c.OpenQuestions = older.OpenQuestions
	}
	codec.Measure(c)
}
