package gitstore

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/loose"
	"github.com/git-sage/git-sage/gitstore/redact"
	"github.com/git-sage/git-sage/gitstore/sage"
)

// maxTries bounds how often a save starts over because another writer was
// faster. With the queue one or two are enough; without it 64 writers need 40.
const maxTries = 200

// Save writes a checkpoint and moves its line on. When it returns nil the
// checkpoint is on disk and stays there; when it returns an error nothing of it
// is reachable.
func (s *Store) Save(ctx context.Context, d Draft) (Saved, error) {
	saved, err := s.save(ctx, d)
	if err == nil {
		saved.Warnings = append(saved.Warnings, s.noteBranch(ctx, saved.Line)...)
		s.refollow()
	}
	return saved, err
}

func (s *Store) save(ctx context.Context, d Draft) (Saved, error) {
	if !d.ByHand {
		d.Before = d.Checkpoint.CodeRefs
	}
	refs, err := s.takeRefs(d.Checkpoint.CodeRefs, d.Before)
	if err != nil {
		return Saved{}, err
	}
	d.Checkpoint.CodeRefs = refs
	c, found, err := s.prepare(d)
	if err != nil {
		return Saved{}, err
	}
	w := s.newWork(ctx, c, KindCheckpoint, d)
	defer w.stop()
	w.saved.Redacted = redact.Merge(w.saved.Redacted, found)
	if err := s.Enabled(); err != nil {
		return Saved{}, err
	}
	w.fill(ctx, s, d.Automatic)
	done, waited := s.turn(ctx)
	defer done()
	for try := range maxTries {
		p, err := s.place(ctx, d, waited || try > 0)
		if err == nil {
			s.takeOver(ctx, w, p)
			err = s.attempt(ctx, w, p)
		}
		if !errors.Is(err, errMoved) {
			return s.concluded(ctx, w, p, err)
		}
		time.Sleep(rand.N(3 * time.Millisecond))
	}
	return Saved{}, fmt.Errorf("save: other writers were faster %d times", maxTries)
}

// takeOver finds the thought that a checkpoint continues. If that says of fields that it
// holds nothing in them, so does the checkpoint of those that it does not mention: a merge
// looks at the newest alone.
func (s *Store) takeOver(ctx context.Context, w *work, p place) {
	w.follows = Record{}
	if len(p.parents) == 0 {
		return
	}
	id, err := s.liveAt(ctx, p.ref, p.parents[0])
	if err != nil || id == "" {
		return
	}
	r, err := s.commitRecord(id)
	if err != nil {
		return
	}
	if w.follows = r; r.Format < formatNone || r.Format > formatVersion {
		return
	}
	older, err := s.load(id)
	if err != nil {
		return
	}
	c := w.c.Clone()
	if c.TakeOverNone(older); len(c.SaidNone) > len(w.c.SaidNone) {
		w.c = c
		w.encode(s)
	}
}

// concluded records where the session stands after a save. A person who stands on a line
// by its name stays on it, wherever it moves.
func (s *Store) concluded(ctx context.Context, w *work, p place, err error) (Saved, error) {
	if err != nil {
		return Saved{}, err
	}
	sayContinues(&w.saved, w.follows)
	if p.lost {
		w.saved.Warnings = append(w.saved.Warnings, "the checkpoint that this session last saw is gone; this one continues the line")
	}
	w.saved.Aside = w.aside && p.forked
	if !w.saved.Aside && (s.o.Session != "" || p.stand.Seen != "" || p.stand.Ref != "" && p.stand.Ref != headRef(p.stand.Line)) {
		p.stand.Seen, p.stand.Ref = w.saved.ID, p.ref
		if err := s.keepStand(p.stand); err != nil {
			w.saved.Warnings = append(w.saved.Warnings, err.Error())
		}
	}
	w.saved.Warnings = append(w.saved.Warnings, s.tookBack()...)
	s.advanceCache(p, w.saved.ID)
	if w.c.Agent != sage.Rules && !w.correction {
		if err := s.confirmBelow(ctx, w.saved.Followed); err != nil {
			w.saved.Warnings = append(w.saved.Warnings, err.Error())
		}
	}
	w.saved.Explored, w.saved.Changed, w.saved.CodeRefs = len(w.c.FilesExplored), len(w.c.FilesChanged), len(w.c.CodeRefs)
	return w.saved, nil
}

// sayContinues names the thought that a save follows, behind any removals; one without an
// id is none.
func sayContinues(saved *Saved, r Record) {
	if r.ID == "" {
		return
	}
	saved.Follows, saved.Continues, saved.Followed = r.ID, r.Description, r
	if r.Thesis == sage.NeedsSynthesis {
		saved.Unsettling = true
		saved.Warnings = append(saved.Warnings, "this follows a merge that nobody settled")
	}
}

// prepare returns what is to be written: a copy with what the store knows
// filled in and secrets taken out. It fails closed.
func (s *Store) prepare(d Draft) (*sage.Checkpoint, []redact.Finding, error) {
	c := d.Checkpoint.Clone()
	if now := s.o.Now(); c.Time.IsZero() || c.Time.After(now) { // a thought is no younger than its record
		c.Time = now
	}
	c.Time = inGit(c.Time)
	if c.Trigger == "" {
		c.Trigger = sage.Manual
	}
	if c.Session == "" {
		c.Session = s.o.Session
	}
	if c.Agent == "" {
		c.Agent = s.o.Agent
	}
	c.SettleNone()
	found, err := s.o.Redact.Checkpoint(c)
	if err != nil {
		return nil, nil, fmt.Errorf("look for secrets: %w: nothing was saved", err)
	}
	return c, found, nil
}

// attempt writes the commit and moves the ref, then makes sure that what it
// acknowledges is there.
func (s *Store) attempt(ctx context.Context, w *work, p place, also ...move) error {
	if n := len(w.blob.Data); n > sage.MaxSize { // escapes and placeholders made it longer than its texts
		return fmt.Errorf("the checkpoint takes %d bytes, and has at most %d: nothing was saved", n, sage.MaxSize)
	}
	m := message(w.c, w.kind, w.saved.Description, w.trailers...)
	if w.sign { // git writes the commit, and looks for its tree
		w.stop() // a person may take longer than the git that moves refs may wait
		if err := s.put(ctx, w.blob, w.tree); err != nil {
			return err
		}
	}
	o, err := s.commit(ctx, w, commit{
		tree: w.tree.ID, parents: p.parents, message: m,
		author: w.author.stamp(w.c.Time.In(w.now.Location())), committer: w.committer.stamp(w.now),
	})
	if err != nil {
		return err
	}
	mover := w.takeMover()
	if mover == nil {
		if mover, err = s.mover(ctx, w.why()); err != nil {
			return err
		}
	}
	moves := append([]move{{p.ref, p.old, o.ID}}, also...)
	said, err := mover.moveTo(ctx, []loose.Object{w.blob, w.tree, o}, moves, func() error { return s.stillThere(p) }, making{ids: []string{o.ID}, mixed: w.c.Elsewhere})
	if err != nil {
		return err
	}
	w.saved.ID, w.saved.Ref, w.saved.Line, w.saved.Parents, w.saved.Forked = o.ID, p.ref, p.line, p.parents, p.forked
	w.saved.Warnings = append(w.saved.Warnings, said...)
	return nil
}

// stillThere returns errPurgedMeanwhile if a purge took away what a save continues
// and compare-and-swap does not guard: parents that are not the value of its ref.
func (s *Store) stillThere(p place) error {
	for _, id := range p.parents {
		if id != p.old && s.standIn(id) != id {
			return errPurgedMeanwhile
		}
	}
	return nil
}
