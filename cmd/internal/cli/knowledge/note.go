package knowledge

import (
	"cmp"
	"context"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/item"
	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/recall/propose"
)

// NewNote makes 'git sage note'.
func NewNote(a *app.App) *cobra.Command {
	return usage.Listing(usage.Group("note", "Pin notes that every session is shown", `A pinned note is shown to every session: the objective, constraints,
conventions. It is Markdown, in system/<name>.md of refs/sage/knowledge.`,
		newNoteAddCmd(a),
		item.Note.Edit(a, &cobra.Command{
			Use:   "edit [-F <file>] <name>",
			Short: "Edit a pinned note",
			Long:  "Open a pinned note in your editor. If somebody changes it meanwhile, both\nchanges are merged.",
		}),
		item.Note.Show(a, &cobra.Command{
			Use: "show [--raw] <name>[@{<when>}]...",
			Example: `git sage note show objective
git sage note show 'objective@{1}'`,
			Short: "Show a pinned note",
			Long:  "Show pinned notes as they are, or as they were at <when>, which is read as in\n'git sage knowledge show'.",
		}),
		newListOf(a, "list", "List the pinned notes", ListOptions{Kinds: []string{noteKind}}),
		item.Note.Rm(a, &cobra.Command{
			Use:   "rm [-q] <name>...",
			Short: "Remove pinned notes",
			Long:  "Remove pinned notes, in one commit. They stay in the history of the knowledge.",
		}),
	))
}

func newNoteAddCmd(a *app.App) *cobra.Command {
	o := noteOptions{shelving: shelving{of: item.Note}}
	c := &cobra.Command{
		Use:   "add [<options>] [<name>] (<text> | <file> | - | -m <text> | -F <file> | -e)",
		Short: "Pin a note",
		Long: `Pin a note, given as text, as a file, on standard input (-) or in your editor.
After the name, an argument of one word is the name of a file. Without a name,
it is made from the first line and printed.`,
		Example: `git sage note add objective 'Ship the importer by March'
git sage note add 'No new dependencies'`,
		Args: item.Args(0, -1, "name", "text"),
		RunE: func(c *cobra.Command, args []string) error { return addNote(c.Context(), a, &o, args) },
	}
	o.flags(c, "a note", func(f *pflag.FlagSet) {
		f.StringVarP(&o.input.file, "file", "F", "", "read it from `file`; - is standard input")
		f.StringVar(&o.name, "id", "", "use this `name` to show and change it")
	})
	return c
}

type noteOptions struct {
	shelving
	name string
}

func addNote(ctx context.Context, a *app.App, o *noteOptions, args []string) error {
	if in := &o.input; o.name == "" && len(args) > 0 && (len(args) > 1 || in.messages != nil || in.file != "" || in.edit || !usage.IsText(args[0])) {
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
	m, err := a.Open(ctx)
	if err != nil {
		return err
	}
	save := func(it *sage.Item) error {
		named := o.name != ""
		if !named && !item.IsEmpty(it) {
			title, _, err := m.Store.Session.Redactor().Text(it.Title()) // by the rules of the user, too
			if err != nil {
				return err
			}
			o.name = propose.IDFor(sage.Note, title)
		}
		err := o.put(ctx, a, m, item.Note.Key(o.name), it)
		if err == nil && !named && !o.quiet && !a.JSON {
			a.Say("its name is '%s', from the first line; --id chooses another", o.name)
		}
		return err
	}
	it.ID = o.name
	return o.write(ctx, a, m, it, "git sage note add "+cmp.Or(o.name, "<name>")+" -F", save)
}
