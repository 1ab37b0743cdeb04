package review

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/cli/checkpoint"
	"github.com/git-sage/git-sage/cmd/internal/cli/knowledge"
	"github.com/git-sage/git-sage/cmd/internal/draft"
	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/cmd/internal/item"
	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/recall"
	"github.com/git-sage/git-sage/recall/review"
)

// act does what a key says. done is that nothing is left to decide now.
// Nothing is done to what is not as it was shown.
func (r *reviewer) act(ctx context.Context, key byte, w review.Waiting) (done bool, err error) {
	if w.Kind == review.WaitsConflict && strings.IndexByte("kas", key) >= 0 {
		return false, errNotOffered
	}
	if key != 'n' && key != ' ' {
		if err := r.m.Review.StillWaiting(ctx, w); err != nil {
			return false, err
		}
	}
	switch key {
	case 'k':
		return true, r.keep(ctx, w)
	case 'a':
		r.all = w.Kind
		return true, r.keep(ctx, w)
	case 'n', ' ':
		return true, nil
	case 'd':
		err = r.drop(ctx, w)
	case 'e':
		err = r.edit(ctx, w)
	case 's':
		err = r.supersede(ctx, w)
	case 'r':
		if err = errNotOffered; w.IsForeign() {
			err = refuse(ctx, r.a, r.m, []string{cmp.Or(w.Record.ID, w.Item.Key)}, true, false)
		}
	case 't':
		if err = errNotOffered; w.IsForeign() {
			return false, r.trustAuthor(ctx, w)
		}
	case 'v':
		return false, r.view(ctx, w)
	default:
		return false, nil
	}
	if err == nil {
		r.done++
	}
	return err == nil, err
}

func (r *reviewer) keep(ctx context.Context, w review.Waiting) error {
	err := r.m.Review.KeepWaiting(ctx, w)
	if err == nil {
		r.done++
	}
	return err
}

// drop removes something, and says how it comes back.
func (r *reviewer) drop(ctx context.Context, w review.Waiting) error {
	switch w.Kind {
	case review.WaitsOpposes:
		return errNotOffered
	case review.WaitsCheckpoint:
		return checkpoint.Remove(ctx, r.a, []string{w.Record.ID}, false)
	case review.WaitsCore:
		return knowledge.UnmarkCore(ctx, r.a, []string{w.Core.Path})
	}
	change := w.Dropping()
	if change.Remove {
		return item.RemoveShown(ctx, r.a, r.m, []gitstore.ItemChange{change}, false)
	}
	written, err := r.m.Write.Items(ctx, "", recall.ItemChange{ItemChange: change})
	if err != nil {
		return err
	}
	return item.PrintWritten(r.a, "changed", []string{change.Key}, written, false)
}

// edit lets the person correct something. A checkpoint that was corrected gives way to its
// correction, on its own line.
func (r *reviewer) edit(ctx context.Context, w review.Waiting) error {
	switch w.Kind {
	case review.WaitsCore, review.WaitsOpposes:
		return errNotOffered
	case review.WaitsCheckpoint:
		o := checkpoint.EditOptions{Fields: draft.AddFields(&cobra.Command{}), Instead: true, Line: w.Line}
		if strings.Contains(w.Line, "/") { // a fork: the correction is another beside it
			o.Instead, o.Line = false, ""
		}
		if err := checkpoint.Edit(ctx, r.a, &o, w.Record.ID); err != nil {
			return err
		}
		return checkpoint.Remove(ctx, r.a, []string{w.Record.ID}, true)
	}
	m, err := r.a.Open(ctx)
	if err != nil {
		return err
	}
	return item.Edit(ctx, r.a, m, w.Item.Key, "", "git sage knowledge edit "+w.Item.Key+" -F", false)
}

// trustAuthor trusts whoever signed something.
func (r *reviewer) trustAuthor(ctx context.Context, w review.Waiting) error {
	s, err := r.m.Review.Signer(ctx, w)
	if errors.Is(err, review.ErrUnsigned) {
		return exit.WithHint(err, "'git sage trust <remote>' trusts all that comes by a remote")
	}
	if err != nil {
		return err
	}
	return trust(ctx, r.a, r.m, s)
}

var errNotOffered = errors.New("the line above says which keys there are")

// supersede says which item counts in the place of another.
func (r *reviewer) supersede(ctx context.Context, w review.Waiting) error {
	old, by := w.Item, ""
	switch w.Kind {
	case review.WaitsCheckpoint, review.WaitsCore, review.WaitsOpposes:
		return errNotOffered
	case review.WaitsRepeat, review.WaitsDiffer:
		old, by = w.Other, w.Item.Key
	default:
		fmt.Fprintf(r.a.Out, "id of the item that supersedes '%s': ", term.Visible(old.Key))
		var err error
		if by, err = r.a.ReadLine(); err != nil || by == "" {
			return errors.Join(err, exit.ErrNo)
		}
	}
	return knowledge.Deprecate(ctx, r.a, knowledge.DeprecateOptions{By: by, Reason: "superseded", Seen: old.Blob}, []string{old.Key})
}

// view shows all of something.
func (r *reviewer) view(ctx context.Context, w review.Waiting) error {
	switch w.Kind {
	case review.WaitsCore:
		return errNotOffered
	case review.WaitsCheckpoint:
		return checkpoint.Show(ctx, r.a, r.m, checkpoint.ShowOptions{Full: true}, w.Record.ID)
	case review.WaitsOpposes:
		return errors.Join(
			checkpoint.Show(ctx, r.a, r.m, checkpoint.ShowOptions{Full: true}, w.Opposed.Newer.ID),
			checkpoint.Show(ctx, r.a, r.m, checkpoint.ShowOptions{Full: true}, w.Opposed.Older.ID))
	}
	for _, k := range []recall.Known{w.Item, w.Other} {
		if k.Item != nil {
			if err := item.Show(ctx, r.a, r.m, k.Key, false); err != nil {
				return err
			}
		}
	}
	return nil
}
