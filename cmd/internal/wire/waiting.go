package wire

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/gitstore/sage/merge"
	"github.com/git-sage/git-sage/prose/cut"
	"github.com/git-sage/git-sage/recall"
	"github.com/git-sage/git-sage/recall/brief"
	"github.com/git-sage/git-sage/recall/provenance"
	"github.com/git-sage/git-sage/recall/review"
	"github.com/git-sage/git-sage/recall/similarity"
	"github.com/git-sage/git-sage/recall/suspect"
)

// Waiting is what review --json prints of one thing that waits.
type Waiting struct {
	Kind    string    `json:"kind"` // checkpoint, item, core, conflict, repeat, differ, opposes or unused
	ID      string    `json:"id"`
	Other   string    `json:"other,omitempty"`   // of two the older
	Differs string    `json:"differs,omitempty"` // in what they differ
	Line    string    `json:"line,omitempty"`    // that holds a checkpoint; the current one where there is none
	Session string    `json:"session,omitempty"`
	Why     string    `json:"why"`
	Title   string    `json:"title"`
	Suspect []string  `json:"suspect,omitempty"` // rules that it breaks, see docs/trust.md; agents are not shown it
	Time    time.Time `json:"time,omitzero"`
}

// WaitingOf is one thing that waits, with the reason in words.
func WaitingOf(ctx context.Context, m *recall.Memory, w review.Waiting) Waiting {
	j := Waiting{Kind: w.Kind, ID: WaitingID(w), Differs: w.Differs, Why: why(m, w), Suspect: suspect.Rules(m.Review.Suspect(ctx, w))}
	if len(j.Suspect) > 0 {
		j.Why += "; suspect: " + strings.Join(j.Suspect, ", ")
	}
	switch w.Kind {
	case review.WaitsCheckpoint:
		j.Title, j.Time, j.Line, j.Session = WaitingTitle(w.Record), w.Record.Time, w.Line, w.Record.Session
		return j
	case review.WaitsCore:
		j.Title, j.Time = w.Core.Summary, w.Core.Added
		return j
	case review.WaitsOpposes:
		newer := w.Opposed.Newer
		j.Other, j.Title, j.Time, j.Line = w.Opposed.Older.ID, newer.Thesis, newer.At, newer.Line
		return j
	case review.WaitsRepeat, review.WaitsDiffer:
		j.Other = w.Other.Key
	}
	j.Title, j.Time = ListTitle(w.Item), w.Item.Item.Added
	return j
}

// WaitingID is the id of what waits; of a core file its path.
func WaitingID(w review.Waiting) string {
	switch w.Kind {
	case review.WaitsCheckpoint:
		return w.Record.ID
	case review.WaitsCore:
		return w.Core.Path
	case review.WaitsOpposes:
		return w.Opposed.Newer.ID
	}
	return w.Item.Key
}

// WaitingTitle is the thesis of a checkpoint, behind the description by which lists will
// show it where that is not how the thesis begins.
func WaitingTitle(r gitstore.Record) string {
	d := strings.TrimSuffix(r.Description, "…")
	if r.Thesis == "" || strings.HasPrefix(legible.OneLine(r.Thesis), d) {
		return cmp.Or(r.Thesis, r.Description)
	}
	return r.Description + ": " + r.Thesis
}

// why says in a few words why something waits.
func why(m *recall.Memory, w review.Waiting) string {
	switch w.Kind {
	case review.WaitsCheckpoint:
		return provenance.ByShort(w.Record)
	case review.WaitsItem:
		return provenance.UnconfirmedShort(w.By) + m.Provenance.AdmittedText(w.Item.Own, changedFields(w.Item))
	case review.WaitsCore:
		return provenance.UnconfirmedShort("")
	case review.WaitsConflict:
		return conflictText(w.Item)
	case review.WaitsRepeat:
		return "says the same as " + w.Other.Key
	case review.WaitsDiffer:
		return "differs from " + w.Other.Key + ": " + w.Differs
	case review.WaitsOpposes:
		older := w.Opposed.Older
		return fmt.Sprintf("by %s, contradicts %s by %s, '%s': %s", HeldBy(w.Opposed.Newer), brief.ShortID(older.ID), HeldBy(older), brief.Line(older.Thesis, 80), HowToMerge(w.Opposed))
	}
	return "never recalled"
}

// conflictText says in what versions of an item disagree, and what to type.
func conflictText(k recall.Known) string {
	var fields []string
	for _, c := range merge.Conflicts(k.Item) {
		fields = append(fields, c.String())
	}
	return "in conflict: " + term.Visible(term.Some(fields)) + "; 'git sage knowledge show " + k.Key + "' says how to settle it"
}

// changedFields names in brackets what somebody elsewhere changed of an item.
func changedFields(k recall.Known) string {
	if k.Changed == nil {
		return ""
	}
	var said []string
	for _, f := range k.Changed.Fields().Fields {
		switch {
		case len(f.Added)+len(f.Dropped) > 0:
			for _, x := range f.Added {
				said = append(said, f.Key+" +"+term.Visible(x))
			}
			for _, x := range f.Dropped {
				said = append(said, f.Key+" -"+term.Visible(x))
			}
		case isLong(f.Previously) || isLong(f.Now):
			said = append(said, f.Key)
		default:
			said = append(said, fmt.Sprintf("%s %s -> %s", f.Key, fieldOrNone(f.Previously), fieldOrNone(f.Now)))
		}
	}
	if len(said) == 0 {
		return ""
	}
	return ": " + cut.Runes(strings.Join(said, ", "), 200)
}

// isLong reports whether a value is too long for a list.
func isLong(v any) bool {
	s, ok := v.(string)
	return ok && (len(s) > 60 || strings.Contains(s, "\n"))
}

func fieldOrNone(v any) string {
	if v == nil || v == "" {
		return "none"
	}
	return term.Visible(Text(v))
}

// HeldBy names who holds something.
func HeldBy(h similarity.Held) string {
	if h.Mine {
		return "you"
	}
	return provenance.Name(h.Author, 40)
}

// HowToMerge says how two checkpoints that oppose each other are brought together.
func HowToMerge(o similarity.Opposed) string {
	lines := []string{o.Newer.Line, o.Older.Line} // "" is the current one
	slices.Sort(lines)
	lines = slices.Compact(lines)
	how := ""
	if lines[0] != "" {
		how = "'git sage switch " + term.Visible(lines[0]) + "', then "
	}
	return strings.TrimSpace(how+"'git sage merge "+term.Visible(strings.Join(lines[1:], ""))) + " --thesis <synthesis>'"
}

// RefusedNote says of what has an id that the user refused it, and what takes that back.
func RefusedNote(id string) string {
	return "agents are not shown it; 'git sage refuse --undo " + id + "' takes that back"
}
