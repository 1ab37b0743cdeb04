package line

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/cmd/internal/fetched"
	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
)

// mergeFetched brings refs forward to what `git fetch` put beside them. Its status
// is 1 if something waits for a person.
func mergeFetched(ctx context.Context, a *app.App, o *mergeOptions, remotes []string) error {
	if o.abort || o.edit || o.fields.Given() {
		return usage.Errorf("option '--fetched' takes only remotes and '--quiet'")
	}
	m, err := a.Open(ctx)
	if err != nil {
		return err
	}
	before := fetched.Look(ctx, m)
	list, err := m.Store.Exchange.MergeFetched(ctx, remotes...)
	if errors.Is(err, gitstore.ErrNothing) && len(remotes) == 0 { // it may be that nobody has pushed a memory yet
		a.Say("%v", err)
		for _, h := range exit.Hints(&a.Terminal, err) {
			a.Hint("%s", h)
		}
		return nil
	}
	if err != nil {
		return err
	}
	noted, unnoted := m.Store.Notes.MergeFetched(ctx, remotes...)
	waits, err := before.Say(ctx, a, m, list, o.quiet)
	if err = cmp.Or(err, printNoted(a, noted, o.quiet)); err == nil && noted == 0 && !fetched.Changed(a, list) && !a.JSON && !o.quiet {
		_, err = fmt.Fprintln(a.Out, "Already up to date.")
	}
	if err = cmp.Or(err, unnoted); err == nil && waits {
		err = exit.ErrNo
	}
	return err
}

// printNoted says on how many commits notes came.
func printNoted(a *app.App, n int, quiet bool) (err error) {
	switch {
	case n == 0 || quiet && !a.JSON:
	case a.JSON:
		err = a.PrintJSON(map[string]any{"act": "merged", "ref": "refs/notes/sage", "commits": n})
	default:
		_, err = fmt.Fprintf(a.Out, "%-7s  notes on %s\n", "merged", legible.Count(n, "commit"))
	}
	return err
}
