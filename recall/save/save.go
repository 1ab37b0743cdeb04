// Package save checks a checkpoint, fills in what can be computed, and saves it.
package save

import (
	"context"
	"slices"
	"time"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/remedy"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/codec"
	"github.com/git-sage/git-sage/gitstore/sage/validate"
	"github.com/git-sage/git-sage/recall/index"
	"github.com/git-sage/git-sage/recall/internal/project"
	"github.com/git-sage/git-sage/recall/internal/session"
	"github.com/git-sage/git-sage/recall/internal/stores"
	"github.com/git-sage/git-sage/recall/internal/templates"
	"github.com/git-sage/git-sage/recall/prompts"
	"github.com/git-sage/git-sage/recall/similarity"
)

// A Saver saves and merges checkpoints.
type Saver struct {
	stores     *stores.Stores
	project    *project.Worktree
	templates  *templates.Renderer
	session    *session.Session
	similarity *similarity.Comparer
	prompts    *prompts.Recaller
}

// New returns a Saver over the rooms that it uses.
func New(
	stores *stores.Stores,
	project *project.Worktree,
	templates *templates.Renderer,
	session *session.Session,
	similarity *similarity.Comparer,
	prompts *prompts.Recaller,
) *Saver {
	return &Saver{
		stores:     stores,
		project:    project,
		templates:  templates,
		session:    session,
		similarity: similarity,
		prompts:    prompts,
	}
}

// A Note is what somebody wants remembered as a checkpoint.
type Note struct {
	Draft    gitstore.Draft
	Template string // "" is what the draft names, else default; its required fields must be given
	Unasked  bool   // saved by itself: nobody is there to give what a template requires
}

// Checkpoint checks n against its template and domain, fills in what can be
// computed, and saves it. What is wrong with n is said in an [InvalidError], and
// then nothing was saved. A note that nobody asked for may lack what a template
// requires, and is refused with [ErrUnsure] below the confidence that its trigger needs,
// with [ErrShallow] while the conversation is short, and with [similarity.ErrRepeats] if it says
// nothing new; of what somebody asked for a warning says so.
func (sv *Saver) Checkpoint(ctx context.Context, n Note) (gitstore.Saved, error) {
	c := n.Draft.Checkpoint.Clone()
	if n.Template != "" {
		c.Template = n.Template
	}
	if err := sv.check(ctx, c, !n.Unasked); err != nil {
		return gitstore.Saved{}, err
	}
	sv.fill(c)
	if n.Unasked {
		if err := sv.worthSaving(ctx, c, n.Draft.Line); err != nil {
			return gitstore.Saved{}, err
		}
		sv.inherit(ctx, n.Draft, c)
	}
	given := slices.Clone(c.CodeRefs)
	noted := sv.surroundings(ctx, n.Draft.NoCode, c)
	for _, r := range c.CodeRefs { // what a session read, its transcript says
		if !slices.Contains(given, r) {
			n.Draft.Before = append(n.Draft.Before, r)
		}
	}
	n.Draft.Checkpoint = *c
	saved, err := sv.stores.Store.Checkpoints.Save(ctx, n.Draft)
	if err == nil && noted != nil {
		noted(saved.ID)
	}
	if err == nil && c.Trigger != sage.Handoff { // which says it again, as it should
		if said := sv.similarity.Repeats(ctx, c, saved); said != "" {
			saved.Warnings = append(saved.Warnings, remedy.Note{Text: said})
		} else if note := sv.opposed(ctx, n, saved); note != nil {
			saved.Warnings = append(saved.Warnings, *note)
		}
	}
	if err == nil { // its author knows what it says
		sv.stores.Complain(sv.prompts.NoteShown(saved.ID))
	}
	sv.keepUp(err)
	sv.keep(saved.ID, err)
	sv.readAhead(ctx, err)
	return saved, err
}

// opposed is what opposes a checkpoint that somebody asked for; nil if nothing.
func (sv *Saver) opposed(ctx context.Context, n Note, saved gitstore.Saved) *remedy.Note {
	if n.Unasked {
		return nil
	}
	return sv.similarity.Opposes(ctx, saved)
}

// worthSaving returns an error that is [Declined] for a checkpoint that nobody asked for
// and nobody would miss.
func (sv *Saver) worthSaving(ctx context.Context, c *sage.Checkpoint, on string) error {
	if err := sureEnough(c); err != nil {
		return err
	}
	if err := sv.DeepEnough(c); err != nil || c.Trigger == sage.Recovery {
		return err
	}
	return sv.similarity.NewEnough(ctx, c, on)
}

// keep lets what led to a checkpoint be kept.
func (sv *Saver) keep(id string, err error) {
	if err == nil && sv.stores.Kept != nil {
		sv.stores.Complain(sv.stores.Kept(id))
	}
}

func (sv *Saver) surroundings(ctx context.Context, none bool, c *sage.Checkpoint) func(id string) {
	if sv.stores.Around == nil || none {
		return nil
	}
	defer codec.Measure(c)
	return sv.stores.Around(ctx, c)
}

// keepUp starts the upkeep behind a save, if it is time.
func (sv *Saver) keepUp(err error) {
	if err == nil && sv.stores.Upkeep != nil && sv.stores.Store.Upkeep.Due() {
		sv.stores.Upkeep()
	}
}

// readAhead has a new checkpoint read for searches in the background, unless a process is at
// it, which goes on to what is new.
func (sv *Saver) readAhead(ctx context.Context, err error) {
	if err != nil || sv.stores.ReadAhead == nil || sv.stores.Background == nil {
		return
	}
	dir := sv.stores.Store.Knowledge.SidecarDir() // the store may be closed by then
	sv.stores.ReadAhead(func() {
		if !index.Busy(ctx, dir) {
			sv.stores.Background()
		}
	})
}

// fill computes what its author need not give.
func (sv *Saver) fill(c *sage.Checkpoint) {
	if c.Trigger == "" {
		c.Trigger = sage.Manual
	}
	if c.Time.IsZero() {
		c.Time = sv.stores.Now().UTC().Truncate(time.Second)
	}
	if c.Project == "" {
		c.Project = sv.project.Name()
	}
	codec.Measure(c)
}

// Merge is [gitstore.Store.Checkpoints].Merge of what was checked as Save checks it, but
// for the fields that a template requires: the sides of the merge have them.
func (sv *Saver) Merge(ctx context.Context, r gitstore.MergeRequest) (gitstore.Merged, error) {
	c := r.Draft.Checkpoint.Clone()
	if r.Confidence != nil {
		c.Confidence = r.Confidence
	}
	if problems := problemsOf(validate.Checkpoint(c)); len(problems) > 0 {
		return gitstore.Merged{}, &InvalidError{Problems: problems}
	}
	merged, err := sv.stores.Store.Checkpoints.Merge(ctx, r)
	sv.keepUp(err)
	if !merged.UpToDate && !merged.FastForward {
		sv.keep(merged.ID, err)
		sv.readAhead(ctx, err)
	}
	return merged, err
}
