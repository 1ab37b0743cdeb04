package autosave

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/hooks/plugin"
	"github.com/git-sage/git-sage/hooks/salience"
	"github.com/git-sage/git-sage/hooks/session"
	"github.com/git-sage/git-sage/hooks/transcript"
	"github.com/git-sage/git-sage/recall"
	"github.com/git-sage/git-sage/recall/save"
)

// A Loss is what would be lost of a session.
type Loss struct {
	*sage.Checkpoint
	After string // id of what somebody saved last in the session; "" is nothing
	ID    string // as which it was saved

	unsigned string // see unsigned
}

// SaveUnsaved saves what the session came to since its last checkpoint. It is nil if that is
// nothing that is worth it.
func (a *Agent) SaveUnsaved(ctx context.Context, why sage.Trigger) (*Loss, error) {
	l, err := saveUnsaved(ctx, a.Memory, a.File(), why, a.Cost)
	if err == nil && l != nil && l.unsigned != "" {
		a.Report(errors.New("saved " + l.ID + l.unsigned))
	}
	return l, err
}

// saveUnsaved saves what the store's session came to since its last checkpoint. It is nil
// if that is nothing that is worth it.
func saveUnsaved(ctx context.Context, m *recall.Memory, file string, why sage.Trigger, cost *transcript.Cost) (*Loss, error) {
	done := m.Store.Session.Alone(ctx)
	defer done()
	l, err := unsaved(ctx, m, file, why, cost)
	if err != nil || l == nil {
		return nil, err
	}
	saved, err := m.Save.Checkpoint(ctx, save.Note{Draft: gitstore.Draft{Checkpoint: *l.Checkpoint, Automatic: true}, Unasked: true})
	if save.Declined(err) {
		return nil, nil
	}
	l.ID, l.unsigned = saved.ID, unsigned(saved)
	return l, err
}

// unsaved is what the store's session said in a transcript and did not save; nil if that
// is nothing that is worth it.
func unsaved(ctx context.Context, m *recall.Memory, file string, why sage.Trigger, cost *transcript.Cost) (*Loss, error) {
	d, err := session.Of(m.Store).Digest(ctx, file, cost)
	if err != nil || len(d.Texts) == 0 {
		return nil, err
	}
	s, l, err := savedBefore(ctx, m)
	if err != nil {
		return nil, err
	}
	s.Digest, s.Summary, s.Threshold = d, lastSummary(m.Store, d, s.Since), threshold(m)
	s.Texts, _ = transcript.Said(ctx, file, s.From, session.Of(m.Store).ReadOptions(nil)) // of nil the digest tells; it has counted the cost
	if l.Checkpoint = salience.Checkpoint(s, why); l.Checkpoint == nil {
		return nil, nil
	}
	return &l, nil
}

// threshold is salience_threshold of plugins.yaml. Of a broken one the watcher tells, and
// doctor.
func threshold(m *recall.Memory) float64 {
	c, _ := plugin.Load(m.Stores.Home)
	if c.Salience == nil {
		return 0 // the default
	}
	return max(*c.Salience, math.SmallestNonzeroFloat64)
}

// mostBack is how far back a session's own checkpoints are looked for.
const mostBack = 100

// savedBefore tells what of the session is saved: when it saved last, what somebody
// thought, and the recovery behind that; and what it began with.
func savedBefore(ctx context.Context, m *recall.Memory) (s salience.Session, l Loss, err error) {
	records, err := ownAndBehind(ctx, m.Store)
	if err != nil {
		return s, l, err
	}
	whole := false // all that it began with is known
	for _, r := range records {
		if !r.Counts() {
			continue
		}
		if r.Session != m.Store.Repo.Session() {
			whole = whole || behind(ctx, m, &s, r)
			continue
		}
		if s.Since.IsZero() {
			s.Since = r.Recorded
			s.From = session.Of(m.Store).SavedAt(r.ID)
		}
		if r.Trigger == sage.Recovery && s.Recovery != nil {
			continue
		}
		c, err := m.Store.Commits.Load(ctx, r.ID)
		if err != nil {
			return s, l, err
		}
		if r.Trigger != sage.Recovery {
			s.Last, s.Behind, l.After = c, nil, r.ID
			return s, l, nil
		}
		s.Recovery = c
	}
	return s, l, nil
}

// mostBehind is how many recoveries of other sessions a record takes over.
const mostBehind = 5

// behind adds a checkpoint of another session to what this one began with, and reports
// whether that is all: behind what somebody thought nothing is shown.
func behind(ctx context.Context, m *recall.Memory, s *salience.Session, r gitstore.Record) (whole bool) {
	recovery := r.Trigger == sage.Recovery
	if recovery && len(s.Behind) >= mostBehind {
		return false
	}
	if c, err := m.Store.Commits.Load(ctx, r.ID); err == nil { // one that cannot be read was not shown
		s.Behind = append(s.Behind, c)
	}
	return !recovery
}

// ownAndBehind are the checkpoints from where the session stands, and before them those
// from its last save where that is on another line: HEAD may be on another branch since,
// which the line goes with.
func ownAndBehind(ctx context.Context, s *gitstore.Store) ([]gitstore.Record, error) {
	records, err := s.Commits.Log(ctx, gitstore.Query{Max: mostBack})
	id := session.Of(s).Memo().Saved.Checkpoint
	if err != nil || id == "" || slices.ContainsFunc(records, func(r gitstore.Record) bool { return r.ID == id }) {
		return records, err
	}
	elsewhere, err := s.Commits.Log(ctx, gitstore.Query{Max: mostBack, Revs: []string{id}})
	if err != nil { // it is gone
		return records, ctx.Err()
	}
	return append(elsewhere, records...), nil
}
