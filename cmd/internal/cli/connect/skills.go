package connect

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/hooks/install"
	"github.com/git-sage/git-sage/hooks/install/skills"
	"github.com/git-sage/git-sage/plugin"
)

// NewAgentSkills makes 'git sage agent-skills'.
func NewAgentSkills(a *app.App) *cobra.Command {
	c := usage.Group("agent-skills", "Teach Claude Code how to use the memory", skillsLong,
		skillsCmd(a, "install", "Install the skills for Claude Code", (*skills.Shelf).Install),
		&cobra.Command{
			Use:   "list",
			Short: "List the skills and where they are installed",
			Long:  skillsLong,
			Args:  usage.NoArgs,
			RunE:  func(c *cobra.Command, _ []string) error { return listSkills(c.Context(), a) },
		},
		&cobra.Command{
			Use:               "show <name>",
			Short:             "Show the text of a skill in this version",
			Args:              usage.ExactArgs("name"),
			RunE:              func(_ *cobra.Command, args []string) error { return showSkillText(a, args[0]) },
			ValidArgsFunction: completeTexts,
		},
		skillsCmd(a, "update", "Update installed skills to this version, and keep edits", (*skills.Shelf).Update),
		skillsCmd(a, "uninstall", "Remove the skills, except for edited ones", (*skills.Shelf).Uninstall),
	)
	c.Aliases = []string{"skills"} // its name before
	return c
}

const skillsLong = `A skill is a text about when to save, what to keep and how to continue. Claude
Code shows its model one line of it, and the rest on demand. Skills are in
~/.claude/skills/<name>/SKILL.md or, with --project, in .claude/skills of the
project. You can edit them: an update keeps your edits, and names a skill that
it leaves alone because both changed the same place. The plugin has the same
skills. For a skill as a scope of checkpoints and knowledge, see
'git sage skill'.`

type skillFunc func(*skills.Shelf, skills.Skill) (skills.Result, error)

func skillsCmd(a *app.App, verb, short string, do skillFunc) *cobra.Command {
	var user, project, dry bool
	c := &cobra.Command{
		Use:   verb + " [--user|--project] [-n] [<name>...]",
		Short: short,
		Long:  skillsLong + "\n\nWithout a name, this applies to all. Exit with status 1 if one was left alone.",
		RunE: func(c *cobra.Command, names []string) error {
			if user && project {
				return usage.Errorf("options '--user' and '--project' cannot be used together")
			}
			scope := install.User
			if project {
				scope = install.Project
			}
			return changeSkills(c.Context(), a, scope, dry, names, do)
		},
		ValidArgsFunction: completeTexts,
	}
	c.Flags().BoolVar(&user, "user", false, "for you, everywhere (default)")
	c.Flags().BoolVar(&project, "project", false, "for everybody who works on the project, in a shared folder")
	c.Flags().BoolVarP(&dry, "dry-run", "n", false, "show what would change, and write nothing")
	return c
}

// shelfOf is where the skills of a scope lie.
func shelfOf(ctx context.Context, a *app.App, scope install.Scope, dry bool) (*skills.Shelf, error) {
	p := personsPlace(a)
	if scope != install.User {
		var err error
		if p, err = Place(ctx, a); err != nil {
			return nil, err
		}
	}
	p.DryRun = dry
	sh, err := p.Shelf(scope)
	if err != nil {
		return nil, err
	}
	sh.Merge = func(base, ours, theirs []byte) ([]byte, bool, error) {
		return gitstore.MergeText(ctx, gitstore.Options{Home: a.Home(), Env: a.Env}, base, ours, theirs)
	}
	return sh, nil
}

// skillTexts are the skills of those names, or all.
func skillTexts(names []string) ([]skills.Skill, error) {
	all, err := skills.Read(plugin.Skills())
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if !slices.ContainsFunc(all, func(k skills.Skill) bool { return k.Name == name }) {
			return nil, exit.WithHint(fmt.Errorf("no skill '%s'", name), "'git sage agent-skills list' lists the skills")
		}
	}
	return slices.DeleteFunc(all, func(k skills.Skill) bool { return len(names) > 0 && !slices.Contains(names, k.Name) }), nil
}

func changeSkills(ctx context.Context, a *app.App, scope install.Scope, dry bool, names []string, do skillFunc) error {
	list, err := skillTexts(names)
	if err != nil {
		return err
	}
	sh, err := shelfOf(ctx, a, scope, dry)
	if err != nil {
		return err
	}
	did, left := 0, 0
	for _, k := range list {
		r, err := do(sh, k)
		if err != nil {
			return err
		}
		if r.Did != "" {
			did++
		}
		if r.Left != "" {
			left++
		}
		if err := printSkill(a, k, r, dry); err != nil {
			return err
		}
	}
	return sayChanged(ctx, a, did, left)
}

// skillChangeJSON is what --json prints of a skill that was to be changed.
type skillChangeJSON struct {
	Name string `json:"name"`
	Path string `json:"path"`
	Did  string `json:"did,omitempty"`
	Kept string `json:"kept,omitempty"`
	Left string `json:"left,omitempty"`
}

func printSkill(a *app.App, k skills.Skill, r skills.Result, dry bool) error {
	if a.JSON {
		return a.PrintJSON(skillChangeJSON{k.Name, r.Path, r.Did, r.Kept, r.Left})
	}
	path := term.Visible(r.Path)
	if dry {
		path += " (not written)"
	}
	var err error
	switch {
	case r.Left != "":
		_, err = fmt.Fprintf(a.Out, "%s: %s\n", path, r.Left)
	case r.Did != "":
		_, err = fmt.Fprintf(a.Out, "%s: %s\n", path, r.Did)
	case r.Kept != "":
		_, err = fmt.Fprintf(a.Out, "%s: %s\n", path, r.Kept)
	}
	return err
}

func sayChanged(ctx context.Context, a *app.App, did, left int) error {
	if p, err := Place(ctx, a); did > 0 && err == nil && p.HasPlugin() {
		a.Hint("the plugin %s has the same skills: the model sees both", install.PluginID)
	}
	if left > 0 {
		return exit.ErrNo
	}
	if did == 0 && !a.JSON {
		_, err := fmt.Fprintln(a.Out, "no change to the skills")
		return err
	}
	return nil
}

// skillStateJSON is what list --json prints of a skill.
type skillStateJSON struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	User        string `json:"user"`
	Project     string `json:"project,omitempty"`
}

func listSkills(ctx context.Context, a *app.App) error {
	list, err := skillTexts(nil)
	if err != nil {
		return err
	}
	user, _ := shelfOf(ctx, a, install.User, true) // nil where there is no such scope
	project, _ := shelfOf(ctx, a, install.Project, true)
	t := term.Table{Head: []string{"skill", "user", "project", "description"}}
	for _, k := range list {
		j := skillStateJSON{k.Name, k.Description, skillState(user, k), skillState(project, k)}
		if !a.JSON {
			t.Add(j.Name, j.User, j.Project, j.Description)
		} else if err := a.PrintJSON(j); err != nil {
			return err
		}
	}
	return t.Print(&a.Terminal)
}

func skillState(sh *skills.Shelf, k skills.Skill) string {
	if sh == nil {
		return ""
	}
	st, err := sh.State(k)
	if err != nil {
		return exit.Message(err)
	}
	return string(st)
}

func showSkillText(a *app.App, name string) error {
	list, err := skillTexts([]string{name})
	if err != nil {
		return err
	}
	if a.JSON {
		return a.PrintJSON(map[string]string{"name": list[0].Name, "description": list[0].Description, "text": list[0].Text})
	}
	_, err = io.WriteString(a.Out, list[0].Text)
	return err
}

// completeTexts offers the names of the skills that this program has.
func completeTexts(_ *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
	var offers []string
	list, _ := skillTexts(nil)
	for _, k := range list {
		offers = append(offers, usage.Offer(k.Name, k.Description))
	}
	return usage.Matching(offers, "", word), cobra.ShellCompDirectiveNoFileComp
}
