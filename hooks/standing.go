package hooks

import (
	"context"
	"time"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/hooks/salience"
	"github.com/git-sage/git-sage/recall"
)

// standingWithin is how long somebody waits for what a conversation came to.
const standingWithin = 5 * time.Second

// Standing is where the research stands, for who hands it over: the latest checkpoint, and
// what the store's session came to since its last one, as far as its transcript is known.
// It is nil if neither is there. same is the id of the checkpoint that says all of it; ""
// if there is none.
func Standing(ctx context.Context, m *recall.Memory) (c *sage.Checkpoint, same string, err error) {
	latest, recovery, err := m.Recovered(ctx)
	if err != nil {
		return nil, "", err
	}
	if latest == nil {
		latest = recovery
	}
	if latest != nil {
		if c, err = m.Store.Load(ctx, latest.ID); err != nil {
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
		FilesExplored: c.FilesExplored, FilesChanged: c.FilesChanged, CodeRefs: c.CodeRefs, Extra: c.Extra,
	}
}

// restOf is thought with what the session came to since; nil if that is nothing, or not
// known.
func restOf(ctx context.Context, m *recall.Memory, thought *sage.Checkpoint) *sage.Checkpoint {
	memo := readMemo(m.Store)
	if memo.Transcript == "" {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, standingWithin)
	defer cancel()
	d, err := digested(ctx, m.Store, memo.Transcript, nil)
	if err != nil {
		return nil
	}
	s, _, err := savedBefore(ctx, m)
	if err != nil {
		return nil
	}
	s.Digest, s.First, s.Last, s.Threshold = d, firstAsked(m, d, memo.Transcript), thought, threshold(m)
	s.Summary = lastSummary(m.Store, s.Since)
	return salience.Checkpoint(s, sage.Handoff)
}
