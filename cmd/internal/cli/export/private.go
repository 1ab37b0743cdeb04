package export

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/recall"
)

// leftOut is what an export leaves out because it is private.
type leftOut struct {
	checkpoints, items int
	lines              []string // that the checkpoints are of
}

func (l leftOut) say(a *app.App) {
	if l.checkpoints > 0 {
		verb := "hold"
		if l.checkpoints == 1 {
			verb = "holds"
		}
		a.Say("left out %s that %s what is private on %s", legible.Count(l.checkpoints, "checkpoint"), verb, strings.Join(l.lines, ", "))
	}
	if l.items > 0 {
		a.Say("left out %s", legible.Count(l.items, "private item"))
	}
}

// errNothing is that the options choose no checkpoint.
var errNothing = errors.New("nothing to export")

// toExport are the records that the options choose, children first, tombstones among them,
// without what is private and was not asked for. None is [errNothing].
func toExport(ctx context.Context, m *recall.Memory, o *exportOptions) (kept []gitstore.Record, left leftOut, err error) {
	q := m.Session.Query()
	q.Line, q.All, q.Removed = o.line, o.all, true
	records, err := m.Store.Commits.Log(ctx, q)
	if err != nil {
		return nil, left, err
	}
	kept = records
	if !o.private {
		if kept, left, err = withoutPrivate(ctx, m, o.line, records); err != nil {
			return nil, left, err
		}
	}
	if slices.ContainsFunc(kept, func(r gitstore.Record) bool { return r.Counts() }) {
		return kept, left, nil
	}
	err = errNothing
	if !o.all {
		err = fmt.Errorf("%w on '%s'", err, cmp.Or(o.line, m.Store.Session.CurrentLine()))
	}
	if left.checkpoints > 0 {
		err = exit.WithHint(fmt.Errorf("%w but what is private", err), "--line %s exports that private line, --private all that is private", left.lines[0])
	}
	return nil, left, err
}

// withoutPrivate leaves out of records what is private on lines that are not named, and what
// was concluded from that: a merge holds what it merged. Records are listed children first.
func withoutPrivate(ctx context.Context, m *recall.Memory, named string, records []gitstore.Record) (kept []gitstore.Record, left leftOut, err error) {
	private, err := m.Store.Repo.PrivateCheckpoints(ctx)
	if err != nil {
		return nil, left, err
	}
	isHeld := func(line string) bool { return named != line && !strings.HasPrefix(named, line+"/") } // or a fork of it
	hidden := map[string]bool{}
	for _, r := range slices.Backward(records) {
		line, ok := private[r.ID]
		if ok = ok && isHeld(line); ok && !slices.Contains(left.lines, line) {
			left.lines = append(left.lines, line)
		}
		if ok || slices.ContainsFunc(r.Parents, func(p string) bool { return hidden[p] }) {
			if hidden[r.ID] = true; r.Counts() {
				left.checkpoints++
			}
		}
	}
	slices.Sort(left.lines)
	lines := m.Store.Repo.PrivateNames()
	for _, r := range records {
		if hidden[r.ID] {
			continue
		}
		r.Names = slices.DeleteFunc(slices.Clone(r.Names), func(n string) bool {
			return slices.ContainsFunc(lines, func(l string) bool { return (n == l || strings.HasPrefix(n, l+"/")) && isHeld(l) })
		})
		kept = append(kept, r)
	}
	return kept, left, nil
}

// PrivateLines are the private lines whose checkpoints a checkpoint holds: its own, or those
// that were merged into it.
func PrivateLines(ctx context.Context, m *recall.Memory, id string) ([]string, error) {
	if len(m.Store.Repo.PrivateNames()) == 0 {
		return nil, nil
	}
	records, err := m.Store.Commits.Log(ctx, gitstore.Query{Revs: []string{id}, Removed: true})
	if err != nil {
		return nil, err
	}
	kept, left, err := withoutPrivate(ctx, m, "", records)
	if err != nil || slices.ContainsFunc(kept, func(r gitstore.Record) bool { return r.ID == id }) {
		return nil, err
	}
	return left.lines, nil
}
