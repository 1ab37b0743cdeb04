package cli

import (
	"context"
	"errors"
	"path"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/recall"
)

// noteShelf is where pinned notes lie in the knowledge tree.
const noteShelf = "system"

func newNoteCmd(a *app) *cobra.Command {
	return group("note", "Pin what every session should know", `A pinned note is in front of every session: the objective, constraints, conventions.
It lies in system/<name>.md of refs/sage/knowledge, and is Markdown.`,
		newNoteAddCmd(a),
		newNoteEditCmd(a),
		newNoteShowCmd(a),
		&cobra.Command{
			Use:   "list",
			Short: "List the pinned notes",
			Long: `Lists the pinned notes: in a table on a terminal, separated by tabs in a pipe (name,
status, time of the last change, 'own' if it lies in your own memory, tokens, title),
as objects with --json.`,
			Args: noArgs,
			RunE: func(c *cobra.Command, _ []string) error { return a.noteList(c.Context()) },
		},
		newNoteRmCmd(a),
	)
}

func newNoteAddCmd(a *app) *cobra.Command {
	var in itemInput
	var force, quiet bool
	c := &cobra.Command{
		Use:     "add [<options>] <name> (<file> | - | -m <text> | -e)",
		Short:   "Pin a note",
		Long:    "Pins a note: a file, standard input (-), -m <text>, or what you write in your editor.",
		Example: "git sage note add objective -m 'Ship the importer by March'",
		Args:    itemArgs(1, 2, "name", "file"),
		RunE: func(c *cobra.Command, args []string) error {
			return a.noteAdd(c.Context(), &in, args, force, quiet)
		},
	}
	f := c.Flags()
	f.SortFlags = false
	in.flags(f)
	f.BoolVarP(&force, "force", "f", false, "replace one of that name")
	f.BoolVarP(&quiet, "quiet", "q", false, "print only warnings")
	return c
}

func (a *app) noteAdd(ctx context.Context, in *itemInput, args []string, force, quiet bool) error {
	if err := in.take(a, args[1:], false); err != nil {
		return err
	}
	it, err := in.item(a)
	if err != nil {
		return err
	}
	it.Type = sage.Note
	m, err := a.open(ctx)
	if err != nil {
		return err
	}
	key := noteShelf + "/" + args[0]
	save := func(it *sage.Item) error { return a.addShelved(ctx, m, key, it, force, quiet) }
	if in.edit {
		it.ID = args[0]
		return a.editItem(ctx, m, string(it.Marshal()), noteHelp, "git sage note add "+args[0], save)
	}
	return save(it)
}

const noteHelp = `
Write the note below the second '---'. An empty one aborts.
`

// addShelved saves what stands elsewhere than knowledge: a note, a skill, a text of one.
func (a *app) addShelved(ctx context.Context, m *recall.Memory, key string, it *sage.Item, force, quiet bool) error {
	if isEmptyItem(it) {
		return withHint(errors.New("nothing to remember"), "say it with -m <text>, or name a file")
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
		Short: "Change a pinned note in the editor",
		Long:  "Opens a pinned note in your editor. What somebody else changes meanwhile is\nmerged with it.",
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
		Use:   "show [--raw] <name>[@{<when>}]...",
		Short: "Show a pinned note",
		Long:  "Shows pinned notes, as they are or as they were <when>, which is read as in\n'git sage knowledge show'.",
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
		Long:  "Removes pinned notes, in one commit. They are still in the history of the knowledge.",
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
	return convert(names, func(name string) string { return shelf + "/" + name })
}

func (a *app) noteList(ctx context.Context) error {
	m, err := a.open(ctx)
	if err != nil {
		return err
	}
	notes, err := m.ItemsUnder(ctx, noteShelf)
	if err != nil {
		return err
	}
	if len(notes) == 0 {
		a.say("no note is pinned: 'git sage note add <name> -m <text>' pins one")
	}
	t := table{head: []string{"name", "status", "changed", "in", "tokens", "title"}}
	for _, k := range notes {
		if a.json {
			if err := a.printJSON(toItemJSON(k)); err != nil {
				return err
			}
			continue
		}
		t.add(k.Item.ID, itemStatus(k), a.when(k.Item.Updated), ownMark(k), count(k.Item.Tokens()), itemTitle(k))
	}
	if a.json {
		return nil
	}
	return t.print(a)
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
			offers = append(offers, offer(k.Item.ID, titleOf(k.Item)))
		}
		return matching(offers, "", word), cobra.ShellCompDirectiveNoFileComp
	}
}
