package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/recall"
)

type addOptions struct {
	fields               *itemFlags
	input                itemInput
	id                   string
	shared, force, quiet bool
}

const knowledgeAddLong = `Remember something for good. The content is Markdown of up to 1 MB: a file, standard
input (-), -m <text>, or what you write in your editor. A file may have front matter
with the fields (id, type, keywords, ...); options come before it. Without an id one
is made of the title, and said.

What is known and says nearly the same is named, and what may contradict it, so that
--supersedes or --contradicts can say how they stand to one another.

A preference is your own, and lies in ~/.sage/memory.git unless it is --shared.`

func newKnowledgeAddCmd(a *app) *cobra.Command {
	var o addOptions
	c := &cobra.Command{
		Use:   "add [<options>] (<file> | - | -m <text> | -e)",
		Short: "Add an item",
		Long:  knowledgeAddLong,
		Example: `git sage knowledge add -m 'Staging is wiped on Sunday' --keyword db
git sage knowledge add gdpr.md --keywords gdpr,consent --skill law
git sage knowledge add -m 'I prefer tabs' --type preference`,
		Args: rangeArgs(0, 1, "file"),
		RunE: func(c *cobra.Command, args []string) error { return a.knowledgeAdd(c.Context(), &o, args) },
	}
	f := c.Flags()
	f.SortFlags = false
	o.input.flags(f)
	f.StringVar(&o.id, "id", "", "its `name`, by which it is shown, changed and linked")
	o.fields = addItemFlags(c, append([]itemText{typeText, sourceText, aboutText}, tryTexts...)...)
	f.BoolVar(&o.shared, "shared", false, "keep a preference in the repository, for everybody")
	f.BoolVarP(&o.force, "force", "f", false, "replace one of that id")
	f.BoolVarP(&o.quiet, "quiet", "q", false, "print only warnings")
	return c
}

func (a *app) knowledgeAdd(ctx context.Context, o *addOptions, args []string) error {
	failure := o.fields.set.Changed("approach")
	if err := o.input.take(a, args, failure); err != nil {
		return err
	}
	it, err := o.input.item(a)
	if err != nil {
		return err
	}
	m, err := a.open(ctx)
	if err != nil {
		return err
	}
	a.rootPaths(m, o.fields)
	o.fields.apply(it, replaceList)
	if failure && !o.fields.set.Changed("type") {
		it.Type = sage.Failure
	}
	if o.id != "" {
		it.ID = o.id
	}
	save := func(it *sage.Item) error { return a.addItem(ctx, m, o, it) }
	if o.input.edit {
		return a.editItem(ctx, m, itemForm(it), itemHelp, "git sage knowledge add", save)
	}
	return save(it)
}

// itemForm is what the editor shows of an item that is not there yet.
func itemForm(it *sage.Item) string {
	if isEmptyItem(it) && it.ID == "" && len(it.Keywords) == 0 && it.Type == "" {
		return blankItem
	}
	return string(it.Marshal())
}

// addItem saves a new item, under an id made of its title if it has none.
func (a *app) addItem(ctx context.Context, m *recall.Memory, o *addOptions, it *sage.Item) error {
	if isEmptyItem(it) {
		if it.Type == sage.Todo {
			return withHint(errors.New("nothing to do"), "say what is: git sage todo add <text>")
		}
		return withHint(errors.New("nothing to remember"), "say what is true: git sage knowledge add -m <text>")
	}
	if it.Type == sage.Failure && it.Approach == "" && !recall.ParseFailure(it) {
		return withHint(errors.New("a failure needs what was tried"), "--approach <text> says it, --why-failed and --learned the rest; or say it in the text: 'tried <what>, but <why>'")
	}
	derived := it.ID == ""
	if derived {
		if it.ID = recall.IDOf(it.Title()); it.ID == "" {
			return withHint(fmt.Errorf("no id can be made of the title '%s'", clip(visible(it.Title()), 40)), "--id <id> names it")
		}
	}
	written, err := m.WriteItems(ctx, "", recall.ItemChange{
		ItemChange: gitstore.ItemChange{Item: it, Replace: o.force}, Shared: o.shared, Targets: o.fields.targets(),
	})
	if errors.Is(err, gitstore.ErrExists) {
		return existingItem(err, it.ID, derived)
	}
	if err != nil {
		return a.missingItem(ctx, m, err)
	}
	if err := a.printWritten("added", []string{it.ID}, written, o.quiet); err != nil || o.quiet || a.json {
		return err
	}
	if derived {
		a.say("its id is '%s', from the title; --id chooses another", it.ID)
	}
	a.sayWhere(written, it.Type == sage.Preference && m.Store.Top() != "")
	a.hint("'git sage knowledge show %s' shows it, 'git sage knowledge edit %s' changes it", it.ID, it.ID)
	return nil
}

// existingItem says what to do about an id that is taken.
func existingItem(err error, id string, derived bool) error {
	err = withHint(err, "'git sage knowledge edit %s' changes it, --force replaces it", id)
	if derived {
		err.(*hintedError).hints[0] += ", --id <id> saves this beside it"
	}
	return err
}

// sayWhere says so of what went into the user's own store, and what keeps it out if it
// might have gone elsewhere.
func (a *app) sayWhere(written []recall.Written, mightNot bool) {
	for _, w := range written {
		switch {
		case !w.Own || w.Commit == "" || a.global || a.isOutside(a.store): // said already
		case mightNot:
			a.say("it is your own, in every repository; --shared keeps it in this one")
		default:
			a.say("it is your own, in every repository")
		}
	}
}
