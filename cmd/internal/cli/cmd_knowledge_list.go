package cli

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/recall"
)

type itemListOptions struct {
	types, statuses []string
	skill           string
	all             bool
}

func newKnowledgeListCmd(a *app) *cobra.Command {
	var o itemListOptions
	c := &cobra.Command{
		Use:   "list [<options>] [<pattern>...]",
		Short: "List items",
		Long: `Lists what is known here and what is your own, by id: in a table on a terminal,
separated by tabs in a pipe (id, type, status, time of the last change, 'own' if
it lies in your own memory, keywords, title), as objects with --json. A <pattern>
is held against ids. What is archived, deprecated or superseded is left out.`,
		Example: `git sage knowledge list --type preference
git sage knowledge list --status archived 'db-*'`,
		RunE:              func(c *cobra.Command, args []string) error { return a.knowledgeList(c.Context(), o, args) },
		ValidArgsFunction: a.completeItems,
	}
	f := c.Flags()
	f.SortFlags = false
	f.StringArrayVar(&o.types, "type", nil, "only of this `type` (repeatable)")
	f.StringVar(&o.skill, "skill", "", "only of this `skill`")
	f.StringArrayVar(&o.statuses, "status", nil, "only of this `status` (repeatable)")
	f.BoolVar(&o.all, "all", false, "of every status")
	completeWords(c, "type", "type")
	completeWords(c, "status", "status")
	return c
}

func (a *app) knowledgeList(ctx context.Context, o itemListOptions, patterns []string) error {
	q, err := o.query()
	if err != nil {
		return err
	}
	m, err := a.open(ctx)
	if err != nil {
		return err
	}
	items, err := m.Items(ctx, q)
	if err != nil {
		return err
	}
	items = slices.DeleteFunc(items, func(k recall.Known) bool { return !matchesAny(patterns, k.Item.ID) })
	if len(items) == 0 && len(patterns)+len(o.types)+len(o.statuses) == 0 && o.skill == "" {
		a.say("nothing is known yet: 'git sage knowledge add -m <text>' adds an item")
	}
	defer a.page()()
	return a.printItems(items)
}

func (o itemListOptions) query() (recall.ItemQuery, error) {
	q := recall.ItemQuery{Skill: o.skill, All: o.all}
	for _, t := range o.types {
		if !slices.Contains(sage.ItemWords("type"), t) {
			return q, usagef("unknown type '%s': want one of %s", t, strings.Join(sage.ItemWords("type"), ", "))
		}
		q.Types = append(q.Types, sage.ItemType(t))
	}
	for _, s := range o.statuses {
		if !slices.Contains(sage.ItemWords("status"), s) {
			return q, usagef("unknown status '%s': want one of %s", s, strings.Join(sage.ItemWords("status"), ", "))
		}
		q.Statuses = append(q.Statuses, sage.Status(s))
	}
	return q, nil
}

// printItems prints items as fits the output.
func (a *app) printItems(items []recall.Known) error {
	p := a.palette()
	t := table{head: []string{"id", "type", "status", "changed", "in", "keywords", "title"}}
	t.paint = func(column int, cell string) string {
		if column == 0 {
			return p.ID(cell)
		}
		return cell
	}
	for _, k := range items {
		if a.json {
			if err := a.printJSON(toItemJSON(k)); err != nil {
				return err
			}
			continue
		}
		it := k.Item
		t.add(it.ID, string(it.Type), itemStatus(k), a.when(it.Updated), ownMark(k), strings.Join(it.Keywords, ", "), itemTitle(k))
	}
	if a.json {
		return nil
	}
	return t.print(a)
}

// itemStatus is the status of an item, and whether it waits for a person.
func itemStatus(k recall.Known) string {
	switch {
	case k.Err != nil:
		return "unreadable"
	case len(k.Item.Conflicts()) > 0:
		return string(k.Item.Status) + " (conflict)"
	}
	return string(k.Item.Status)
}

func ownMark(k recall.Known) string {
	if k.Own {
		return "own"
	}
	return ""
}

func itemTitle(k recall.Known) string {
	if k.Err != nil {
		return k.Err.Error()
	}
	return titleOf(k.Item)
}

// titleOf is the title of an item for a line of a list: a text may be one long line.
func titleOf(it *sage.Item) string { return clip(visible(it.Title()), 200) }
