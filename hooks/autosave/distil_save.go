package autosave

import (
	"context"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/hooks/distill"
	"github.com/git-sage/git-sage/hooks/session"
	"github.com/git-sage/git-sage/recall"
	"github.com/git-sage/git-sage/recall/save"
)

// An ownRecords is what of a session is saved when a model has written its record.
type ownRecords struct {
	newest  *gitstore.Record // whoever or whatever saved it; nil is none
	thought *gitstore.Record // the newest that somebody thought about
	closing *gitstore.Record // the newest but for recoveries
	before  *sage.Checkpoint // what a model wrote of it before, behind what somebody thought
	later   bool             // somebody thought about the session after it was queued
	already bool             // a model's record of it is saved: who did that was killed behind it
}

// distilOwn finds what the store's session saved.
func distilOwn(ctx context.Context, m *recall.Memory, entry distill.Entry) (own ownRecords, err error) {
	records, err := ownAndBehind(ctx, m.Store)
	for i := range records {
		r := &records[i]
		if !r.Counts() || r.Session != m.Store.Repo.Session() {
			continue
		}
		if own.newest == nil {
			own.newest = r
		}
		if own.before == nil && r.Agent == sage.Rules {
			c, err := m.Store.Commits.Load(ctx, r.ID)
			if err != nil {
				return own, err
			}
			if sage.IsDistilled(c.Extra) {
				own.before, own.already = c, !r.Recorded.Before(entry.Queued)
			}
		}
		if own.closing == nil && r.Trigger != sage.Recovery {
			own.closing = r
		}
		if r.Trigger != sage.Recovery && r.Trigger != sage.SessionEnd && r.Agent != sage.Rules {
			own.thought, own.later = r, r.Recorded.After(entry.Queued)
			break
		}
	}
	return own, err
}

// distilPart is what of a conversation nobody thought about, and no model was asked about,
// yet; never what was said before a purge.
func distilPart(s *gitstore.Store, entry distill.Entry, thought *gitstore.Record) (distill.Part, error) {
	p := distill.Part{File: entry.Transcript, From: session.Of(s).Distilled(), Until: entry.Until}
	purged, err := s.Transcripts.PurgedAt()
	p.Since = purged
	if thought != nil {
		if at := session.Of(s).SavedAt(thought.ID); at > 0 {
			p.From = max(p.From, at)
		} else if thought.Recorded.After(p.Since) {
			p.Since = thought.Recorded
		}
	}
	return p, err
}

// base is what the record of a model begins with: as of the end of a session what somebody
// thought, which stays in front; else the record by rules.
func (own ownRecords) base(ctx context.Context, s *gitstore.Store, why sage.Trigger) (b distill.Base, err error) {
	r := own.newest
	b.Before = own.before
	switch {
	case why == sage.Recovery && r == own.thought: // which a recovery stands beside
		r = nil
	case why != sage.Recovery && own.thought != nil:
		r, b.Thought = own.closing, true
	}
	if r != nil {
		b.Record, err = s.Commits.Load(ctx, r.ID)
	}
	return b, err
}

// save saves the record of a model where the session stands. Where others went on
// meanwhile it stands behind them as a recovery, beside what they thought, and no fork is
// made for its sake.
func (d *distiller) save(ctx context.Context, m *recall.Memory, own ownRecords, r distill.Result, entry distill.Entry) error {
	why := sage.Trigger(entry.Trigger)
	line, err := movedOn(ctx, m.Store)
	if err != nil {
		return err
	}
	if line != "" {
		why = sage.Recovery
	}
	base, err := own.base(ctx, m.Store, why)
	if err != nil {
		return err
	}
	draft := gitstore.Draft{Checkpoint: *r.Checkpoint(base, why), Automatic: true, Line: line}
	if line != "" {
		draft.Checkpoint.Session = m.Store.Repo.Session()
		nobodys, err := d.Open(ctx, m.Store.Repo.Anchor(), "")
		if err != nil {
			return err
		}
		defer nobodys.Close()
		m = nobodys
	}
	saved, err := m.Save.Checkpoint(ctx, save.Note{Draft: draft, Unasked: true})
	switch {
	case save.Declined(err):
		return nil
	case err != nil || line != "":
		return err
	}
	return session.Of(m.Store).NoteSavedUntil(ctx, saved.ID, entry.Until)
}

// movedOn is the line of the store's session if others saved on it since the session did;
// "" if nobody did.
func movedOn(ctx context.Context, s *gitstore.Store) (string, error) {
	ref, seen := s.Session.Position()
	line, ok := strings.CutPrefix(ref, "refs/sage/heads/")
	if !ok || seen == "" {
		return "", nil
	}
	tip, err := s.Commits.Log(ctx, gitstore.Query{Revs: []string{line}, Max: 1, Removed: true})
	if err != nil || len(tip) == 0 || tip[0].ID == seen {
		return "", err
	}
	return line, nil
}

// saveFacts saves facts that a model found, for which nobody stands yet. One that an item
// says already is left out.
func saveFacts(ctx context.Context, m *recall.Memory, r distill.Result, session string) error {
	if len(r.Facts) == 0 {
		return nil
	}
	known, err := m.Knowledge.Items(ctx, recall.ItemQuery{All: true})
	if err != nil {
		return err
	}
	has := func(is func(*sage.Item) bool) bool {
		return slices.ContainsFunc(known, func(k recall.Known) bool { return k.Item != nil && is(k.Item) })
	}
	var changes []recall.ItemChange
	for _, it := range r.Items(session, func(id string) bool { return has(func(k *sage.Item) bool { return k.ID == id }) }) {
		if !has(func(k *sage.Item) bool { return strings.EqualFold(strings.TrimSpace(k.Text()), it.Content) }) {
			changes = append(changes, recall.ItemChange{ItemChange: gitstore.ItemChange{Item: it, Unconfirmed: true}})
		}
	}
	if len(changes) == 0 {
		return nil
	}
	_, err = m.Write.Items(ctx, "", changes...)
	return err
}
