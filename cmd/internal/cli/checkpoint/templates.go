package checkpoint

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/cmd/internal/wire"
	"github.com/git-sage/git-sage/gitstore/sage/naming"
	"github.com/git-sage/git-sage/gitstore/template"
	"github.com/git-sage/git-sage/internal/lists"
)

// NewTemplates makes 'git sage templates'.
func NewTemplates(a *app.App) *cobra.Command {
	return usage.Listing(usage.Group("templates", "List, show, add and remove templates for checkpoints", templatesLong,
		&cobra.Command{
			Use:   "list",
			Short: "List the templates",
			Long:  templatesLong,
			Args:  usage.NoArgs,
			RunE:  func(c *cobra.Command, _ []string) error { return listTemplates(c.Context(), a) },
		},
		&cobra.Command{
			Use:               "show <name>",
			Short:             "Show a template: its fields and its format",
			Args:              usage.ExactArgs("name"),
			RunE:              func(c *cobra.Command, args []string) error { return showTemplate(c.Context(), a, args[0]) },
			ValidArgsFunction: completeTemplates(a),
		},
		newTemplatesAddCmd(a),
		newTemplatesRmCmd(a),
	))
}

const templatesLong = `A template defines which fields a checkpoint must and may have, and how it is
shown. Your own templates are files ~/.sage/templates/<name>.yaml; those of the
repository travel with its memory and take precedence.`

// loadTemplates are those in force. What is wrong with others is warned of.
func loadTemplates(ctx context.Context, a *app.App) (*template.Set, error) {
	m, err := a.Open(ctx)
	if err != nil {
		return nil, err
	}
	set, warnings := m.Templates.List(ctx)
	for _, w := range warnings {
		a.Warn("%v", w)
	}
	return set, nil
}

func listTemplates(ctx context.Context, a *app.App) error {
	set, err := loadTemplates(ctx, a)
	if err != nil {
		return err
	}
	t := term.Table{Head: []string{"name", "origin", "required", "description"}}
	for _, tpl := range set.List() {
		if a.JSON {
			if err := a.PrintJSON(wire.TemplateOf(tpl)); err != nil {
				return err
			}
			continue
		}
		t.Add(tpl.Name, tpl.Origin.String(), strings.Join(fieldNames(tpl.Required), ","), tpl.Description)
	}
	return t.Print(&a.Terminal)
}

func fieldNames(fields []template.Field) []string {
	return lists.Map(fields, func(f template.Field) string { return f.Name })
}

func showTemplate(ctx context.Context, a *app.App, name string) error {
	set, err := loadTemplates(ctx, a)
	if err != nil {
		return err
	}
	t, err := set.Lookup(name)
	if err != nil {
		return meantTemplate(set, name, err)
	}
	if a.JSON {
		return a.PrintJSON(wire.TemplateOf(t))
	}
	var b strings.Builder
	fmt.Fprintf(&b, "name: %s\norigin: %s\ndescription: %s\n", t.Name, t.Origin, term.Visible(t.Description))
	writeFields(&b, "required", t.Required)
	writeFields(&b, "optional", t.Optional)
	if t.Format != "" {
		fmt.Fprintf(&b, "\n%s\n", strings.TrimRight(term.VisibleLines(t.Format), "\n"))
	}
	_, err = io.WriteString(a.Out, b.String())
	return err
}

// meantTemplate says which template was probably meant by a name that none has.
func meantTemplate(set *template.Set, name string, err error) error {
	names := lists.Map(set.List(), func(t *template.Template) string { return t.Name })
	if near := naming.Nearest(name, names); near != "" && near != name {
		return exit.WithHint(err, "did you mean '%s'?", near)
	}
	return err
}

func writeFields(w io.Writer, what string, fields []template.Field) {
	if len(fields) == 0 {
		return
	}
	fmt.Fprintf(w, "%s:\n", what)
	for _, f := range fields {
		about := ""
		if f.Description != "" {
			about = ": " + term.Visible(f.Description)
		}
		fmt.Fprintf(w, "  %s%s\n", f.Name, about)
	}
}

func completeTemplates(a *app.App) cobra.CompletionFunc {
	return func(c *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
		m, err := a.Open(c.Context())
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		var offers []string
		set, _ := m.Templates.List(c.Context())
		for _, t := range set.List() {
			offers = append(offers, usage.Offer(t.Name, t.Description))
		}
		return usage.Matching(offers, "", word), cobra.ShellCompDirectiveNoFileComp
	}
}
