package item

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/internal/lists"
)

// A Noun is a sort of knowledge that has commands of its own. They do the same for each: a
// command brings its texts, and what is done with them is here.
type Noun struct {
	Name  string // of the command
	Shelf string // where it lies in the tree of the knowledge; "" is among the items
}

// The nouns.
var (
	Knowledge = Noun{Name: "knowledge"}
	Note      = Noun{Name: "note", Shelf: "system"}
	Skill     = Noun{Name: "skill", Shelf: "skills"} // its texts lie beneath it
)

// Key is where that lies which has a name.
func (n Noun) Key(name string) string {
	if n.Shelf == "" {
		return name
	}
	return n.Shelf + "/" + name
}

// KeyName is a key as the commands of its noun take it.
func KeyName(key string) string {
	if _, name, ok := strings.Cut(key, "/"); ok {
		return name
	}
	return key
}

// Keys are those of names.
func (n Noun) Keys(names []string) []string { return lists.Map(names, n.Key) }

// arg is what help calls the name of one.
func (n Noun) arg() string {
	if n.Shelf == "" {
		return "id"
	}
	return "name"
}

// complete offers the names that there are.
func (n Noun) complete(a *app.App) cobra.CompletionFunc {
	switch n {
	case Knowledge:
		return Complete(a)
	case Skill:
		return app.CompleteSkills(a)
	}
	return func(c *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
		m, err := a.Open(c.Context())
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		items, _ := m.Knowledge.ItemsUnder(c.Context(), n.Shelf)
		return usage.Matching(itemOffers(items), "", word), cobra.ShellCompDirectiveNoFileComp
	}
}

// Edit makes c the command that changes one in the editor.
func (n Noun) Edit(a *app.App, c *cobra.Command) *cobra.Command {
	var file string
	var quiet bool
	c.Args = Args(1, 1, n.arg())
	c.RunE = func(c *cobra.Command, args []string) error {
		m, err := a.Open(c.Context())
		if err != nil {
			return err
		}
		return Edit(c.Context(), a, m, n.Key(args[0]), file, "git sage "+n.Name+" edit "+args[0]+" -F", quiet)
	}
	c.ValidArgsFunction = n.complete(a)
	c.Flags().StringVarP(&file, "file", "F", "", "take the changed Markdown from `file`; - is standard input")
	c.Flags().BoolVarP(&quiet, "quiet", "q", false, "print only warnings")
	return c
}

// Show makes c the command that shows some.
func (n Noun) Show(a *app.App, c *cobra.Command) *cobra.Command {
	var raw bool
	c.Args = Args(1, -1, n.arg())
	c.RunE = func(c *cobra.Command, args []string) error { return showAll(c.Context(), a, n.Keys(args), raw) }
	c.ValidArgsFunction = n.complete(a)
	c.Flags().BoolVar(&raw, "raw", false, "print the Markdown as it is stored")
	return c
}

// Rm makes c the command that removes some.
func (n Noun) Rm(a *app.App, c *cobra.Command) *cobra.Command {
	var quiet bool
	c.Args = Args(1, -1, n.arg())
	c.RunE = func(c *cobra.Command, args []string) error { return Remove(c.Context(), a, n.Keys(args), quiet) }
	c.ValidArgsFunction = n.complete(a)
	c.Flags().BoolVarP(&quiet, "quiet", "q", false, "print only warnings")
	return c
}
