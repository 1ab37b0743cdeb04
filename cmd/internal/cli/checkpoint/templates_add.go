package checkpoint

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/cmd/internal/wire"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/recall"
)

func newTemplatesAddCmd(a *app.App) *cobra.Command {
	var to recall.TemplatePlace
	c := &cobra.Command{
		Use:   "add [--user] [-f] <file>",
		Short: "Add a template to the repository or to your own",
		Long: `Read a template from a YAML file, or from standard input (-), and add it to the
repository, where it travels with the memory. It has a name, description,
required_fields, optional_fields and a format.

The format is Jinja2 with the tags if, for, set, break and continue and the most
common filters; anything else is refused, with the line and what is available.`,
		Example: "git sage templates add incident.yaml\ngit sage templates add --user incident.yaml",
		Args:    usage.ExactArgs("file"),
		RunE:    func(c *cobra.Command, args []string) error { return addTemplate(c.Context(), a, args[0], to) },
	}
	c.Flags().BoolVar(&to.Own, "user", false, "add it to your own, in ~/.sage/templates")
	c.Flags().BoolVarP(&to.Replace, "force", "f", false, "replace a template with the same name")
	return c
}

func newTemplatesRmCmd(a *app.App) *cobra.Command {
	var from recall.TemplatePlace
	c := &cobra.Command{
		Use:   "rm [--user] <name>",
		Short: "Remove a template from the repository or from your own",
		Long: `Remove a template. Checkpoints that were saved with it stay as they are, and are
shown in the common form.`,
		Args:              usage.ExactArgs("name"),
		RunE:              func(c *cobra.Command, args []string) error { return removeTemplate(c.Context(), a, args[0], from) },
		ValidArgsFunction: completeTemplates(a),
	}
	c.Flags().BoolVar(&from.Own, "user", false, "remove it from your own, in ~/.sage/templates")
	return c
}

func addTemplate(ctx context.Context, a *app.App, file string, to recall.TemplatePlace) error {
	data, err := a.ReadInput(file)
	if err != nil {
		return err
	}
	m, err := a.Open(ctx)
	if err != nil {
		return err
	}
	t, err := m.Templates.Add(ctx, data, to)
	if errors.Is(err, gitstore.ErrExists) {
		return exit.WithHint(err, "--force replaces it")
	}
	if err != nil {
		return err
	}
	if a.JSON {
		return a.PrintJSON(wire.TemplateOf(t))
	}
	a.Say("added template '%s' to %s; 'git sage save --template %s' uses it", t.Name, to, t.Name)
	return nil
}

func removeTemplate(ctx context.Context, a *app.App, name string, from recall.TemplatePlace) error {
	m, err := a.Open(ctx)
	if err != nil {
		return err
	}
	if err := m.Templates.Remove(ctx, name, from); err != nil {
		set, _ := m.Templates.List(ctx)
		return meantTemplate(set, name, exit.WithHint(err, "'git sage templates list' shows where each is"))
	}
	a.Say("removed template '%s' from %s", name, from)
	return nil
}
