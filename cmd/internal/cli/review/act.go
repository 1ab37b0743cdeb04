package review

import (
	"context"
	"errors"
	"fmt"
	"slices"
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

// A key is what a person types for an act.
type key struct {
	key       byte
	act, word string
}

// keys are those of all acts, in the order in which they are offered.
var keys = []key{
	{'k', review.Keep, "[k]eep"},
	{'e', review.Edit, "[e]dit"},
	{'d', review.Drop, "[d]rop"},
	{'r', review.Refuse, "[r]efuse"},
	{'t', review.Trust, "[t]rust the author"},
	{'s', review.Supersede, "[s]upersede"},
}

// act does what a key says. done is that nothing is left to decide now.
// Nothing is done to what is not as it was shown.
func (r *reviewer) act(ctx context.Context, typed byte, w review.Waiting) (done bool, err error) {
	switch typed {
	case 'n', ' ':
		return true, nil
	case 'v':
		if err = r.m.Review.StillWaiting(ctx, w); err == nil {
			err = r.view(ctx, w)
		}
		return false, err
	case 'a':
		if done, err = r.act(ctx, 'k', w); done {
			r.all = w.Kind
		}
		return done, err
	}
	i := slices.IndexFunc(keys, func(k key) bool { return k.key == typed })
	switch {
	case i < 0:
		return false, nil
	case !slices.Contains(w.Acts(), keys[i].act):
		return false, errNotOffered
	case keys[i].act == review.Edit:
		if err = r.m.Review.StillWaiting(ctx, w); err == nil {
			err = r.edit(ctx, w)
		}
	default:
		err = r.judge(ctx, w, keys[i].act)
	}
	done = err == nil
	if done && keys[i].act == review.Trust { // which leaves open what becomes of what it does not reach
		done = errors.Is(r.m.Review.StillWaiting(ctx, w), gitstore.ErrChanged)
	}
	if done {
		r.done++
	}
	return done, err
}

// judge does an act, and prints what it did and how that is undone.
func (r *reviewer) judge(ctx context.Context, w review.Waiting, act string) error {
	by := ""
	if act == review.Supersede && !w.IsPair() {
		fmt.Fprintf(r.a.Out, "id of the item that supersedes '%s': ", term.Visible(w.Item.Key))
		var err error
		if by, err = r.a.ReadLine(); err != nil || by == "" {
			return errors.Join(err, exit.ErrNo)
		}
	}
	done, err := r.m.Review.Judge(ctx, w, act, by)
	switch {
	case err != nil:
		return item.Missing(ctx, r.m, err)
	case act == review.Trust:
		return printTrusted(r.a, done.Trusted)
	case act == review.Refuse:
		return refusable{w.Item, done.Refused}.print(r.a, true, false)
	case act == review.Supersede:
		old := w.Item.Key
		if w.IsPair() {
			old = w.Other.Key
		}
		err = item.PrintWritten(r.a, "deprecated", []string{old}, done.Written, false)
		knowledge.HintDeprecated(r.a, old)
		return err
	case act != review.Drop:
		return nil
	case w.Kind == review.WaitsCheckpoint:
		return checkpoint.PrintRemoved(r.a, done.Removed, false)
	case w.Kind == review.WaitsCore:
		r.a.Say("'%s' is no longer a core file", w.Core.Path)
		return nil
	}
	return item.PrintRemoved(ctx, r.a, r.m, []string{w.Item.Key}, done.Written, false)
}

// edit lets the person correct something. A checkpoint that was corrected gives way to its
// correction, on its own line.
func (r *reviewer) edit(ctx context.Context, w review.Waiting) error {
	if w.Kind == review.WaitsCheckpoint {
		o := checkpoint.EditOptions{Fields: draft.AddFields(&cobra.Command{}), Instead: true, Line: w.Line}
		if strings.Contains(w.Line, "/") { // a fork: the correction is another beside it
			o.Instead, o.Line = false, ""
		}
		if err := checkpoint.Edit(ctx, r.a, &o, w.Record.ID); err != nil {
			return err
		}
		return checkpoint.Remove(ctx, r.a, []string{w.Record.ID}, true)
	}
	return item.Edit(ctx, r.a, r.m, w.Item.Key, "", "git sage knowledge edit "+w.Item.Key+" -F", false)
}

var errNotOffered = errors.New("the line above says which keys there are")

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
