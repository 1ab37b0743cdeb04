package recall

import (
	"cmp"
	"context"
	"errors"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/recall/doc"
)

// ErrNoContinuity says that nothing is brought back, as its user wants it.
var ErrNoContinuity = errors.New("nothing is restored, because continuity_enabled is false")

// Injects reports whether anything of the memory may be put in front of an agent that did
// not ask for it: continuity_enabled.
func (m *Memory) Injects() bool { return !m.Settings().NoContinuity }

// Mark is [gitstore.Store.Mark], by default with the latest checkpoint as that to bring
// back. Whoever asks first gets it: see [Memory.Continuity].
func (m *Memory) Mark(ctx context.Context, mark gitstore.Marker) error {
	if m.Settings().NoContinuity {
		return ErrNoContinuity
	}
	if mark.Checkpoint == "" {
		r, err := m.Latest(ctx)
		m.complain(err) // it may be found when it is brought back
		if r != nil {
			mark.Checkpoint = r.ID
		}
	}
	return m.Store.Mark(mark)
}

// AddSummary adds the client's own summary to what waits to be brought back to the
// session. Where that is nothing, or another process has it just now, nothing is done.
func (m *Memory) AddSummary(text string) error {
	if m.Settings().NoContinuity {
		return ErrNoContinuity
	}
	return m.Store.AddSummary(text)
}

// A Continuity is what brings a session back to where it was, for one process alone,
// which says with Delivered that the session has it, or with Release that it has not.
type Continuity struct {
	gitstore.Marker
	m     *Memory
	claim *gitstore.ClaimedMarker

	st       gitstore.Status
	latest   *gitstore.Record // the last checkpoint with substance; nil if there is none
	recovery *gitstore.Record // what was recovered since then; nil if nothing was
	restored *sage.Checkpoint // of latest
	queue    []gitstore.Record
	others   []gitstore.Record // saved lately by other sessions, as far as the watcher saw it
	linked   []Recalled
	failures []Recalled
}

// Continuity claims what the session lost. It is nil if that is nothing, or another
// process has it, or nothing was saved that could bring anything back, or its user
// wants it so.
func (m *Memory) Continuity(ctx context.Context) (*Continuity, error) {
	if m.Settings().NoContinuity || m.Store.Enabled() != nil {
		return nil, nil
	}
	claim, err := m.Store.ClaimMarker()
	if err != nil || claim == nil {
		return nil, err
	}
	c := &Continuity{Marker: claim.Marker, m: m, claim: claim}
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
	return cmp.Or(c.claim.Delivered(), c.m.Store.NoteGiven(given))
}

// Release leaves it for who asks next.
func (c *Continuity) Release() { c.claim.Release() }

// gather finds what brings the session back. What is beside the checkpoint may be
// missing.
func (c *Continuity) gather(ctx context.Context) (err error) {
	if c.st, c.latest, c.recovery, err = c.m.survey(ctx); err != nil {
		return err
	}
	c.queue, err = c.m.savedSince(ctx, c.claim.Since)
	c.m.complain(err)
	c.choose(ctx)
	c.others = c.queuedByOthers(ctx)
	if c.restored == nil {
		return ctx.Err()
	}
	c.queue = without(c.queue, c.restored.ID)
	c.linked, c.failures, err = c.m.around(ctx, c.restored)
	c.m.complain(err)
	return ctx.Err()
}

// choose loads the checkpoint to bring back: the last one of the session's own, else the
// one that was the latest when it was marked, else the latest now, which another session
// may have saved.
func (c *Continuity) choose(ctx context.Context) {
	if c.Checkpoint != "" && (c.latest == nil || c.latest.Session == "" || c.latest.Session != c.m.Store.Session()) {
		if r, err := c.m.Store.Record(ctx, c.Checkpoint); err == nil && continues(r) {
			c.latest = &r
		}
	}
	if c.latest == nil {
		return
	}
	var err error
	if c.restored, err = c.m.Store.Load(ctx, c.latest.ID); err != nil { // what else there is comes without it
		c.m.complain(err)
		c.latest, c.restored = nil, nil
	}
}

// savedSince are the checkpoints that the session saved since it was at another one,
// newest first: what lies between is told by the graph, not by dates.
func (m *Memory) savedSince(ctx context.Context, since string) (out []gitstore.Record, err error) {
	if m.Store.Session() == "" {
		return nil, nil
	}
	q := gitstore.Query{Max: searchDepth}
	if since != "" {
		q.Revs = []string{since + "..@"}
	}
	records, err := m.Store.Log(ctx, q)
	if errors.Is(err, gitstore.ErrNotFound) && since != "" { // it is gone
		return m.savedSince(ctx, "")
	}
	for _, r := range records {
		if r.Session == m.Store.Session() {
			out = append(out, r)
		}
	}
	return out, err
}

// mostOthers is how many checkpoints of other sessions are told of.
const mostOthers = 5

// queuedByOthers are the checkpoints that wait in the queues of other sessions, but for
// what the bundle shows anyway.
func (c *Continuity) queuedByOthers(ctx context.Context) (out []gitstore.Record) {
	for _, q := range c.m.Store.QueuedByOthers() {
		if c.latest != nil && c.latest.ID == q.Checkpoint || len(out) == mostOthers {
			continue
		}
		if r, err := c.m.Store.Record(ctx, q.Checkpoint); err == nil && holdsThought(r) && r.Session != c.m.Store.Session() {
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
