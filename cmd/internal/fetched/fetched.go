// Package fetched says what became of memory that was fetched: what came, what disagrees, and
// what to type next.
package fetched

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/cmd/internal/wire"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/internal/hint"
	"github.com/git-sage/git-sage/internal/lists"
	"github.com/git-sage/git-sage/recall"
)

// A Before is what stood before a merge of what was fetched: what was so before is not told.
type Before struct{ removed, disagreed []string }

// Look notes what stands before a merge.
func Look(ctx context.Context, m *recall.Memory) Before {
	removed, _ := m.Store.Commits.RemovedElsewhere(ctx) // what cannot be read keeps nobody from merging
	return Before{removed, m.Store.Knowledge.Disagreeing(ctx)}
}

// Say tells what a merge did, and reports whether something waits for a person: theses that
// disagree, an item or a file that it left in conflict, a tip that was refused.
func (b Before) Say(ctx context.Context, a *app.App, m *recall.Memory, list []gitstore.Fetched, quiet bool) (waits bool, err error) {
	keepFetched(ctx, m)
	_, _ = m.Similarity.Opposing(ctx) // kept for the next save; what cannot be compared is asked again
	a.Acted = "the merge is done: 'git sage log --all' shows what came"
	named := map[string]bool{}
	hintPurged(a, list)
	hintBuried(ctx, a, m.Store, b.removed)
	hintBeside(a, m.Store, list)
	var rows []Row
	for _, f := range list {
		if f.Act == gitstore.FetchedHolds && !a.JSON {
			warnHolds(a, f, named)
			continue
		}
		told, err := tellFetched(a, f, quiet)
		if err != nil {
			return waits, err
		}
		if !told && !quiet {
			rows = append(rows, Row{string(f.Act), f.Ref, f.Old, f.New})
		}
		waits = waits || f.Unsettled || f.Act == gitstore.FetchedRefused
	}
	if err := PrintRows(ctx, a, m, rows); err != nil {
		return waits, err
	}
	hintUnsettled(a, list)
	conflicts := slices.DeleteFunc(m.Store.Knowledge.Disagreeing(ctx), func(file string) bool { return slices.Contains(b.disagreed, file) })
	hintConflicts(a, conflicts)
	return waits || len(conflicts) > 0, nil
}

// Changed reports whether a merge did anything that is told.
func Changed(a *app.App, list []gitstore.Fetched) bool {
	return slices.ContainsFunc(list, func(f gitstore.Fetched) bool { return f.Act != gitstore.FetchedHolds || a.JSON })
}

// hintConflicts names the items and other files of the knowledge that the merge left in
// conflict, and how to settle each. All versions are kept and recalled.
func hintConflicts(a *app.App, files []string) {
	const most = 3
	for _, file := range files[:min(most, len(files))] {
		if id := wire.ItemIDOf(file); id != "" {
			a.Hint("item '%[1]s' is in conflict: 'git sage knowledge show %[1]s' says how to settle it", id)
		} else {
			a.Hint("'%[1]s' is in conflict: 'git show refs/sage/knowledge:%[1]s' shows it", file)
		}
	}
	if more := len(files) - most; more > 0 {
		a.Hint("%d more are in conflict: 'git sage status' lists them", more)
	}
}

// hintBeside says how to follow a line that has moved on from where one stands.
func hintBeside(a *app.App, s *gitstore.Store, list []gitstore.Fetched) {
	ref, seen := s.Session.Position()
	for _, f := range list {
		if f.Ref == ref && seen != "" && f.New != seen && f.New != f.Old && strings.HasPrefix(f.Ref, "refs/sage/heads/") {
			a.Hint("you stay at %[1]s, behind the tip of '%[2]s': 'git sage switch %[2]s' goes to the tip", a.Short(seen), f.Name())
		}
	}
}

// hintPurged says once what to do where somebody purged what refs of ours held.
func hintPurged(a *app.App, list []gitstore.Fetched) {
	var names []string
	detail := ""
	for _, f := range list {
		if f.Act == gitstore.FetchedPurged && f.Detail.Text != "" {
			names, detail = append(names, f.Name()), hint.Note(f.Detail)
		}
	}
	if len(names) > 0 && !a.JSON {
		a.Hint("%s: %s", quotedFew(names), detail)
	}
}

// hintBuried says which checkpoints of one's own somebody elsewhere removed: lists show them as
// before.
func hintBuried(ctx context.Context, a *app.App, s *gitstore.Store, before []string) {
	now, err := s.Commits.RemovedElsewhere(ctx)
	gone := slices.DeleteFunc(now, func(id string) bool { return slices.Contains(before, id) })
	if err != nil || len(gone) == 0 || a.JSON {
		return
	}
	how, were := Buried(a, gone), "was"
	if len(gone) > 1 {
		were = "were"
	}
	a.Hint("%s of yours %s removed elsewhere, and not here: %s", legible.Count(len(gone), "checkpoint"), were, how)
}

// Buried says how to agree with those who removed checkpoints of one's own, or not to.
func Buried(a *app.App, gone []string) string {
	const most = 10
	ids, it := strings.Join(lists.Map(gone[:min(most, len(gone))], a.Short), " "), "it"
	if len(gone) > 1 {
		it = "them"
	}
	if len(gone) > most {
		it = fmt.Sprintf("the first %d", most)
	}
	return fmt.Sprintf("'git sage checkpoint rm %s' removes %s here as well, 'git sage checkpoint restore --removed %s' brings %s back for all", ids, it, ids, it)
}

// warnHolds names a remote that still has what was purged here, once.
func warnHolds(a *app.App, f gitstore.Fetched, named map[string]bool) {
	for _, remote := range f.Remotes {
		if !named[remote] {
			a.Warn("the remote '%s': %s", remote, hint.Note(f.Detail))
		}
		named[remote] = true
	}
}

// keepFetched brings what was merged into the backup, or lets somebody do it that
// nobody waits for. What fails is for doctor to say: the merge is done.
func keepFetched(ctx context.Context, m *recall.Memory) {
	done, err := m.Store.Backup.KeepFetched(ctx)
	if err == nil && !done && m.Stores.Upkeep != nil {
		m.Stores.Upkeep()
	}
}

// tellFetched prints what became of a ref that is no row of a table, and reports whether it did.
func tellFetched(a *app.App, f gitstore.Fetched, quiet bool) (bool, error) {
	if a.JSON {
		return true, a.PrintJSON(wire.FetchedOf(f))
	}
	switch f.Act {
	case gitstore.FetchedRefused:
		from := orElse(strings.Join(f.Remotes, ", "), "our own")
		fmt.Fprintf(a.Err, "error: refused '%s' of %s: %s\n", term.Visible(f.Name()), term.Visible(from), term.Visible(a.Typed(hint.Note(f.Detail))))
		return true, nil
	case gitstore.FetchedWaits:
		if !quiet {
			a.Say("'%s' %s", f.Name(), hint.Note(f.Detail))
		}
		return true, nil
	}
	return false, nil
}

// hintUnsettled says in a line on which lines theses disagree, and how to settle that.
func hintUnsettled(a *app.App, list []gitstore.Fetched) {
	list = slices.DeleteFunc(slices.Clone(list), func(f gitstore.Fetched) bool { return !f.Unsettled })
	names := lists.Map(list, gitstore.Fetched.Name)
	switch {
	case len(names) == 0 || a.JSON:
	case len(names) > 1:
		a.Hint("the theses on %s disagree: 'git sage switch <line>', then 'git sage merge --thesis <synthesis>' settles each", quotedFew(names))
	default:
		first := ""
		if ref, seen := a.Store.Session.Position(); ref != list[0].Ref || seen != "" {
			first = "'git sage switch " + names[0] + "', then "
		}
		a.Hint("the theses on '%[1]s' disagree: 'git sage show %[1]s' shows them, %[2]s'git sage merge --thesis <synthesis>' settles it", names[0], first)
	}
}

// quotedFew are the first few names, and how many there are more.
func quotedFew(names []string) string {
	const most = 3
	short := lists.Map(names, func(name string) string { return "'" + name + "'" })
	if more := len(short) - most; more > 0 {
		short = append(short[:most], fmt.Sprintf("%d more", more))
	}
	return strings.Join(short, ", ")
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}
