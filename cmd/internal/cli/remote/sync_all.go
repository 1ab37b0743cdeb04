package remote

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/cmd/internal/wire"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/recall"
)

// syncAll syncs with every remote that is shared with, and ends with the status of the worst.
// What a later one brought goes to those before it as well.
func syncAll(ctx context.Context, a *app.App, o syncOptions) error {
	m, err := a.Open(ctx)
	if err != nil {
		return err
	}
	names, err := sharedWith(ctx, m)
	if err != nil {
		return err
	}
	worst := exit.OK
	failed := map[string]bool{}
	with := func(name string) {
		var out gitstore.Synced
		if o.dryRun {
			err = foreseeWith(ctx, a, m, name, true, o.quiet)
		} else if out, err = exchangeWith(ctx, a, m, name, true, sync); err == nil || errors.Is(err, exit.ErrNo) {
			if e := sayOf(a, out, o.quiet); e != nil {
				err = e
			}
		}
		status := failure(a, name, err)
		worst, failed[name] = max(worst, status), status > exit.OK
	}
	for _, name := range names {
		if with(name); ctx.Err() != nil {
			return ctx.Err()
		}
	}
	for _, name := range names {
		if plan, err := m.Store.Remotes.Unpushed(ctx, name); err == nil && len(plan) > 0 && !failed[name] && !o.dryRun {
			with(name)
		}
	}
	if worst != exit.OK {
		return exit.Status(worst)
	}
	return nil
}

// sharedWith are the remotes that are shared with, in the order in which that was said.
func sharedWith(ctx context.Context, m *recall.Memory) (names []string, err error) {
	there, err := m.Store.Repo.Remotes(ctx)
	if err != nil {
		return nil, err
	}
	for _, s := range m.Store.Remotes.Said() {
		if len(s.Push) > 0 && slices.Contains(there, s.Remote) {
			names = append(names, s.Remote)
		}
	}
	if len(names) == 0 {
		return nil, exit.WithHint(errors.New("the memory is shared with no remote"), "'git sage share <remote>' says what would leave, and asks")
	}
	return names, nil
}

// failure tells in a line why a remote was not synced with, and returns the status for that.
func failure(a *app.App, name string, err error) int {
	switch {
	case err == nil:
		return exit.OK
	case errors.Is(err, exit.ErrNo): // which was told
		return 1
	case a.JSON:
		_ = a.PrintJSON(wire.Synced{Remote: name, Gone: []string{}, Held: []string{}, Sent: []wire.Sent{}, Failed: exit.Message(err)})
	default:
		fmt.Fprintf(a.Err, "error: '%s': %s\n", term.Visible(name), term.Visible(a.Typed(strings.TrimPrefix(exit.Message(err), "remote '"+name+"': "))))
	}
	return exit.Fatal
}

// sayOf tells in a line what a sync with one of several remotes did.
func sayOf(a *app.App, out gitstore.Synced, quiet bool) error {
	if quiet || a.JSON {
		return nil
	}
	var parts []string
	came := slices.DeleteFunc(slices.Clone(out.Merged), func(f gitstore.Fetched) bool { return f.Old == f.New })
	if len(came) > 0 {
		parts = append(parts, "took in "+legible.Count(len(came), "ref"))
	}
	sent := slices.DeleteFunc(slices.Clone(out.Pushed.Sent), func(s gitstore.Sent) bool { return s.Err != nil })
	if len(sent) > 0 {
		parts = append(parts, "sent "+counted(sent))
	}
	if n := len(out.Pushed.Off); n > 0 {
		parts = append(parts, "removed "+legible.Count(n, "fork"))
	}
	if len(parts) == 0 {
		parts = []string{"up to date"}
		if undone(out) {
			parts = []string{"nothing new"}
		}
	}
	_, err := fmt.Fprintf(a.Out, "%s: %s\n", term.Visible(out.Remote), strings.Join(parts, ", "))
	return err
}
