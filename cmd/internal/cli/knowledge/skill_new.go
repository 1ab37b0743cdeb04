package knowledge

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/cmd/internal/item"
	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/naming"
)

type skillOptions struct {
	shelving
	about string
}

func (o *skillOptions) flags(c *cobra.Command) {
	o.shelving.flags(c, "one", func(f *pflag.FlagSet) {
		f.StringVar(&o.about, "description", "", "what it is for, in one `line`")
	})
}

func newSkillNewCmd(a *app.App) *cobra.Command {
	o := skillOptions{shelving: shelving{of: item.Skill}}
	c := &cobra.Command{
		Use:     "new [<options>] <name> [<file> | - | -m <text> | -e]",
		Short:   "Create a skill",
		Long:    "Create a skill: --description says what it is for, the text how to do it.",
		Example: "git sage skill new privacy --description 'Data protection' \\\n    -m 'Cite the article.'",
		Args:    item.Args(1, 2, "name", "file"),
		RunE: func(c *cobra.Command, args []string) error {
			return addSkill(c.Context(), a, &o, item.Skill.Key(args[0]), &sage.Item{Type: sage.Skill}, args[1:], "git sage skill new "+args[0])
		},
	}
	o.flags(c)
	return c
}

// addSkill saves a skill, or a text of one.
func addSkill(ctx context.Context, a *app.App, o *skillOptions, key string, it *sage.Item, args []string, again string) error {
	if err := o.input.take(a, args, o.about != ""); err != nil {
		return err
	}
	read, err := o.input.item(a)
	if err != nil {
		return err
	}
	it.ID, it.Content, it.Description, it.Extra = item.KeyName(key), read.Content, read.Description, read.Extra
	if o.about != "" {
		it.Description = o.about
	}
	m, err := a.Open(ctx)
	if err != nil {
		return err
	}
	save := func(it *sage.Item) error {
		if err := o.put(ctx, a, m, key, it); err != nil || o.quiet || a.JSON || it.Type != sage.Skill {
			return err
		}
		a.Hint("'git sage knowledge add --skill %[1]s' adds an item to it, 'git sage skill context %[1]s' shows all of it", it.ID)
		return nil
	}
	return o.write(ctx, a, m, it, again, save)
}

func newSkillEditCmd(a *app.App) *cobra.Command {
	return item.Skill.Edit(a, &cobra.Command{
		Use:   "edit [-F <file>] <name>[/<doc>]",
		Short: "Edit a skill, or a text of it",
		Long:  "Open a skill, or a text of it, in your editor. If somebody changes it meanwhile,\nboth changes are merged.",
	})
}

func newSkillDocCmd(a *app.App) *cobra.Command {
	o := skillOptions{shelving: shelving{of: item.Skill}}
	var as string
	var remove bool
	c := &cobra.Command{
		Use:   "doc [<options>] <name> (<file> | - | -m <text> | -e | --rm <doc>)",
		Short: "Add a text to a skill, or remove one",
		Long: `Add a text to a skill, under the name of its file or of --as. An agent is given
all texts with the skill.`,
		Example: "git sage skill doc privacy gdpr.md\ngit sage skill doc privacy --rm gdpr",
		Args:    item.Args(1, 2, "name", "file"),
		RunE: func(c *cobra.Command, args []string) error {
			if remove {
				return removeDoc(c.Context(), a, args, o.quiet)
			}
			return addDoc(c.Context(), a, &o, args, as)
		},
		ValidArgsFunction: func(c *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveDefault
			}
			return app.CompleteSkills(a)(c, args, word)
		},
	}
	o.flags(c)
	c.Flags().StringVar(&as, "as", "", "use this `name`")
	c.Flags().BoolVar(&remove, "rm", false, "remove the text <doc>")
	return c
}

func addDoc(ctx context.Context, a *app.App, o *skillOptions, args []string, as string) error {
	if as == "" && len(args) > 1 && args[1] != "-" {
		as = naming.SuggestName(strings.TrimSuffix(filepath.Base(args[1]), ".md"))
	}
	if as == "" {
		return usage.Errorf("the text has no name: give it one with '--as'")
	}
	key := item.Skill.Key(args[0] + "/" + as)
	if err := gitstore.CheckName(args[0]); err != nil {
		return err
	}
	return addSkill(ctx, a, o, key, &sage.Item{Type: sage.Doc}, args[1:], "git sage skill doc --as "+as+" "+args[0])
}

func removeDoc(ctx context.Context, a *app.App, args []string, quiet bool) error {
	if len(args) < 2 {
		return usage.Errorf("<doc> is missing")
	}
	return item.Remove(ctx, a, item.Skill.Keys([]string{args[0] + "/" + args[1]}), quiet)
}

func newSkillRmCmd(a *app.App) *cobra.Command {
	var quiet bool
	c := &cobra.Command{
		Use:   "rm [-q] <name>",
		Short: "Remove a skill and its texts",
		Long: `Remove a skill and its texts from the knowledge, in one commit. Its items and
checkpoints stay, and so does .claude/skills.`,
		Args:              item.Args(1, 1, "name"),
		RunE:              func(c *cobra.Command, args []string) error { return removeSkill(c.Context(), a, args[0], quiet) },
		ValidArgsFunction: app.CompleteSkills(a),
	}
	c.Flags().BoolVarP(&quiet, "quiet", "q", false, "print only warnings")
	return c
}

func removeSkill(ctx context.Context, a *app.App, name string, quiet bool) error {
	m, err := a.Open(ctx)
	if err != nil {
		return err
	}
	s, err := m.Skills.Get(ctx, name)
	if err != nil {
		return err
	}
	var keys []string
	if s.Known != nil {
		keys = append(keys, s.Known.Key)
	}
	for _, d := range s.Docs {
		keys = append(keys, d.Key)
	}
	if len(keys) == 0 {
		return exit.WithHint(&gitstore.NoItemError{ID: name, Kind: "skill"}, "only items or checkpoints name it: 'git sage list --skill %s', 'git sage skill history %s'", name, name)
	}
	return item.Remove(ctx, a, keys, quiet)
}
