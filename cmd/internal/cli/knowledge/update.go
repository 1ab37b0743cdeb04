package knowledge

import (
	"bytes"
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/cmd/internal/item"
	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/merge"
	"github.com/git-sage/git-sage/internal/lists"
	"github.com/git-sage/git-sage/recall"
)

type updateOptions struct {
	fields         *itemFlags
	input          itemInput
	extend, reduce bool
	settle         []string
	quiet          bool
}

const knowledgeUpdateLong = `Change fields of an item without the editor. A value replaces the old one; for
lists, --add adds to the old values and --remove removes from them. Links
(--supersedes, --contradicts) are always added, unless --remove is given. The
content is given as text, as a file or on standard input (-); an argument of one
word is the name of a file.

To settle a field that a merge left in conflict, give it a value, or keep the
first version with --settle <field>.`

func newKnowledgeUpdateCmd(a *app.App) *cobra.Command {
	var o updateOptions
	c := &cobra.Command{
		Use:   "update [<options>] <id> [<text> | <file> | -]",
		Short: "Change fields of an item",
		Long:  knowledgeUpdateLong,
		Example: `git sage knowledge update staging-wipe --add --keyword sunday
git sage knowledge update staging-wipe -m 'Wiped every Saturday'
git sage knowledge update staging-wipe --status active`,
		Args:              item.Args(1, 2, "id", "text"),
		RunE:              func(c *cobra.Command, args []string) error { return runUpdate(c.Context(), a, &o, args) },
		ValidArgsFunction: item.Complete(a),
	}
	f := c.Flags()
	f.SortFlags = false
	f.StringArrayVarP(&o.input.messages, "message", "m", nil, "the content, as `text`; repeat it for more paragraphs")
	o.fields = addItemFlags(c, append([]itemText{typeText, statusText, sourceText, aboutText}, tryTexts...)...)
	f.BoolVar(&o.extend, "add", false, "add to lists instead of replacing them")
	f.BoolVar(&o.reduce, "remove", false, "remove from lists")
	f.StringArrayVar(&o.settle, "settle", nil, "keep the first version of `field`, or of all (repeatable)")
	f.BoolVarP(&o.quiet, "quiet", "q", false, "print only warnings")
	return c
}

func runUpdate(ctx context.Context, a *app.App, o *updateOptions, args []string) error {
	text, given, err := o.content(a, args[1:])
	switch {
	case err != nil:
		return err
	case o.extend && o.reduce:
		return usage.Errorf("options '--add' and '--remove' cannot be used together")
	case !given && !o.fields.given() && len(o.settle) == 0:
		return usage.Errorf("nothing to change; 'git sage knowledge edit %s' opens the editor", args[0])
	}
	how := replaceList
	switch {
	case o.extend:
		how = extendList
	case o.reduce:
		how = reduceList
	}
	targets := o.fields.targets()
	if o.reduce {
		targets = nil
	}
	if o.fields.set.Changed("path") {
		m, err := a.Open(ctx)
		if err != nil {
			return err
		}
		rootPaths(a, m, o.fields)
	}
	return linkItems(ctx, a, "changed", args[:1], targets, o.quiet, func(it *sage.Item) error {
		if given {
			it.Content = text
		}
		o.fields.apply(it, how)
		return settle(it, o.settle)
	})
}

// content is what the content is to be, if that was given.
func (o *updateOptions) content(a *app.App, args []string) (text string, given bool, err error) {
	if len(args) == 0 {
		return o.input.message(), o.input.messages != nil, nil
	}
	if err := o.input.takeText(a, args, true, true); err != nil {
		return "", false, err
	}
	if o.input.file == "" {
		return o.input.message(), true, nil
	}
	data, err := item.ReadFile(a, o.input.file)
	if err != nil {
		return "", false, err
	}
	if bytes.HasPrefix(data, []byte("---\n")) || bytes.HasPrefix(data, []byte("---\r\n")) {
		return "", false, usage.Errorf("the file has front matter; 'git sage knowledge edit -F <file> <id>' applies all of it")
	}
	it, err := item.Parse(o.input.file, data)
	if err != nil {
		return "", false, err
	}
	return it.Content, true, nil
}

// settle keeps of fields in conflict the version that is there.
func settle(it *sage.Item, fields []string) error {
	for _, field := range fields {
		if field == "all" {
			merge.SettleItem(it)
			continue
		}
		open := false
		for _, c := range merge.Conflicts(it) {
			open = open || c.Field == field
		}
		if !open {
			return exit.WithHint(fmt.Errorf("field '%s' of '%s' is not in conflict", field, it.ID), "'git sage knowledge show %s' shows the fields in conflict", it.ID)
		}
		merge.SettleItem(it, field)
	}
	return nil
}

// changeItems changes items by ids in one commit, and prints what was done to them.
func changeItems(ctx context.Context, a *app.App, act string, ids []string, quiet bool, edit func(*sage.Item) error) error {
	return linkItems(ctx, a, act, ids, nil, quiet, edit)
}

// linkItems is changeItems where the change points to targets, which must be there.
func linkItems(ctx context.Context, a *app.App, act string, ids, targets []string, quiet bool, edit func(*sage.Item) error) error {
	return editItems(ctx, a, act, lists.Map(ids, func(id string) recall.ItemChange {
		return recall.ItemChange{ItemChange: gitstore.ItemChange{Key: id, Edit: edit}, Targets: targets}
	}), quiet)
}

// editItems makes changes of items, each named by its key, and says what became of them.
func editItems(ctx context.Context, a *app.App, act string, changes []recall.ItemChange, quiet bool) error {
	m, err := a.Open(ctx)
	if err != nil {
		return err
	}
	written, err := m.Write.Items(ctx, "", changes...)
	if err != nil {
		return item.Missing(ctx, m, err)
	}
	return item.PrintWritten(a, act, lists.Map(changes, func(c recall.ItemChange) string { return c.Key }), written, quiet)
}
