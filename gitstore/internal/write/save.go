package write

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/contents"
	"github.com/git-sage/git-sage/gitstore/internal/identity"
	"github.com/git-sage/git-sage/gitstore/internal/journal"
	"github.com/git-sage/git-sage/gitstore/internal/knowledge"
	"github.com/git-sage/git-sage/gitstore/internal/ledger"
	"github.com/git-sage/git-sage/gitstore/internal/loose"
	"github.com/git-sage/git-sage/gitstore/internal/ownership"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
	"github.com/git-sage/git-sage/gitstore/redact"
	"github.com/git-sage/git-sage/gitstore/remedy"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/codec"
)

// Save writes a checkpoint and moves its line on. When it returns nil the
// checkpoint is on disk and stays there; when it returns an error nothing of it
// is reachable.
func (sv *Saver) Save(ctx context.Context, d ledger.Draft) (ledger.Saved, error) {
	saved, err := sv.save(ctx, d)
	if err == nil {
		saved.Warnings = append(saved.Warnings, sv.follow.NoteBranch(ctx, saved.Line)...)
		sv.session.Refollow()
	}
	return saved, err
}

func (sv *Saver) save(ctx context.Context, d ledger.Draft) (ledger.Saved, error) {
	if !d.ByHand {
		d.Before = d.Checkpoint.CodeRefs
	}
	refs, err := sv.repo.TakeRefs(d.Checkpoint.CodeRefs, d.Before)
	if err != nil {
		return ledger.Saved{}, err
	}
	d.Checkpoint.CodeRefs = refs
	c, found, err := sv.prepare(d)
	if err != nil {
		return ledger.Saved{}, err
	}
	w := sv.ledger.NewWork(ctx, c, record.KindCheckpoint, d)
	defer w.Stop()
	w.Saved.Redacted = redact.Merge(w.Saved.Redacted, found)
	if err := sv.repo.Enabled(); err != nil {
		return ledger.Saved{}, err
	}
	w.Fill(ctx, sv.ledger, d.Automatic)
	done := sv.backup.Turn(ctx)
	defer done()
	for range repo.MaxTries {
		p, err := sv.place(ctx, d)
		if err == nil {
			sv.takeOver(ctx, w, p)
			err = sv.attempt(ctx, w, p)
		}
		if !errors.Is(err, journal.ErrMoved) {
			return sv.concluded(ctx, w, p, err)
		}
		time.Sleep(rand.N(3 * time.Millisecond))
	}
	return ledger.Saved{}, fmt.Errorf("save: %w", repo.ErrOutraced)
}

// takeOver finds the thought that a checkpoint continues. If that says of fields that it
// holds nothing in them, so does the checkpoint of those that it does not mention: a merge
// looks at the newest alone. A merge that nobody settled before it stays to be settled.
func (sv *Saver) takeOver(ctx context.Context, w *ledger.Work, p place) {
	w.Follows, w.Trailers = record.Record{}, nil
	if len(p.parents) == 0 {
		return
	}
	id, err := sv.commits.LiveAt(ctx, p.ref, p.parents[0])
	if err != nil || id == "" {
		return
	}
	r, err := sv.commits.CommitRecord(id)
	if err != nil {
		return
	}
	if m := sv.commits.Unsettled(ctx, r); m != nil {
		w.Trailers = [][2]string{{"Unsettled", m.ID}}
	}
	if w.Follows = r; r.Format < record.FormatNone || r.Format > record.FormatVersion {
		return
	}
	older, err := sv.commits.AsStored(id)
	if err != nil {
		return
	}
	c := w.C.Clone()
	if c.TakeOverNone(older); len(c.SaidNone) > len(w.C.SaidNone) {
		w.C = c
		w.Encode(sv.ledger)
	}
}

// concluded records where the session stands after a save. A person who stands on a line
// by its name stays on it, wherever it moves.
func (sv *Saver) concluded(ctx context.Context, w *ledger.Work, p place, err error) (ledger.Saved, error) {
	if err != nil {
		return ledger.Saved{}, err
	}
	sayContinues(&w.Saved, w.Follows)
	if p.lost {
		w.Saved.Warnings = append(w.Saved.Warnings, remedy.Notef("the checkpoint that this session last saw is gone; this one continues the line"))
	}
	w.Saved.Aside = w.Aside && p.forked
	if !w.Saved.Aside && (sv.repo.Options.Session != "" || p.stand.Seen != "" || p.stand.Ref != "" && p.stand.Ref != refname.HeadRef(p.stand.Line)) {
		p.stand.Seen, p.stand.Ref = w.Saved.ID, p.ref
		if err := sv.session.KeepStand(p.stand); err != nil {
			w.Saved.Warnings = append(w.Saved.Warnings, remedy.NoteOf(err))
		}
	}
	w.Saved.Warnings = append(w.Saved.Warnings, remedy.Notes(sv.backup.TookBack())...)
	sv.advanceCache(p, w.Saved.ID)
	if w.C.Agent != sage.Rules && !w.Correction {
		if err := sv.confirm.ConfirmBelow(ctx, w.Saved.Followed); err != nil {
			w.Saved.Warnings = append(w.Saved.Warnings, remedy.NoteOf(err))
		}
	}
	w.Saved.Explored, w.Saved.Changed, w.Saved.CodeRefs = len(w.C.FilesExplored), len(w.C.FilesChanged), len(w.C.CodeRefs)
	return w.Saved, nil
}

// sayContinues names the thought that a save follows, behind any removals; one without an
// id is none.
func sayContinues(saved *ledger.Saved, r record.Record) {
	if r.ID == "" {
		return
	}
	saved.Follows, saved.Continues, saved.Followed = r.ID, r.Description, r
	if r.Thesis == sage.NeedsSynthesis {
		saved.Unsettling = true
		saved.Warnings = append(saved.Warnings, remedy.Notef("this continues an unsettled merge"))
	}
}

// prepare returns what is to be written: a copy with what the store knows
// filled in and secrets taken out. It fails closed.
func (sv *Saver) prepare(d ledger.Draft) (*sage.Checkpoint, []redact.Finding, error) {
	c := d.Checkpoint.Clone()
	if now := sv.repo.Options.Now(); c.Time.IsZero() || c.Time.After(now) { // a thought is no younger than its record
		c.Time = now
	}
	c.Time = identity.InGit(c.Time)
	if c.Trigger == "" {
		c.Trigger = sage.Manual
	}
	if c.Session == "" {
		c.Session = sv.repo.Options.Session
	}
	if c.Agent == "" {
		c.Agent = sv.repo.Options.Agent
	}
	c.SettleNone()
	found, err := sv.repo.Options.Redact.Checkpoint(c)
	if err != nil {
		return nil, nil, fmt.Errorf("look for secrets: %w; nothing was saved", err)
	}
	return c, found, nil
}

// leavePrivate leaves out of a checkpoint that may be shared the private items that were in front of
// its author: their ids say what they are about. One that others have as well stays.
func (sv *Saver) leavePrivate(w *ledger.Work, line string) {
	if len(w.C.KnowledgeRecalled) == 0 || sv.repo.IsPrivate(line) {
		return
	}
	state := sv.history.State()
	shared := slices.DeleteFunc(slices.Clone(w.C.KnowledgeRecalled), func(id string) bool {
		path := knowledge.ItemPath(id)
		return contents.IsItemPath(path) && sv.contents.HasFile(state, contents.Private(path)) && !sv.contents.HasFile(state, path)
	})
	if len(shared) < len(w.C.KnowledgeRecalled) {
		c := w.C.Clone()
		c.KnowledgeRecalled, w.C = shared, c
		w.Encode(sv.ledger)
	}
}

// attempt writes the commit and moves the ref, then makes sure that what it
// acknowledges is there.
func (sv *Saver) attempt(ctx context.Context, w *ledger.Work, p place, also ...journal.Move) error {
	sv.leavePrivate(w, p.line)
	if n := len(w.Blob.Data); n > codec.MaxSize { // escapes and placeholders made it longer than its texts
		return fmt.Errorf("the checkpoint has %d bytes, more than the limit of %d; nothing was saved", n, codec.MaxSize)
	}
	m := record.Message(w.C, w.Kind, w.Saved.Description, w.Trailers...)
	if w.Sign { // git writes the commit, and looks for its tree
		w.Stop() // a person may take longer than the git that moves refs may wait
		if err := sv.backup.Put(ctx, w.Blob, w.Tree); err != nil {
			return err
		}
	}
	o, err := sv.ledger.Commit(ctx, w, record.Commit{
		Tree: w.Tree.ID, Parents: p.parents, Message: m,
		Author: w.Author.Stamp(w.C.Time.In(w.Now.Location())), Committer: w.Committer.Stamp(w.Now),
	})
	if err != nil {
		return err
	}
	mover := w.TakeMover()
	if mover == nil {
		if mover, err = sv.ledger.Mover(ctx, w.Why()); err != nil {
			return err
		}
	}
	moves := append([]journal.Move{{Ref: p.ref, Old: p.old, New: o.ID}}, also...)
	said, err := mover.MoveTo(ctx, []loose.Object{w.Blob, w.Tree, o}, moves, func() error { return sv.stillThere(p) }, ownership.Making{IDs: []string{o.ID}, Mixed: w.C.Elsewhere})
	if err != nil {
		return err
	}
	w.Saved.ID, w.Saved.Ref, w.Saved.Line, w.Saved.Parents, w.Saved.Forked = o.ID, p.ref, p.line, p.parents, p.forked
	w.Saved.Warnings = append(w.Saved.Warnings, said...)
	return nil
}

// stillThere returns ErrPurgedMeanwhile if a purge took away what a save continues
// and compare-and-swap does not guard: parents that are not the value of its ref.
func (sv *Saver) stillThere(p place) error {
	for _, id := range p.parents {
		if id != p.old && sv.rewritten.StandIn(id) != id {
			return ledger.ErrPurgedMeanwhile
		}
	}
	return nil
}
