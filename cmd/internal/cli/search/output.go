package search

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/item"
	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/cmd/internal/wire"
	"github.com/git-sage/git-sage/codeindex"
	"github.com/git-sage/git-sage/recall"
	"github.com/git-sage/git-sage/recall/provenance"
	"github.com/git-sage/git-sage/recall/rank"
	"github.com/git-sage/git-sage/recall/search"
)

// What a hit is, in a pipe and in JSON; on a terminal a heading says so.
const oneCheckpoint, oneItem, oneCode = "checkpoint", "knowledge", "code"

// A hit is one of either kind, as it is shown.
type hit struct {
	kind, id, title string
	fields          [4]string // confidence or type, trigger or status, time, line or own
	about           []string  // the same for people
	scored          *rank.Scored
}

func hitsOf(ctx context.Context, a *app.App, m *recall.Memory, f *search.Findings) (out []hit) {
	ctx = m.Store.Commits.ViewingOnce(ctx)
	for i := range f.Checkpoints {
		c := &f.Checkpoints[i]
		said := c.Thesis
		if provenance.IsWithheld(m.Provenance.AdmitCheckpoint(ctx, c.Checkpoint)) {
			said = provenance.Suspect
		}
		h := hit{oneCheckpoint, a.Short(c.ID), provenance.BylineOf(c.Checkpoint) + said, [4]string{term.Percent(c.Confidence), string(c.Trigger), a.When(c.Time), c.Line}, nil, &c.Scored}
		if c.Confidence != nil {
			h.about = append(h.about, h.fields[0]+" sure")
		}
		h.about = append(h.about, c.Trigger.Name(), h.fields[2])
		if !c.Here {
			h.about = append(h.about, "line "+c.Line)
		}
		if c.Later != "" {
			h.about = append(h.about, "outdated by "+a.Short(c.Later))
		}
		out = append(out, h)
	}
	for i := range f.Items {
		r := &f.Items[i]
		fields := [4]string{r.Item.Type.Kind(), itemStanding(r), a.When(r.Item.Updated), item.OwnMark(r.Known)}
		out = append(out, hit{oneItem, r.Item.ID, item.Aside(ctx, m, r.Known) + r.Item.Title(), fields, fields[:], &r.Scored})
	}
	return out
}

// itemStanding is the status of an item, and what replaced it.
func itemStanding(r *search.Recalled) string {
	if r.Outdated != "" && r.Outdated != string(r.Item.Status) {
		return item.Status(r.Known) + ", " + r.Outdated
	}
	return item.Status(r.Known)
}

// printHits prints a hit on a line, between tabs, for programs, and for people under a
// heading of its kind, with what is to be known of it below.
func printHits(a *app.App, list []hit, explain bool) error {
	if !a.TTY && !explain {
		t := term.Table{Paint: func(column int, cell string) string {
			if column == 2 {
				return a.Palette().ID(cell)
			}
			return cell
		}}
		for _, h := range list {
			t.Add(append([]string{h.kind, h.score(), h.id}, append(h.fields[:], term.Clip(term.Visible(h.title), 200))...)...)
		}
		return t.Print(&a.Terminal)
	}
	return a.Print(func(w io.Writer) {
		kind := ""
		for _, h := range list {
			if h.kind != kind {
				writeHeading(a, w, h.kind, kind != "")
				kind = h.kind
			}
			writeHit(a, w, h, explain)
		}
	})
}

func writeHeading(a *app.App, w io.Writer, kind string, behind bool) {
	if behind {
		fmt.Fprintln(w)
	}
	heading := map[string]string{oneCheckpoint: "Checkpoints", oneItem: "Knowledge", oneCode: "Code"}[kind]
	fmt.Fprintln(w, a.Palette().Paint("bold", heading))
}

func writeHit(a *app.App, w io.Writer, h hit, explain bool) {
	p, width := a.Palette(), a.Width
	if width == 0 {
		width = 200
	}
	const indent = "      "
	room := max(10, width-len(indent))
	id := term.Visible(h.id)
	fmt.Fprintf(w, "%4s  %s  %s\n", h.score(), p.ID(id), term.Clip(term.Visible(h.title), max(10, room-len(id)-2)))
	fmt.Fprintln(w, indent+p.Paint("dim", term.Clip(term.Visible(strings.Join(said(h.about), ", ")), room)))
	if explain {
		for line := range strings.SplitSeq(a.Fold(indent+term.Visible(h.scored.Explain())), "\n") {
			fmt.Fprintln(w, p.Paint("dim", line))
		}
	}
}

func (h hit) score() string { return fmt.Sprintf("%.0f%%", 100*h.scored.Score) }

// said are the words that are not empty.
func said(words []string) []string {
	return slices.DeleteFunc(slices.Clone(words), func(s string) bool { return s == "" })
}

func printFoundJSON(ctx context.Context, a *app.App, m *recall.Memory, f *search.Findings, code []codeindex.Hit) error {
	for _, c := range f.Checkpoints {
		if err := a.PrintJSON(wire.FoundCheckpoint(ctx, m, c)); err != nil {
			return err
		}
	}
	for _, r := range f.Items {
		if err := a.PrintJSON(wire.FoundItem(r, m.Provenance.Trust(ctx, r.Known) != "")); err != nil {
			return err
		}
	}
	for _, h := range code {
		if err := a.PrintJSON(wire.FoundCodeOf(h)); err != nil {
			return err
		}
	}
	return nil
}

// codeHits are hits of code as they are shown behind those of the memory.
func codeHits(list []codeindex.Hit) (out []hit) {
	for _, h := range list {
		fields := [4]string{h.Kind, h.Language}
		out = append(out, hit{oneCode, fmt.Sprintf("%s:%d-%d", h.Path, h.First, h.Last), cmp.Or(h.Signature, h.Name), fields, fields[:], &rank.Scored{Score: h.Score}})
	}
	return out
}
