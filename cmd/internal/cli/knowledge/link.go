package knowledge

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/item"
	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/gitstore/sage"
)

type linkOptions struct{ remove, force, quiet bool }

func newKnowledgeLinkCmd(a *app.App) *cobra.Command {
	var o linkOptions
	c := &cobra.Command{
		Use:   "link [--rm] <id> <kind> <id>",
		Short: "Link an item to another",
		Long: `Link an item to another as related, supersedes, contradicts or extends. Both
items show the link. A superseded item is not recalled while the link exists.`,
		Example: "git sage knowledge link redis-7 supersedes redis-5",
		Args:    item.Args(3, 3, "id", "kind", "id"),
		RunE:    func(c *cobra.Command, args []string) error { return runLink(c.Context(), a, o, args) },
		ValidArgsFunction: func(c *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
			if len(args) == 1 {
				return sage.ItemWords("links"), cobra.ShellCompDirectiveNoFileComp
			}
			return item.Complete(a)(c, args, word)
		},
	}
	f := c.Flags()
	f.SortFlags = false
	f.BoolVar(&o.remove, "rm", false, "remove the link")
	f.BoolVarP(&o.force, "force", "f", false, "link even to an item that does not exist")
	f.BoolVarP(&o.quiet, "quiet", "q", false, "print only warnings")
	return c
}

func runLink(ctx context.Context, a *app.App, o linkOptions, args []string) error {
	kind := strings.ToLower(args[1])
	if !slices.Contains(sage.ItemWords("links"), kind) {
		return usage.Errorf("unknown kind '%s': want one of %s", args[1], strings.Join(sage.ItemWords("links"), ", "))
	}
	link, act, targets := sage.Link{Kind: sage.LinkKind(kind), To: args[2]}, "linked", args[2:]
	if o.remove {
		act = "unlinked"
	}
	if o.remove || o.force {
		targets = nil
	}
	err := linkItems(ctx, a, act, args[:1], targets, o.quiet, func(it *sage.Item) error {
		had := slices.Contains(it.Links, link)
		switch {
		case o.remove && !had:
			return fmt.Errorf("'%s' has no link %s '%s'", it.ID, kind, link.To)
		case o.remove:
			it.Links = slices.DeleteFunc(it.Links, func(l sage.Link) bool { return l == link })
		case !had:
			it.Links = append(it.Links, link)
		}
		return nil
	})
	return orForced(err, targets)
}
