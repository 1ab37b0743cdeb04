package importing

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/cli/connect"
	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/hooks/install"
	"github.com/git-sage/git-sage/imports/claudesage"
	"github.com/git-sage/git-sage/recall"
)

type claudeSageOptions struct {
	options
	from            string
	remove, restore bool
}

const claudeSageLong = `Bring in all that claude-sage 0.2 to 4.2.3 kept in .sage of this repository and
in ~/.sage: checkpoints with their dates, knowledge, todos, failures, core
files, skills, templates, settings that have a counterpart, pinned texts, shared
memory and histories. What is the project's goes to this repository, what is
yours to your own memory. Its files are only read.

Checkpoints go on 'main', so that the next save continues the last of them; if
you saved something there before, they go on a line 'claude-sage', which
'git sage merge claude-sage' brings in. Names that cannot be kept resolve all
the same. Recoveries, and what claude-sage itself did not list, are unconfirmed:
'git sage review' goes through them.

Run it again at any time, also after an interruption: what is here already is
skipped, and so is what you changed or removed here since. The status is 1 if
anything could not be taken whole; the report says what, why, and what to do.`

func newImportClaudeSageCmd(a *app.App) *cobra.Command {
	var o claudeSageOptions
	c := &cobra.Command{
		Use:   "claude-sage [--from <dir> [--global]] [--line <line>] [--again] [-n] [-q]",
		Short: "Import what claude-sage kept",
		Long:  claudeSageLong,
		Example: `git sage import claude-sage --dry-run
git sage import claude-sage
git sage import claude-sage --remove-hooks`,
		Args: usage.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if o.remove || o.restore {
				return changePredecessor(c.Context(), a, o)
			}
			return importClaudeSage(c.Context(), a, o)
		},
	}
	f := c.Flags()
	f.SortFlags = false
	f.StringVar(&o.from, "from", "", "import only what lies in this `folder`, or in .sage there")
	f.BoolVar(&o.global, "global", false, "import it into your own memory, with --from")
	f.StringVar(&o.Line, "line", "", "put the project's checkpoints on this `line`")
	f.BoolVar(&o.Again, "again", false, "import also what was removed here since")
	f.BoolVarP(&o.DryRun, "dry-run", "n", false, "print the report and write nothing")
	f.BoolVarP(&o.quiet, "quiet", "q", false, "print only warnings")
	f.BoolVar(&o.remove, "remove-hooks", false, "take its hooks and server out of Claude Code's files, and import nothing")
	f.BoolVar(&o.restore, "restore-hooks", false, "put them back, beside what is new")
	c.MarkFlagsMutuallyExclusive("remove-hooks", "restore-hooks")
	return c
}

func importClaudeSage(ctx context.Context, a *app.App, o claudeSageOptions) error {
	if o.global && o.from == "" {
		return usage.Errorf("option '--global' needs '--from'")
	}
	m, err := open(ctx, a, o.options)
	if err != nil {
		return err
	}
	src := claudeSageSource(a, m, o)
	if len(src.Folders) == 0 {
		where := "in '.sage' of this repository or in '" + a.Homely(homeSage(a)) + "'"
		if o.from != "" {
			where = "in '" + o.from + "'"
		}
		return exit.WithHint(fmt.Errorf("nothing of claude-sage %s", where), "--from names the folder in which it lies")
	}
	r, err := run(ctx, a, m, src, o.options)
	if n := r.Total(); !a.JSON && !o.quiet && n.New+n.Updated > 0 && !o.DryRun {
		a.Hint("'git sage log' and 'git sage knowledge list' show it; 'git sage review' goes through what is unconfirmed")
		if connect.HasPredecessor(ctx, a) {
			a.Hint("hooks or a server of claude-sage are still installed: 'git sage import claude-sage --remove-hooks' takes them out")
		}
	}
	return err
}

// homeSage is the folder .sage in the user's home, where the tool kept what was theirs.
func homeSage(a *app.App) string { return filepath.Join(a.HomeFolder(), ".sage") }

// claudeSageSource is a source over the folders of the tool that are there.
func claudeSageSource(a *app.App, m *recall.Memory, o claudeSageOptions) *claudesage.Source {
	src := &claudesage.Source{Now: a.Now}
	add := func(dir string, own bool) {
		if at, ok := claudesage.Find(dir); ok {
			src.Folders = append(src.Folders, &claudesage.Folder{Dir: at, Own: own, Shown: shownBelow(a, a.Path("."), at)})
		}
	}
	own := o.global || a.IsOutside(m.Store)
	if o.from != "" {
		add(a.Path(o.from), own)
	} else {
		if top := m.Store.Repo.Top(); top != "" && !own {
			add(filepath.Join(top, ".sage"), false)
		}
		if a.HomeFolder() != "" {
			add(homeSage(a), true)
		}
	}
	skills := filepath.Join(a.ClaudeFolder(), "skills")
	if o.from != "" {
		skills = filepath.Join(a.Path(o.from), ".claude", "skills")
	}
	if app.IsDir(skills) && len(src.Folders) > 0 && (own || o.from == "") {
		src.Skills = &claudesage.Folder{Dir: skills, Own: true, Shown: filepath.ToSlash(a.Homely(skills))}
	}
	return src
}

// changePredecessor takes the tool's entries out of Claude Code's files, or puts them back.
func changePredecessor(ctx context.Context, a *app.App, o claudeSageOptions) error {
	p, err := connect.Place(ctx, a)
	if err != nil {
		return err
	}
	p.DryRun = o.DryRun
	do := install.Place.RemovePredecessor
	if o.restore {
		do = install.Place.RestorePredecessor
	}
	list, err := do(p)
	not := ""
	if o.DryRun {
		not = " (not written)"
	}
	for _, r := range list {
		if a.JSON {
			if err := a.PrintJSON(map[string]any{"path": r.Path, "changes": r.Changes, "written": !o.DryRun}); err != nil {
				return err
			}
			continue
		}
		for _, c := range r.Changes {
			if _, err := fmt.Fprintf(a.Out, "%s%s: %s\n", term.Visible(a.Homely(r.Path)), not, term.Visible(c)); err != nil {
				return err
			}
		}
	}
	switch {
	case err != nil || a.JSON:
	case len(list) == 0:
		_, err = fmt.Fprintln(a.Out, "nothing to do: claude-sage has no hooks or server here")
	case o.remove && !o.DryRun:
		a.Hint("'git sage import claude-sage --restore-hooks' puts them back; 'git sage init --claude' installs those of git-sage")
	case o.restore && !o.DryRun:
		hintOurs(a, p)
	}
	return err
}

// hintOurs says how to take out what of ours is installed: two tools would answer each prompt.
func hintOurs(a *app.App, p install.Place) {
	var do []string
	for _, s := range p.Status() {
		if len(s.Commands) > 0 {
			do = append(do, fmt.Sprintf("git sage %s uninstall --scope %s", s.Part, s.Scope))
		}
	}
	if len(do) > 0 {
		a.Hint("those of git-sage are there as well: '%s' takes them out", strings.Join(do, "; "))
	}
}
