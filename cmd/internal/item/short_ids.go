package item

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/recall"
)

// ellipsis ends an id of an item that is shown in part, and one that is typed so.
const ellipsis = "…"

// ShortIDs cuts ids that are longer than a width, so that what is left is that of no
// other of all ids, which are sorted.
func ShortIDs(all []string, width int) func(string) string {
	return func(id string) string {
		i, found := slices.BinarySearch(all, id)
		if !found || len(id) <= width {
			return id
		}
		n := width - 1
		if i > 0 {
			n = max(n, sharedLen(id, all[i-1])+1)
		}
		if i+1 < len(all) {
			n = max(n, sharedLen(id, all[i+1])+1)
		}
		if n >= len(id)-1 {
			return id
		}
		return id[:n] + ellipsis
	}
}

// sharedLen is how many bytes two ids begin with alike.
func sharedLen(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// TakeShortIDs lets a command take ids of items as lists show them, cut with an ellipsis
// or three points at the end.
func TakeShortIDs(a *app.App, c *cobra.Command) *cobra.Command {
	run := c.RunE
	c.RunE = func(c *cobra.Command, args []string) error {
		whole, err := wholeIDs(c.Context(), a, args)
		if err != nil {
			return err
		}
		return run(c, whole)
	}
	return c
}

// wholeIDs are arguments with the ids that are cut in full. A name without an ellipsis is
// meant as it stands: an id may well be the beginning of another.
func wholeIDs(ctx context.Context, a *app.App, args []string) ([]string, error) {
	cut := func(arg string) (begins, when string, ok bool) {
		id, when, old := strings.Cut(arg, "@{")
		if old {
			when = "@{" + when
		}
		begins = strings.TrimSuffix(strings.TrimSuffix(id, ellipsis), "...")
		return begins, when, begins != id && begins != ""
	}
	if !slices.ContainsFunc(args, func(arg string) bool { _, _, ok := cut(arg); return ok }) {
		return args, nil
	}
	m, err := a.Open(ctx)
	if err != nil {
		return nil, err
	}
	items, err := m.Knowledge.Items(ctx, recall.ItemQuery{All: true})
	if err != nil {
		return nil, err
	}
	whole := slices.Clone(args)
	for i, arg := range args {
		begins, when, ok := cut(arg)
		if !ok {
			continue
		}
		var ids []string
		for _, k := range items {
			if strings.HasPrefix(k.Item.ID, begins) {
				ids = append(ids, k.Item.ID)
			}
		}
		switch len(ids) {
		case 0:
		case 1:
			whole[i] = ids[0] + when
		default:
			return nil, fmt.Errorf("'%s' is ambiguous: %s", term.Visible(arg), term.Some(ids))
		}
	}
	return whole, nil
}
