package cli

import (
	"cmp"
	"context"
	"errors"
	"path"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/cmd/internal/wire"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/internal/lists"
	"github.com/git-sage/git-sage/recall"
	"github.com/git-sage/git-sage/recall/propose"
)

// noteShelf is where pinned notes lie in the knowledge tree.
const noteShelf = "system"

func newNoteCmd(a *app) *cobra.Command {
	return usage.Group("note", "Pin notes that every session is shown", `A pinned note is shown to every session: the objective, constraints,
conventions. It is Markdown, in system/<name>.md of refs/sage/knowledge.`,
		newNoteAddCmd(a),
		newNoteEditCmd(a),
		newNoteShowCmd(a),
		newListOf(a, "list", "List the pinned notes", listOptions{kinds: []string{noteKind}}),
		newNoteRmCmd(a),
	)
}

func newNoteAddCmd(a *app) *cobra.Command {
	var o noteOptions
	c := &cobra.Command{
		Use:   "add [<options>] [<name>] (<text> | <file> | - | -m <text> | -F <file> | -e)",
		Short: "Pin a note",
		Long: `Pin a note, given as text, as a file, on standard input (-) or in your editor.
After the name, an argument of one word is the name of a file. Without a name,
it is made from the first line and printed.`,
		Example: `git sage note add objective 'Ship the importer by March'
git sage note add 'No new dependencies'`,
		Args: itemArgs(0, -1, "name", "text"),
		RunE: func(c *cobra.Command, args []string) error { return a.noteAdd(c.Context(), &o, args) },
	}
	f := c.Flags()
	f.SortFlags = false
	o.input.flags(f)
	f.StringVarP(&o.input.file, "file", "F", "", "read it from `file`; - is standard input")
	f.StringVar(&o.name, "id", "", "use this `name` to show and change it")
	f.BoolVarP(&o.force, "force", "f", false, "replace a note with the same name")
	f.BoolVarP(&o.quiet, "quiet", "q", false, "print only warnings")
	return c
}

type noteOptions struct {
	input        itemInput
	name         string
	force, quiet bool
}

func (a *app) noteAdd(ctx context.Context, o *noteOptions, args []string) error {
	if in := &o.input; o.name == "" && len(args) > 0 && (len(args) > 1 || in.messages != nil || in.file != "" || in.edit || !isText(args[0])) {
		o.name, args = args[0], args[1:]
	}
	if err := o.input.takeText(a, args, o.name != "" || len(args) != 1, false); err != nil {
		return err
	}
	it, err := o.input.item(a)
	if err != nil {
		return err
	}
	it.Type = sage.Note
	m, err := a.open(ctx)
	if err != nil {
		return err
	}
	save := func(it *sage.Item) error {
		named := o.name != ""
		if !named && !isEmptyItem(it) {
			title, _, err := m.Store.Redactor().Text(it.Title()) // by the rules of the user, too
			if err != nil {
				return err
			}
			o.name = propose.IDFor(sage.Note, title)
		}
		err := a.addShelved(ctx, m, noteShelf+"/"+o.name, it, o.force, o.quiet)
		if err == nil && !named && !o.quiet && !a.JSON {
			a.Say("its name is '%s', from the first line; --id chooses another", o.name)
		}
		return err
	}
	if o.input.edit {
		it.ID = o.name
		return a.editItem(ctx, m, string(it.Marshal()), noteHelp, "git sage note add "+cmp.Or(o.name, "<name>")+" -F", save)
	}
	return save(it)
}

const noteHelp = `
Write the note below the second '---'. An empty one aborts.
`

// addShelved saves what stands elsewhere than knowledge: a note, a skill, a text of one.
func (a *app) addShelved(ctx context.Context, m *recall.Memory, key string, it *sage.Item, force, quiet bool) error {
	if isEmptyItem(it) {
		return withHint(errors.New("nothing to remember"), "give -m <text> or a file")
	}
	it.ID = path.Base(key)
	written, err := m.WriteItems(ctx, "", recall.ItemChange{ItemChange: gitstore.ItemChange{Key: key, Item: it, Replace: force}})
	if errors.Is(err, gitstore.ErrExists) {
		return withHint(err, "'git sage %s edit %s' changes it, --force replaces it", shelfCommand(key), keyName(key))
	}
	if err != nil {
		return err
	}
	return a.printWritten("added", []string{key}, written, quiet)
}

// shelfCommand is the noun under which what has a key is shown and changed.
func shelfCommand(key string) string {
	switch {
	case strings.HasPrefix(key, noteShelf+"/"):
		return "note"
	case strings.HasPrefix(key, skillShelf+"/"):
		return "skill"
	}
	return "knowledge"
}

// keyName is a key as the commands of its noun take it.
func keyName(key string) string {
	if _, name, ok := strings.Cut(key, "/"); ok {
		return name
	}
	return key
}

func newNoteEditCmd(a *app) *cobra.Command {
	var file string
	var quiet bool
	c := &cobra.Command{
		Use:   "edit [-F <file>] <name>",
		Short: "Edit a pinned note",
		Long:  "Open a pinned note in your editor. If somebody changes it meanwhile, both\nchanges are merged.",
		Args:  itemArgs(1, 1, "name"),
		RunE: func(c *cobra.Command, args []string) error {
			m, err := a.open(c.Context())
			if err != nil {
				return err
			}
			return a.editKnown(c.Context(), m, noteShelf+"/"+args[0], file, "git sage note edit "+args[0]+" -F", quiet)
		},
		ValidArgsFunction: a.completeShelf(noteShelf),
	}
	c.Flags().StringVarP(&file, "file", "F", "", "take the changed Markdown from `file`; - is standard input")
	c.Flags().BoolVarP(&quiet, "quiet", "q", false, "print only warnings")
	return c
}

func newNoteShowCmd(a *app) *cobra.Command {
	var raw bool
	c := &cobra.Command{
		Use: "show [--raw] <name>[@{<when>}]...",
		Example: `git sage note show objective
git sage note show 'objective@{1}'`,
		Short: "Show a pinned note",
		Long:  "Show pinned notes as they are, or as they were at <when>, which is read as in\n'git sage knowledge show'.",
		Args:  itemArgs(1, -1, "name"),
		RunE: func(c *cobra.Command, args []string) error {
			return a.knowledgeShow(c.Context(), onShelf(noteShelf, args), raw)
		},
		ValidArgsFunction: a.completeShelf(noteShelf),
	}
	c.Flags().BoolVar(&raw, "raw", false, "print the Markdown as it is stored")
	return c
}

func newNoteRmCmd(a *app) *cobra.Command {
	var quiet bool
	c := &cobra.Command{
		Use:   "rm [-q] <name>...",
		Short: "Remove pinned notes",
		Long:  "Remove pinned notes, in one commit. They stay in the history of the knowledge.",
		Args:  itemArgs(1, -1, "name"),
		RunE: func(c *cobra.Command, args []string) error {
			return a.removeItems(c.Context(), onShelf(noteShelf, args), quiet)
		},
		ValidArgsFunction: a.completeShelf(noteShelf),
	}
	c.Flags().BoolVarP(&quiet, "quiet", "q", false, "print only warnings")
	return c
}

// onShelf are the keys of names.
func onShelf(shelf string, names []string) []string {
	return lists.Map(names, func(name string) string { return shelf + "/" + name })
}

// completeShelf offers the names of what lies on a shelf.
func (a *app) completeShelf(shelf string) func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return func(c *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
		m, err := a.open(c.Context())
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		items, _ := m.ItemsUnder(c.Context(), shelf)
		var offers []string
		for _, k := range items {
			offers = append(offers, usage.Offer(k.Item.ID, wire.Title(k.Item)))
		}
		return usage.Matching(offers, "", word), cobra.ShellCompDirectiveNoFileComp
	}
}
