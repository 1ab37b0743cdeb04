package review

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/cmd/internal/wire"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/internal/hint"
	"github.com/git-sage/git-sage/recall"
	"github.com/git-sage/git-sage/recall/review"
	"github.com/git-sage/git-sage/recall/similarity"
	"github.com/git-sage/git-sage/recall/suspect"
)

// A reviewer asks a person about one thing after the other.
type reviewer struct {
	a    *app.App
	m    *recall.Memory
	list []review.Waiting
	all  string // the kind of which all that follows is kept; "" is none
	done int
}

// reviewEach goes through a list until its end or until the person quits.
func reviewEach(ctx context.Context, a *app.App, list []review.Waiting) error {
	r := &reviewer{a: a, m: a.Memory, list: list}
	for i, w := range list {
		if quit, err := r.one(ctx, i, w); quit || err != nil {
			a.Say("%d of %d reviewed", r.done, len(list))
			return err
		}
	}
	a.Say("%d of %d reviewed", r.done, len(list))
	return nil
}

// one asks about one thing until something becomes of it.
func (r *reviewer) one(ctx context.Context, i int, w review.Waiting) (quit bool, err error) {
	switch err := r.m.Review.StillWaiting(ctx, w); {
	case errors.Is(err, gitstore.ErrChanged): // one of two items may be gone since
		return false, nil
	case err != nil:
		return true, err
	}
	if w.Kind == r.all {
		_, err := r.act(ctx, 'k', w)
		return false, err
	}
	if err := r.show(ctx, i, w); err != nil {
		return true, err
	}
	for {
		if _, err := fmt.Fprint(r.a.Out, choices(w, r.a.Width)); err != nil {
			return true, err
		}
		key, err := r.a.ReadKey(ctx)
		if err != nil || key == 'q' {
			fmt.Fprintln(r.a.Out)
			return true, ignoreEOF(err)
		}
		fmt.Fprintf(r.a.Out, "%s\n", term.Visible(string(key)))
		done, err := r.act(ctx, key, w)
		switch {
		case err != nil && ctx.Err() != nil:
			return true, err
		case errors.Is(err, gitstore.ErrChanged): // the next review shows what is there now
			r.a.Warn("%v", err)
			return false, nil
		case err != nil && !errors.Is(err, exit.ErrNo): // which said so
			r.a.Warn("%v", err)
		case done:
			return false, nil
		}
	}
}

func ignoreEOF(err error) error {
	if err == io.EOF {
		return nil
	}
	return err
}

// show prints what a person needs to know to decide, of long texts the beginning.
func (r *reviewer) show(ctx context.Context, i int, w review.Waiting) error {
	return r.a.Print(func(terminal io.Writer) {
		out := &strings.Builder{}
		defer func() { fmt.Fprint(terminal, r.a.Fold(out.String())) }()
		j, p := wire.WaitingOf(ctx, r.m, w), r.a.Palette()
		fmt.Fprintf(out, "\n%s\n", p.Paint("bold", fmt.Sprintf("(%d/%d) %s", i+1, len(r.list), heading(w, j))))
		for line := range strings.Lines(suspect.Text(r.m.Review.Suspect(ctx, w))) {
			fmt.Fprint(out, p.Paint("red", "  suspect, "+term.Visible(strings.TrimSpace(line)))+"\n")
		}
		switch w.Kind {
		case review.WaitsCheckpoint:
			r.showCheckpoint(ctx, out, w.Record)
		case review.WaitsOpposes:
			for _, h := range []similarity.Held{w.Opposed.Newer, w.Opposed.Older} {
				fmt.Fprintf(out, "%s by %s, %s\n%s\n", p.ID(r.a.Short(h.ID)), term.Visible(wire.HeldBy(h)), h.At.Format(time.DateOnly), beginning(h.Thesis))
			}
			fmt.Fprintf(out, "%s brings both together\n", wire.HowToMerge(w.Opposed))
		case review.WaitsCore:
			fmt.Fprintf(out, "%s\n    %s\n", p.ID(term.Visible(j.ID)), term.Visible(j.Title))
		default:
			for _, k := range []recall.Known{w.Item, w.Other} {
				if k.Item != nil {
					fmt.Fprintf(out, "%s, %s\n%s\n", p.ID(term.Visible(k.Key)), k.Item.Added.Format(time.DateOnly), beginning(k.Item.Text()))
				}
				switch {
				case w.Kind == review.WaitsItem && k.Changed == nil:
					for _, said := range besides(r.list, k.Key) {
						fmt.Fprintf(out, "  %s\n", term.Visible(said))
					}
				case w.Kind != review.WaitsItem:
				case k.IsRemoved():
					fmt.Fprintln(out, "  removed; this is as you left it")
				default:
					fmt.Fprintf(out, "  changed, from as you left it to as it was sent:\n%s\n", beginning(k.Changed.Fields().Text(false)))
				}
			}
		}
	})
}

// heading says in a line what something is.
func heading(w review.Waiting, j wire.Waiting) string {
	switch w.Kind {
	case review.WaitsCheckpoint:
		text := "Checkpoint of " + j.Time.Format(time.DateOnly)
		if j.Line != "" {
			text += " on line " + term.Visible(j.Line)
		}
		return text + ", " + term.Visible(j.Why)
	case review.WaitsCore:
		return "Core file, " + term.Visible(j.Why)
	case review.WaitsOpposes:
		return "Two checkpoints that contradict each other in " + w.Differs + ", the newer first"
	case review.WaitsRepeat:
		return "Two items that say the same" + newerFirst(w)
	case review.WaitsDiffer:
		return "Two items that contradict each other in " + w.Differs + newerFirst(w)
	}
	return "Item, " + term.Visible(j.Why)
}

// areSameAge reports whether two items were added within a second, which is what an item
// knows: none is the newer then, and one is shown first.
func areSameAge(w review.Waiting) bool { return w.Item.Item.Added.Equal(w.Other.Item.Added) }

// besides says what in a list an item repeats or contradicts.
func besides(list []review.Waiting, key string) (out []string) {
	for _, w := range list {
		other := w.Other.Key
		if other == key {
			other = w.Item.Key
		} else if w.Item.Key != key {
			continue
		}
		switch w.Kind {
		case review.WaitsRepeat:
			out = append(out, "repeats "+other)
		case review.WaitsDiffer:
			out = append(out, "contradicts "+other+" in "+w.Differs)
		}
	}
	return out
}

func newerFirst(w review.Waiting) string {
	if areSameAge(w) {
		return ", added at once"
	}
	return ", the newer first"
}

// mostShown is how many entries or lines of a text are shown before somebody asks for all.
const mostShown = 8

func (r *reviewer) showCheckpoint(ctx context.Context, out io.Writer, rec gitstore.Record) {
	p := r.a.Palette()
	fmt.Fprintf(out, "%s %s\n", p.ID(r.a.Short(rec.ID)), term.Visible(wire.WaitingTitle(rec)))
	c, err := r.m.Store.Commits.Load(ctx, rec.ID)
	if err != nil {
		fmt.Fprintf(out, "    %s\n", term.Visible(hint.Error(err)))
		return
	}
	if c.CoreQuestion != "" {
		fmt.Fprintf(out, "    Question: %s\n", term.Visible(c.CoreQuestion))
	}
	for i, e := range c.KeyEvidence {
		if i == mostShown {
			fmt.Fprintf(out, "    ... %d more\n", len(c.KeyEvidence)-i)
			break
		}
		fmt.Fprintf(out, "    - %s\n", term.Visible(e))
	}
	if len(c.FilesChanged) > 0 {
		fmt.Fprintf(out, "    Changed: %s\n", term.Visible(term.Some(c.FilesChanged)))
	}
}

// beginning is the first lines of a text, indented.
func beginning(text string) string {
	lines := strings.Split(term.VisibleLines(strings.TrimRight(text, "\n")), "\n")
	if len(lines) > mostShown {
		lines = append(lines[:mostShown:mostShown], "...")
	}
	return "    " + strings.Join(lines, "\n    ")
}

// choices says which keys there are, in lines that fit a terminal; 0 is of any width.
func choices(w review.Waiting, width int) string {
	var words map[string]string
	switch {
	case w.Kind == review.WaitsOpposes || w.IsPair() && !areSameAge(w):
		words = map[string]string{review.Keep: "[k]eep both", review.Drop: "[d]rop the newer", review.Supersede: "[s]upersede the older"}
	case w.IsPair():
		words = map[string]string{review.Keep: "[k]eep both", review.Drop: "[d]rop the first", review.Supersede: "[s]upersede the second"}
	}
	var out []string
	for _, k := range keys {
		if slices.Contains(w.Acts(), k.act) {
			out = append(out, cmp.Or(words[k.act], k.word))
		}
	}
	if w.Kind != review.WaitsCore {
		out = append(out, "[v]iew")
	}
	if out = append(out, "[n]ot now"); w.Kind != review.WaitsConflict {
		out = append(out, "[a]ll of this kind")
	}
	text, at := "", 0
	for _, s := range append(out, "[q]uit:") {
		switch {
		case at == 0:
		case width > 0 && at+2+len(s) >= width: // what is typed stands behind the last
			text, at = text+"\n", 0
		default:
			text, at = text+"  ", at+2
		}
		text, at = text+s, at+len(s)
	}
	return text + " "
}
