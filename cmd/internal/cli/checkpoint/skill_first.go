package checkpoint

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/cmd/internal/history"
	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/recall"
)

// The tool before us kept the checkpoints of each skill apart, so that its commands took
// a skill before the id: checkpoint restore privacy 3f2a91c0. Here they lie on lines, and
// a skill narrows what the rest of the arguments may mean.

const skillFirstHelp = `

A skill may come first, as in
'checkpoint %s':
then only its checkpoints count, and the newest is the default. A line, tag or
id of that name takes precedence; --skill <name> always means the skill.`

// skillFirst lets a command whose arguments are at most so many revisions, -1 for any
// number, take a skill before them; example is its command line then.
func skillFirst(a *app.App, c *cobra.Command, most int, example string) *cobra.Command {
	skill := c.Flags().String("skill", "", "limit to this `skill`; its newest checkpoint is the default")
	valid, run := c.Args, c.RunE
	c.Long += fmt.Sprintf(skillFirstHelp, example)
	if before, revs, ok := strings.Cut(c.Use, "<"); ok { // the first revision, in brackets if it may be left out
		name, bracket := strings.CutSuffix(before, "[")
		c.Use = name + "[<skill>] " + map[bool]string{true: "["}[bracket] + "<" + revs
	}
	c.Args = cobra.ArbitraryArgs
	c.RunE = func(c *cobra.Command, args []string) error {
		if f := c.Flags().Lookup("removed"); f == nil || !f.Changed {
			var err error
			if args, err = ofSkill(c.Context(), a, *skill, args, most); err != nil {
				return err
			}
		}
		if valid != nil {
			if err := valid(c, args); err != nil {
				return err
			}
		}
		return run(c, args)
	}
	return c
}

// ofSkill returns the revisions that args mean: args themselves if they name no skill.
func ofSkill(ctx context.Context, a *app.App, skill string, args []string, most int) ([]string, error) {
	if skill == "" && (len(args) == 0 || usage.NoEmpty(args) != nil) {
		return args, nil
	}
	m, err := a.Open(ctx)
	if err != nil {
		return nil, err
	}
	var newest gitstore.Record
	if skill == "" {
		if skill, newest, err = skillBefore(ctx, m, args, most); skill == "" || err != nil {
			return args, err
		}
		args = args[1:]
	} else if newest, err = newestOf(ctx, m.Store, skill); err != nil {
		return nil, err
	}
	if len(args) == 0 {
		return []string{newest.ID}, nil
	}
	for _, arg := range args {
		from, to, ok := strings.Cut(arg, "..")
		revs := []string{arg}
		if ok {
			revs = []string{orHere(from), orHere(strings.TrimPrefix(to, "."))}
		}
		for _, rev := range revs {
			r, err := m.Store.Commits.Record(ctx, rev)
			if err != nil {
				return nil, err
			}
			if r.Skill != skill {
				return nil, exit.WithHint(fmt.Errorf("'%s' does not belong to skill '%s'", rev, skill), "'git sage checkpoint list --all --skill %s' lists those that do", term.ShellWord(skill))
			}
		}
	}
	return args, nil
}

// skillBefore is the skill that stands first in args, with its newest checkpoint; "" if
// none does. What else it may name goes first, unless there are more than most arguments.
func skillBefore(ctx context.Context, m *recall.Memory, args []string, most int) (string, gitstore.Record, error) {
	tooMany := most >= 0 && len(args) > most
	if !tooMany {
		if _, err := m.Store.Commits.Resolve(ctx, args[0]); err == nil || !exit.IsNotFound(err) || strings.Contains(args[0], "..") {
			return "", gitstore.Record{}, nil // the command says what is wrong with it
		}
	}
	newest, err := newestOf(ctx, m.Store, args[0])
	if exit.IsNotFound(err) {
		return "", newest, nil
	}
	return args[0], newest, err
}

func newestOf(ctx context.Context, s *gitstore.Store, skill string) (gitstore.Record, error) {
	of, err := s.Commits.Log(ctx, gitstore.Query{Skill: skill, All: true, Max: 1})
	if err == nil && len(of) == 0 {
		err = fmt.Errorf("of skill '%s': %w", skill, gitstore.ErrNotFound)
	}
	if err != nil {
		return gitstore.Record{}, err
	}
	return of[0], nil
}

// listOfSkill takes the skill out of the arguments of a list, which may stand first. Alone
// it means its checkpoints on every line.
func listOfSkill(a *app.App, c *cobra.Command, o *history.Options, args []string) ([]string, error) {
	revs := args
	if dash := c.ArgsLenAtDash(); dash >= 0 {
		revs = args[:dash]
	}
	if o.Query.Skill != "" || len(revs) == 0 || usage.NoEmpty(revs) != nil || recall.IsProjectPath(o.Query.Project) {
		return args, nil
	}
	m, err := a.Open(c.Context())
	if err != nil {
		return nil, err
	}
	skill, _, err := skillBefore(c.Context(), m, revs, -1)
	if skill == "" || err != nil {
		return args, err
	}
	o.Query.Skill, o.Query.All, o.Taken = skill, o.Query.All || len(revs) == 1 && o.Query.Line == "", 1
	return args[1:], nil
}
