package cli

import (
	"context"
	"errors"
	"path"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/internal/lists"
	"github.com/git-sage/git-sage/recall"
)

// A noun is a sort of knowledge that has commands of its own. They do the same for each: a
// command brings its texts, and what is done with them is here.
type noun struct {
	name  string // of the command
	shelf string // where it lies in the tree of the knowledge; "" is among the items
}

var (
	itemNoun  = noun{name: "knowledge"}
	noteNoun  = noun{name: "note", shelf: "system"}
	skillNoun = noun{name: "skill", shelf: "skills"} // its texts lie beneath it
)

// nounOf is the noun of what has a key.
func nounOf(key string) noun {
	for _, n := range []noun{noteNoun, skillNoun} {
		if strings.HasPrefix(key, n.shelf+"/") {
			return n
		}
	}
	return itemNoun
}

// key is where that lies which has a name.
func (n noun) key(name string) string {
	if n.shelf == "" {
		return name
	}
	return n.shelf + "/" + name
}

// keyName is a key as the commands of its noun take it.
func keyName(key string) string {
	if _, name, ok := strings.Cut(key, "/"); ok {
		return name
	}
	return key
}

// keys are those of names.
func (n noun) keys(names []string) []string { return lists.Map(names, n.key) }

// arg is what help calls the name of one.
func (n noun) arg() string {
	if n.shelf == "" {
		return "id"
	}
	return "name"
}

// complete offers the names that there are.
func (n noun) complete(a *app.App) cobra.CompletionFunc {
	switch n {
	case itemNoun:
		return completeItems(a)
	case skillNoun:
		return app.CompleteSkills(a)
	}
	return func(c *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
		m, err := a.Open(c.Context())
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		items, _ := m.ItemsUnder(c.Context(), n.shelf)
		return usage.Matching(itemOffers(items), "", word), cobra.ShellCompDirectiveNoFileComp
	}
}

// edit makes c the command that changes one in the editor.
func (n noun) edit(a *app.App, c *cobra.Command) *cobra.Command {
	var file string
	var quiet bool
	c.Args = itemArgs(1, 1, n.arg())
	c.RunE = func(c *cobra.Command, args []string) error {
		m, err := a.Open(c.Context())
		if err != nil {
			return err
		}
		return editKnown(c.Context(), a, m, n.key(args[0]), file, "git sage "+n.name+" edit "+args[0]+" -F", quiet)
	}
	c.ValidArgsFunction = n.complete(a)
	c.Flags().StringVarP(&file, "file", "F", "", "take the changed Markdown from `file`; - is standard input")
	c.Flags().BoolVarP(&quiet, "quiet", "q", false, "print only warnings")
	return c
}

// show makes c the command that shows some.
func (n noun) show(a *app.App, c *cobra.Command) *cobra.Command {
	var raw bool
	c.Args = itemArgs(1, -1, n.arg())
	c.RunE = func(c *cobra.Command, args []string) error { return showItems(c.Context(), a, n.keys(args), raw) }
	c.ValidArgsFunction = n.complete(a)
	c.Flags().BoolVar(&raw, "raw", false, "print the Markdown as it is stored")
	return c
}

// rm makes c the command that removes some.
func (n noun) rm(a *app.App, c *cobra.Command) *cobra.Command {
	var quiet bool
	c.Args = itemArgs(1, -1, n.arg())
	c.RunE = func(c *cobra.Command, args []string) error { return removeItems(c.Context(), a, n.keys(args), quiet) }
	c.ValidArgsFunction = n.complete(a)
	c.Flags().BoolVarP(&quiet, "quiet", "q", false, "print only warnings")
	return c
}

// A shelving is how a command writes what lies on a shelf: a note, a skill, a text of one.
type shelving struct {
	input        itemInput
	force, quiet bool
}

// flags are its options, with those of the command's own among them; what is what it writes.
func (o *shelving) flags(c *cobra.Command, what string, own func(*pflag.FlagSet)) {
	f := c.Flags()
	f.SortFlags = false
	o.input.flags(f)
	own(f)
	f.BoolVarP(&o.force, "force", "f", false, "replace "+what+" with the same name")
	f.BoolVarP(&o.quiet, "quiet", "q", false, "print only warnings")
}

const shelvedHelp = `
Write the note below the second '---'. An empty one aborts.
`

// write saves what was given, which a person may edit before; again is the command line that
// goes on with what they wrote.
func (o *shelving) write(ctx context.Context, a *app.App, m *recall.Memory, it *sage.Item, again string, save func(*sage.Item) error) error {
	if o.input.edit {
		return editItem(ctx, a, m, string(it.Marshal()), shelvedHelp, again, save)
	}
	return save(it)
}

// put saves what is to lie under a key.
func (o *shelving) put(ctx context.Context, a *app.App, m *recall.Memory, key string, it *sage.Item) error {
	if isEmptyItem(it) {
		return exit.WithHint(errors.New("nothing to remember"), "give -m <text> or a file")
	}
	it.ID = path.Base(key)
	written, err := m.WriteItems(ctx, "", recall.ItemChange{ItemChange: gitstore.ItemChange{Key: key, Item: it, Replace: o.force}})
	if errors.Is(err, gitstore.ErrExists) {
		return exit.WithHint(err, "'git sage %s edit %s' changes it, --force replaces it", nounOf(key).name, keyName(key))
	}
	if err != nil {
		return err
	}
	return printWritten(a, "added", []string{key}, written, o.quiet)
}
