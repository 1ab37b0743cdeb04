package autosave

import (
	"context"
	"time"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/hooks/salience"
	"github.com/git-sage/git-sage/hooks/session"
	"github.com/git-sage/git-sage/hooks/transcript"
	"github.com/git-sage/git-sage/recall"
)

// standingWithin is how long somebody waits for what a conversation came to.
const standingWithin = 5 * time.Second

// Standing is where the research stands, for who hands it over: the latest checkpoint, and
// what the store's session came to since its last one, as far as its transcript is known.
// It is nil if neither is there. same is the id of the checkpoint that says all of it; ""
// if there is none.
func Standing(ctx context.Context, m *recall.Memory) (c *sage.Checkpoint, same string, err error) {
	latest, recovery, err := m.Session.Recovered(ctx)
	if err != nil {
		return nil, "", err
	}
	if latest == nil {
		latest = recovery
	}
	if latest != nil {
		if c, err = m.Store.Commits.Load(ctx, latest.ID); err != nil {
			return nil, "", err
		}
		c, same = thoughtOf(c), latest.ID
	}
	if rest := restOf(ctx, m, c); rest != nil {
		return rest, "", nil
	}
	return c, same, nil
}

// thoughtOf is what c says, without what tells how it came about.
func thoughtOf(c *sage.Checkpoint) *sage.Checkpoint {
	c = c.Clone()
	return &sage.Checkpoint{
		CoreQuestion: c.CoreQuestion, Thesis: c.Thesis, Confidence: c.Confidence, KeyEvidence: c.KeyEvidence, ReasoningTrace: c.ReasoningTrace,
		OpenQuestions: c.OpenQuestions, Sources: c.Sources, Tensions: c.Tensions, UniqueContributions: c.UniqueContributions,
		Action: c.Action, Domain: c.Domain, DomainData: c.DomainData, Fields: c.Fields, Skill: c.Skill, Template: c.Template,
		ComponentTheses: c.ComponentTheses, KnowledgeRecalled: c.KnowledgeRecalled,
		FilesExplored: c.FilesExplored, FilesChanged: c.FilesChanged, CodeRefs: c.CodeRefs, Extra: c.Extra, Elsewhere: c.Elsewhere,
	}
}

// restOf is thought with what the session came to since; nil if that is nothing, or not
// known.
func restOf(ctx context.Context, m *recall.Memory, thought *sage.Checkpoint) *sage.Checkpoint {
	memo := session.Of(m.Store).Memo()
	if memo.Transcript == "" {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, standingWithin)
	defer cancel()
	d, err := session.Of(m.Store).Digest(ctx, memo.Transcript, nil)
	if err != nil {
		return nil
	}
	s, _, err := savedBefore(ctx, m)
	if err != nil {
		return nil
	}
	s.Digest, s.Last, s.Behind, s.Threshold = d, thought, nil, threshold(m)
	s.Texts, _ = transcript.Said(ctx, memo.Transcript, s.From, session.Of(m.Store).ReadOptions(nil))
	s.Summary = lastSummary(m.Store, d, s.Since)
	return salience.Checkpoint(s, sage.Handoff)
}
