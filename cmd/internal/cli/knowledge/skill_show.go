package knowledge

import (
	"context"
	"fmt"
	"io"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/history"
	"github.com/git-sage/git-sage/cmd/internal/item"
	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/cmd/internal/wire"
	"github.com/git-sage/git-sage/recall"
	"github.com/git-sage/git-sage/recall/provenance"
)

func newSkillListCmd(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List the skills",
		Long: `List all skills: as a table on a terminal, separated by tabs in a pipe (name,
texts, items, checkpoints, description), or as objects with --json.`,
		Args: usage.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return runSkillList(c.Context(), a) },
	}
}

func runSkillList(ctx context.Context, a *app.App) error {
	m, err := a.Open(ctx)
	if err != nil {
		return err
	}
	folders := app.SkillFolders(a, m)
	names, err := m.Skills.Names(ctx, folders...)
	if err != nil {
		return err
	}
	if len(names) == 0 {
		a.Say("no skills yet: 'git sage skill new <name> --description <text>' makes one")
	}
	t := term.Table{Head: []string{"name", "texts", "items", "checkpoints", "description"}}
	for _, name := range names {
		s, err := m.Skills.Get(ctx, name, folders...)
		if err != nil {
			return err
		}
		if a.JSON {
			if err := a.PrintJSON(wire.SkillOf(s)); err != nil {
				return err
			}
			continue
		}
		t.Add(name, term.Count(len(s.Docs)+len(s.Files)), term.Count(len(s.Items)), term.Count(len(s.Checkpoints)), aboutSkill(ctx, m, s))
	}
	if a.JSON {
		return nil
	}
	return t.Print(&a.Terminal)
}

// aboutSkill is one line that says what a skill is for.
func aboutSkill(ctx context.Context, m *recall.Memory, s recall.Skill) string {
	if s.Known == nil {
		return ""
	}
	return provenance.ItemByline(*s.Known, m.Provenance.Foreign(ctx, []recall.Known{*s.Known}), "") + s.About()
}

func newSkillShowCmd(a *app.App) *cobra.Command {
	var raw bool
	c := &cobra.Command{
		Use:   "show [--raw] <name>",
		Short: "Show a skill and what belongs to it",
		Long: `Show what a skill is for, how to do it, and the names of its texts, items and
checkpoints. To print them in full, use 'git sage skill context'.`,
		Args:              item.Args(1, 1, "name"),
		RunE:              func(c *cobra.Command, args []string) error { return runSkillShow(c.Context(), a, args[0], raw) },
		ValidArgsFunction: app.CompleteSkills(a),
	}
	c.Flags().BoolVar(&raw, "raw", false, "print the Markdown as it is stored")
	return c
}

func runSkillShow(ctx context.Context, a *app.App, name string, raw bool) error {
	m, err := a.Open(ctx)
	if err != nil {
		return err
	}
	if raw {
		defer a.Page()()
		return item.Show(ctx, a, m, item.Skill.Key(name), true)
	}
	s, err := m.Skills.Get(ctx, name, app.SkillFolders(a, m)...)
	if err != nil {
		return err
	}
	if a.JSON {
		j := wire.SkillOf(s)
		if s.Known != nil {
			j.Content = s.Known.Item.Content
		}
		return a.PrintJSON(j)
	}
	defer a.Page()()
	return a.Print(func(w io.Writer) { writeSkill(ctx, a, m, w, s) })
}

func writeSkill(ctx context.Context, a *app.App, m *recall.Memory, w io.Writer, s recall.Skill) {
	if s.Known != nil {
		item.Write(a, w, *s.Known, m.Provenance.Foreign(ctx, []recall.Known{*s.Known}), nil, nil)
	} else {
		fmt.Fprintf(w, "%s\n", a.Palette().ID("skill "+term.Visible(s.Name)))
	}
	rows := func(head string, list []recall.Known) {
		if len(list) > 0 {
			fmt.Fprintf(w, "\n%s:\n", head)
		}
		foreign := m.Provenance.Foreign(ctx, list)
		for _, k := range list {
			fmt.Fprintf(w, "  %s %s\n", term.Visible(k.Item.ID), term.Visible(provenance.ItemByline(k, foreign, "")+wire.ListTitle(k)))
		}
	}
	rows("Texts", s.Docs)
	if len(s.Files) > 0 {
		fmt.Fprintln(w, "\nFiles:")
	}
	for _, f := range s.Files {
		fmt.Fprintf(w, "  %s\n", term.Visible(f.Path))
	}
	rows("Items", s.Items)
	if n := len(s.Checkpoints); n > 0 {
		a.Fprintf(w, "\nCheckpoints: %s; 'git sage skill history %s' shows them\n", strconv.Itoa(n), term.Visible(s.Name))
	}
}

func newSkillContextCmd(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use:     "context <name>",
		Example: "git sage skill context privacy",
		Short:   "Print what an agent is given for a skill",
		Long: `Print what an agent is given for a skill: SKILL.md and docs/*.md of
.claude/skills, then, fenced, its purpose, texts, valid items and newest
checkpoint in the memory.`,
		Args:              item.Args(1, 1, "name"),
		RunE:              func(c *cobra.Command, args []string) error { return runSkillContext(c.Context(), a, args[0]) },
		ValidArgsFunction: app.CompleteSkills(a),
	}
}

func runSkillContext(ctx context.Context, a *app.App, name string) error {
	m, err := a.Open(ctx)
	if err != nil {
		return err
	}
	s, err := m.Skills.Get(ctx, name, app.SkillFolders(a, m)...)
	if err != nil {
		return err
	}
	text, err := m.Skills.Context(ctx, s)
	if err != nil {
		return err
	}
	if a.JSON {
		return a.PrintJSON(map[string]any{"name": name, "context": text})
	}
	defer a.Page()()
	_, err = io.WriteString(a.Out, term.VisibleLines(text))
	return err
}

func newSkillHistoryCmd(a *app.App) *cobra.Command {
	o := history.Options{Table: true}
	c := &cobra.Command{
		Use:   "history [-n <number>] <name>",
		Short: "List the checkpoints of a skill",
		Long:  "List the checkpoints of a skill on every line, newest first, as\n'git sage checkpoint list' does.",
		Args:  item.Args(1, 1, "name"),
		RunE: func(c *cobra.Command, args []string) error {
			o.Query.All, o.Query.Skill = true, args[0]
			return runSkillHistory(a, c, o)
		},
		ValidArgsFunction: app.CompleteSkills(a),
	}
	c.Flags().IntVarP(&o.Query.Max, "max-count", "n", 0, "show at most this `number`")
	return c
}

// runSkillHistory lists the checkpoints of a skill that there is: one that nobody knows has
// none either, and a slip of the hand is to be told.
func runSkillHistory(a *app.App, c *cobra.Command, o history.Options) error {
	m, err := a.Open(c.Context())
	if err != nil {
		return err
	}
	if _, err := m.Skills.Get(c.Context(), o.Query.Skill, app.SkillFolders(a, m)...); err != nil {
		return err
	}
	return history.Print(a, c, o, nil)
}
