package knowledge

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/cmd/internal/item"
	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/codec"
	"github.com/git-sage/git-sage/recall"
	"github.com/git-sage/git-sage/recall/propose"
)

type addOptions struct {
	fields               *itemFlags
	input                itemInput
	kind                 sage.ItemType // of what a command of one kind adds; "" is for the fields to say
	id                   string
	command              string // git sage failure add
	empty                string // what to give it that it has something to remember
	shared, force, quiet bool
}

// complete makes c a command that adds an item, of which options give these texts.
func (o *addOptions) complete(a *app.App, c *cobra.Command, texts ...itemText) *cobra.Command {
	c.RunE = func(c *cobra.Command, args []string) error { return runAdd(c.Context(), a, o, args) }
	f := c.Flags()
	f.SortFlags = false
	o.input.flags(f)
	f.StringVarP(&o.input.file, "file", "F", "", "read it from `file`; - is standard input")
	f.StringVar(&o.id, "id", "", "use this `name` to show, change and link it")
	o.fields = addItemFlags(c, texts...)
	f.BoolVarP(&o.force, "force", "f", false, "replace an item with the same id")
	f.BoolVarP(&o.quiet, "quiet", "q", false, "print only warnings")
	if o.kind == "" {
		f.BoolVar(&o.shared, "shared", false, "save a preference in the repository, for everybody")
	}
	return c
}

const knowledgeAddLong = `Save an item of knowledge. The content is Markdown of up to 1 MB, given as text,
as a file, on standard input (-) or in your editor. An argument of one word is
the name of a file. A file may have front matter (id, type, keywords, ...),
which options override. Without --id, the id is made from the title and printed.

Items that say nearly the same, or may contradict it, are listed, so that you
can relate them with --supersedes or --contradicts. A preference is saved in
your own store, ~/.sage/memory.git, unless you give --shared. With --private,
or 'private: true' in front matter, an item stays in this clone, whatever is
shared; 'git sage knowledge update --private=false <id>' lets it leave.`

func newKnowledgeAddCmd(a *app.App) *cobra.Command {
	return newAddCmd(a, "add", "git sage knowledge add")
}

// NewRemember makes 'git sage remember'.
func NewRemember(a *app.App) *cobra.Command {
	c := newAddCmd(a, "remember", "git sage remember")
	c.Short = "Save a fact, a preference or another item of knowledge"
	return c
}

func newAddCmd(a *app.App, name, command string) *cobra.Command {
	o := addOptions{command: command, empty: "give the text: " + command + " <text>"}
	return o.complete(a, &cobra.Command{
		Use:   name + " [<options>] (<text> | <file> | - | -m <text> | -e)",
		Short: "Add an item",
		Long:  knowledgeAddLong,
		Example: command + ` 'Staging is wiped on Sunday' --keyword db
` + command + ` gdpr.md --keywords gdpr,consent --skill law
` + command + ` --type preference 'I prefer tabs'`,
	}, append([]itemText{typeText, sourceText, aboutText}, tryTexts...)...)
}

// runAdd adds an item; args may be its text, or name the file that holds it.
func runAdd(ctx context.Context, a *app.App, o *addOptions, args []string) error {
	failure := o.fields.set.Changed("approach")
	if o.shared && o.fields.private {
		return usage.Errorf("options '--shared' and '--private' cannot be used together")
	}
	if err := o.input.takeText(a, args, o.kind == "", failure); err != nil {
		return err
	}
	it, err := o.input.item(a)
	if err != nil {
		return err
	}
	m, err := a.Open(ctx)
	if err != nil {
		return err
	}
	o.makeKind(it)
	rootPaths(a, m, o.fields)
	o.fields.apply(it, replaceList)
	if failure && !o.fields.set.Changed("type") {
		it.Type = sage.Failure
	}
	if o.id != "" {
		it.ID = o.id
	}
	if !o.input.edit {
		return addItem(ctx, a, m, o, it)
	}
	return item.EditNew(ctx, a, m, itemForm(it), itemHelp, o.command+" -F", func(it *sage.Item) error {
		if it.Type == sage.Knowledge { // its front matter was deleted in the editor
			o.makeKind(it)
		}
		return addItem(ctx, a, m, o, it)
	})
}

// makeKind makes an item one of the kind that a command adds.
func (o *addOptions) makeKind(it *sage.Item) {
	if o.kind != "" {
		it.Type = o.kind
		retype(it)
	}
}

// itemForm is what the editor shows of an item that is not there yet.
func itemForm(it *sage.Item) string {
	if item.IsEmpty(it) && it.ID == "" && len(it.Keywords) == 0 && it.Type == "" {
		return item.Blank
	}
	return string(codec.MarshalItem(it))
}

// addItem saves a new item, under an id made of its title if it has none.
func addItem(ctx context.Context, a *app.App, m *recall.Memory, o *addOptions, it *sage.Item) error {
	if item.IsEmpty(it) {
		return exit.WithHint(errors.New("nothing to remember"), "%s", o.empty)
	}
	if it.Type == sage.Failure && it.Approach == "" && !propose.ParseFailure(it) {
		return exit.WithHint(errors.New("a failure needs --approach"), "add --why-failed and --learned if you know; or write the text as 'tried <what>, but <why>'")
	}
	derived := it.ID == ""
	if derived {
		title, _, err := m.Store.Session.Redactor().Text(it.Title()) // by the rules of the user, too
		if err != nil {
			return err
		}
		it.ID = propose.IDFor(it.Type, title)
	}
	write := func() ([]recall.Written, error) {
		return m.Write.Items(ctx, "", recall.ItemChange{
			ItemChange: gitstore.ItemChange{Item: it, Replace: o.force}, Shared: o.shared, Targets: o.fields.targets(),
		})
	}
	written, err := write()
	for first, n := it.ID, 2; derived && errors.Is(err, gitstore.ErrExists) && !knowsItem(ctx, m, it); n++ {
		it.ID = fmt.Sprintf("%s-%d", first, n)
		written, err = write()
	}
	if errors.Is(err, gitstore.ErrExists) {
		return existingItem(err, it.ID, derived)
	}
	if err != nil {
		return item.Missing(ctx, m, err)
	}
	if err := item.PrintWritten(a, "added", []string{it.ID}, written, o.quiet); err != nil || o.quiet || a.JSON {
		return err
	}
	sayWhere(a, written, it.Type == sage.Preference && m.Store.Repo.Top() != "")
	other := ""
	if derived {
		other = "; --id chooses another id"
	}
	a.Hint("'git sage knowledge show %[1]s' shows it, 'git sage knowledge edit %[1]s' changes it%[2]s", it.ID, other)
	return nil
}

// knowsItem reports whether the item of that id says the same already. One that cannot be read
// counts as if it did: nobody knows what a second one would stand beside.
func knowsItem(ctx context.Context, m *recall.Memory, it *sage.Item) bool {
	k, err := m.Knowledge.Item(ctx, it.ID)
	return err != nil || k.Item.Text() == it.Text()
}

// existingItem says what to do about an id that is taken.
func existingItem(err error, id string, derived bool) error {
	how := "'git sage knowledge edit " + id + "' changes it, --force replaces it"
	if derived {
		how += ", --id <id> saves this beside it"
	}
	return exit.WithHint(err, "%s", how)
}

// sayWhere says so of what went into the user's own store, and what keeps it out if it
// might have gone elsewhere.
func sayWhere(a *app.App, written []recall.Written, mightNot bool) {
	for _, w := range written {
		switch {
		case slices.ContainsFunc(w.Items, func(e gitstore.ItemEntry) bool { return e.Item.IsPrivate() }):
			a.Say("private: it stays in this clone")
		case !w.Own || w.Commit == "" || a.Global || a.IsOutside(a.Store): // said already
		case mightNot:
			a.Say("saved in your own store, for every repository; --shared saves it in this one")
		default:
			a.Say("saved in your own store, for every repository")
		}
	}
}
