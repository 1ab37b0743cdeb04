package item

import (
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/cmd/internal/wire"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/merge"
	"github.com/git-sage/git-sage/gitstore/sage/naming"
	"github.com/git-sage/git-sage/recall"
)

// Args takes ids: from least to most of them; most < 0 is any number.
func Args(least, most int, names ...string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		for i, arg := range args {
			if arg == "" && (i >= len(names) || names[i] == "id" || names[i] == "name") {
				return usage.Errorf("an id is empty")
			}
		}
		if len(args) < least {
			return usage.Errorf("<%s> is missing", names[len(args)])
		}
		return usage.RangeArgs(least, most, append([]string{"item"}, names[1:]...)...)(c, args)
	}
}

// Missing says which id was perhaps meant by one that is not there.
func Missing(ctx context.Context, m *recall.Memory, err error) error {
	var missing *gitstore.NoItemError
	if !errors.As(err, &missing) || missing.When != "" || missing.Kind != "" {
		return err
	}
	items, lerr := m.Knowledge.Items(ctx, recall.ItemQuery{All: true})
	var ids []string
	for _, k := range items {
		if ids = append(ids, k.Item.ID); saysTitle(missing.ID, k.Item) {
			return exit.WithHint(err, "did you mean '%s', which says that?", k.Item.ID)
		}
	}
	if near := naming.Nearest(missing.ID, ids); lerr == nil && near != "" {
		return exit.WithHint(err, "did you mean '%s'?", near)
	}
	return err
}

// saysTitle reports whether who named an item typed what it says and not its id.
func saysTitle(typed string, it *sage.Item) bool {
	bare := func(s string) string { return strings.TrimRight(strings.Join(strings.Fields(s), " "), ".!。！ ") }
	return strings.EqualFold(bare(typed), bare(wire.Title(it)))
}

// Aside is whose an item is, in brackets and with a blank behind, if it came from
// elsewhere.
func Aside(ctx context.Context, m *recall.Memory, k recall.Known) string {
	if t := m.Provenance.TrustShort(ctx, k); t != "" {
		return "(" + t + ") "
	}
	return ""
}

// Status is the status of an item, and whether it waits for a person.
func Status(k recall.Known) string {
	switch {
	case k.Err != nil:
		return "unreadable"
	case len(merge.Conflicts(k.Sent())) > 0:
		return string(k.Item.Status) + " (conflict)"
	}
	return string(k.Item.Status)
}

// OwnMark is what a list says of an item that stays in this clone, or lies in the user's own store.
func OwnMark(k recall.Known) string {
	switch {
	case k.Item.IsPrivate():
		return "private"
	case k.Own:
		return "own"
	}
	return ""
}
