package continuity

import (
	"cmp"
	"context"
	"errors"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/recall/doc"
	"github.com/git-sage/git-sage/recall/internal/session"
	"github.com/git-sage/git-sage/recall/search"
)

// ErrNoContinuity says that nothing is brought back, as its user wants it.
var ErrNoContinuity = errors.New("nothing is restored, because continuity_enabled is false")

// Injects reports whether anything of the memory may be put in front of an agent that did
// not ask for it: continuity_enabled.
func (rs *Restorer) Injects() bool { return !rs.stores.Settings().NoContinuity }

// Mark is [gitstore.Store.Session].Mark, by default with the latest checkpoint as that to bring
// back. Whoever asks first gets it: see [Restorer.Continuity].
func (rs *Restorer) Mark(ctx context.Context, mark gitstore.Marker) error {
	if rs.stores.Settings().NoContinuity {
		return ErrNoContinuity
	}
	if mark.Checkpoint == "" {
		r, err := rs.session.Latest(ctx)
		rs.stores.Complain(err) // it may be found when it is brought back
		if r != nil {
			mark.Checkpoint = r.ID
		}
	}
	return rs.stores.Store.Session.Mark(mark)
}

// AddSummary adds the client's own summary to what waits to be brought back to the
// session. Where that is nothing, or another process has it just now, nothing is done.
func (rs *Restorer) AddSummary(text string) error {
	if rs.stores.Settings().NoContinuity {
		return ErrNoContinuity
	}
	return rs.stores.Store.Session.AddSummary(text)
}

// A Continuity is what brings a session back to where it was, for one process alone,
// which says with Delivered that the session has it, or with Release that it has not.
type Continuity struct {
	gitstore.Marker
	rs    *Restorer
	claim *gitstore.ClaimedMarker

	st       gitstore.Status
	latest   *gitstore.Record // the last checkpoint with substance; nil if there is none
	recovery *gitstore.Record // what was recovered since then; nil if nothing was
	restored *sage.Checkpoint // of latest
	queue    []gitstore.Record
	others   []gitstore.Record // saved lately by other sessions, as far as the watcher saw it
	linked   []search.Recalled
	failures []search.Recalled
}

// Claim takes what the session lost. It is nil if that is nothing, or another
// process has it, or nothing was saved that could bring anything back, or its user
// wants it so.
func (rs *Restorer) Claim(ctx context.Context) (*Continuity, error) {
	if rs.stores.Settings().NoContinuity || rs.stores.Store.Repo.Enabled() != nil {
		return nil, nil
	}
	claim, err := rs.stores.Store.Session.ClaimMarker()
	if err != nil || claim == nil {
		return nil, err
	}
	c := &Continuity{Marker: claim.Marker, rs: rs, claim: claim}
	if c.Session != "" { // it is this one's, which the client has put the summary in front of
		c.Summary = ""
	}
	if err := c.gather(ctx); err != nil {
		c.Release()
		return nil, err
	}
	if c.restored == nil && c.recovery == nil && c.Summary == "" && len(c.queue) == 0 {
		return nil, c.Delivered()
	}
	return c, nil
}

// Delivered says that the session has it. It comes to nobody again, and the items that
// came with it to that session's prompts not either. It needs no open store.
func (c *Continuity) Delivered() error {
	given := map[string]string{}
	for _, r := range c.Items() {
		given[r.Meta.Key] = r.Meta.Blob
	}
	if c.restored != nil {
		given[doc.CheckpointKey(c.restored.ID)] = "-"
	}
	if c.recovery != nil {
		given[doc.CheckpointKey(c.recovery.ID)] = "-"
	}
	return cmp.Or(c.claim.Delivered(), c.rs.stores.Store.Session.NoteGiven(given))
}

// Release leaves it for who asks next.
func (c *Continuity) Release() { c.claim.Release() }

// gather finds what brings the session back. What is beside the checkpoint may be
// missing.
func (c *Continuity) gather(ctx context.Context) (err error) {
	if c.st, c.latest, c.recovery, err = c.rs.session.Survey(ctx); err != nil {
		return err
	}
	c.queue, err = c.rs.session.SavedSince(ctx, c.claim.Since)
	c.rs.stores.Complain(err)
	c.choose(ctx)
	c.others = c.queuedByOthers(ctx)
	if c.restored == nil {
		return ctx.Err()
	}
	c.queue = without(c.queue, c.restored.ID)
	c.linked, c.failures, err = c.rs.around(ctx, c.restored)
	c.rs.stores.Complain(err)
	return ctx.Err()
}

// choose loads the checkpoint to bring back: the last one of the session's own, else the
// one that was the latest when it was marked, else the latest now, which another session
// may have saved.
func (c *Continuity) choose(ctx context.Context) {
	if c.Checkpoint != "" && (c.latest == nil || c.latest.Session == "" || c.latest.Session != c.rs.stores.Store.Repo.Session()) {
		if r, err := c.rs.stores.Store.Commits.Record(ctx, c.Checkpoint); err == nil && session.Continues(r) {
			c.latest = &r
		}
	}
	if c.latest == nil {
		return
	}
	var err error
	if c.restored, err = c.rs.stores.Store.Commits.Load(ctx, c.latest.ID); err != nil { // what else there is comes without it
		c.rs.stores.Complain(err)
		c.latest, c.restored = nil, nil
	}
}

// mostOthers is how many checkpoints of other sessions are told of.
const mostOthers = 5

// queuedByOthers are the checkpoints that wait in the queues of other sessions, but for
// what the bundle shows anyway.
func (c *Continuity) queuedByOthers(ctx context.Context) (out []gitstore.Record) {
	for _, q := range c.rs.stores.Store.Session.QueuedByOthers() {
		if c.latest != nil && c.latest.ID == q.Checkpoint || len(out) == mostOthers {
			continue
		}
		if r, err := c.rs.stores.Store.Commits.Record(ctx, q.Checkpoint); err == nil && session.HoldsThought(r) && r.Session != c.rs.stores.Store.Repo.Session() {
			out = append(out, r)
		}
	}
	return out
}

func without(list []gitstore.Record, id string) (out []gitstore.Record) {
	for _, r := range list {
		if r.ID != id {
			out = append(out, r)
		}
	}
	return out
}
