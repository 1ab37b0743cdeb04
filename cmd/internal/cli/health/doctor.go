package health

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/cli/watcher"
	"github.com/git-sage/git-sage/cmd/internal/config"
	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/cmd/internal/wire"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/remedy"
	"github.com/git-sage/git-sage/hooks/install"
	"github.com/git-sage/git-sage/internal/hint"
	"github.com/git-sage/git-sage/recall"
)

// NewDoctor makes 'git sage doctor'.
func NewDoctor(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use:   "doctor",
		Short: "Check the setup, and say what to type",
		Long: `Check git and its configuration, the file system, the clock, your identity, the
memory, locks, the backup, search and its model, the index of code and the git
hooks that keep it fresh, the installed program, clients and their hooks, and
the settings.

Print that all is well, or what is wrong and what to type. Exit with status 1 if
something is wrong; oddities are warnings. Nothing is changed.`,
		Args: usage.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return runDoctor(c.Context(), a) },
	}
}

func runDoctor(ctx context.Context, a *app.App) error {
	all := diagnose(ctx, a)
	var err error
	if a.JSON {
		for _, d := range all {
			if err = a.PrintJSON(wire.DiagnosisOf(d)); err != nil {
				return err
			}
		}
	} else if err = printDiagnoses(a, all); err != nil {
		return err
	}
	if slices.ContainsFunc(all, func(d gitstore.Diagnosis) bool { return d.State == gitstore.StateError }) {
		return exit.ErrNo
	}
	return nil
}

// diagnose goes on behind what cannot be opened: then that is what is wrong.
func diagnose(ctx context.Context, a *app.App) []gitstore.Diagnosis {
	m, err := a.Open(ctx)
	if err != nil {
		d := gitstore.Diagnosis{Name: "repository", State: gitstore.StateError, Detail: exit.Message(err)}
		d.Cure = hint.Typed(strings.Join(exit.Hints(&a.Terminal, err), "; "))
		return []gitstore.Diagnosis{d}
	}
	where := m.Store.Repo.Top()
	if where == "" {
		where = a.RealPath(m.Store.Repo.GitDir())
	}
	all := []gitstore.Diagnosis{{Name: "repository", State: gitstore.StateOK, Detail: where}, programWell(a)}
	return append(all, wellOf(ctx, a, m, install.Claude)...)
}

// wellOf is what is to be said of an open memory and all around it; of one of the clients
// that have no hooks, and no watcher, only what is its own.
func wellOf(ctx context.Context, a *app.App, m *recall.Memory, client install.Client) []gitstore.Diagnosis {
	all := m.Store.Doctor.Diagnose(ctx)
	all = append(all, searchWell(ctx, a, m)...)
	all = append(all, codeWell(ctx, a, m)...)
	all = append(all, gitHooksWell(a, m.Store)...)
	all = append(all, remotesWell(ctx, a, m)...)
	if client == install.Claude {
		all = append(all, clientsWell(ctx, a, m.Store)...)
		all = append(all, earlierWell(ctx, a, m)...)
		all = append(all, watcher.Well(ctx, a)...)
		all = append(all, distillWell(a, m.Store)...)
	} else {
		all = append(all, clientWell(ctx, a, client)...)
	}
	return append(all, settingsWell(a, m.Store)...)
}

// DiagnoseFor is diagnose for an agent that works in dir, in a client of that name: of a
// memory that cannot be opened it hears otherwise.
func DiagnoseFor(ctx context.Context, a *app.App, dir, session, client string) []gitstore.Diagnosis {
	there := *a
	there.Dir = dir
	m, err := there.OpenGuest(ctx, dir, session)
	if err != nil {
		return nil
	}
	defer m.Close()
	return wellOf(ctx, &there, m, install.ClientOf(client))
}

// settingsWell says what is wrong with the files of settings.
func settingsWell(a *app.App, s *gitstore.Store) (all []gitstore.Diagnosis) {
	c, err := a.Config(s)
	if err != nil {
		return []gitstore.Diagnosis{{Name: "settings", State: gitstore.StateWarning, Detail: exit.Message(err)}}
	}
	for _, w := range c.Warnings() {
		all = append(all, gitstore.Diagnosis{Name: "settings", State: gitstore.StateWarning, Detail: w, Cure: hint.Typed("git sage config list")})
	}
	all = append(all, unknownSettings(s)...)
	if len(all) == 0 {
		all = append(all, gitstore.Diagnosis{Name: "settings", State: gitstore.StateOK, Detail: "all understood"})
	}
	return all
}

// unknownSettings names keys of ours in git's configuration that mean nothing.
func unknownSettings(s *gitstore.Store) (all []gitstore.Diagnosis) {
	for _, key := range s.Repo.ConfigKeys("sage.") {
		name := strings.TrimPrefix(key, "sage.")
		if _, err := config.Lookup(name); err != nil && !strings.Contains(name, ".") {
			d := gitstore.Diagnosis{Name: "settings", State: gitstore.StateWarning, Detail: "git config " + key + ": " + term.Visible(err.Error())}
			if _, scope, _ := s.Repo.Config(key); scope != "command" {
				d.Cure = hint.Typed("git config --" + scope + " --unset-all " + key)
			}
			all = append(all, d)
		}
	}
	return all
}

// marks stand before a line on a terminal.
var marks = map[gitstore.State][2]string{
	gitstore.StateOK: {"✓", "green"}, gitstore.StateWarning: {"!", "bold yellow"}, gitstore.StateError: {"✗", "bold red"},
}

func printDiagnoses(a *app.App, all []gitstore.Diagnosis) error {
	if !a.TTY {
		t := term.Table{Head: []string{"state", "check", "detail", "cure"}}
		for _, d := range all {
			t.Add(string(d.State), d.Name, a.Typed(hint.Note(remedy.Note{Text: d.Detail, Remedies: d.More})), a.Typed(hint.Cure(d.Cure)))
		}
		return t.Print(&a.Terminal)
	}
	p, worst := a.Palette(), gitstore.StateOK
	for _, d := range all {
		mark := marks[d.State]
		if d.State == gitstore.StateOK && d.Unused {
			mark = [2]string{"-", ""}
		}
		if d.State == gitstore.StateError || worst == gitstore.StateOK {
			worst = d.State
		}
		line := p.Paint(mark[1], mark[0]) + fmt.Sprintf(" %-10s ", d.Name) + term.Visible(a.Typed(hint.Note(remedy.Note{Text: d.Detail, Remedies: d.More}))) + "\n"
		if cure := hint.Cure(d.Cure); cure != "" {
			line += strings.Repeat(" ", 13) + p.Paint("bold", term.Visible(a.Typed(cure))) + "\n"
		}
		if _, err := fmt.Fprint(a.Out, line); err != nil {
			return err
		}
	}
	return printVerdict(a, p, worst)
}

// printVerdict is the last line, which is all that many will read.
func printVerdict(a *app.App, p term.Palette, worst gitstore.State) error {
	said := map[gitstore.State]string{
		gitstore.StateOK:      p.Paint("bold green", "All is well."),
		gitstore.StateWarning: p.Paint("bold yellow", "The memory works; see the lines marked !"),
		gitstore.StateError:   p.Paint("bold red", "Something is wrong; see the lines marked ✗ for what to type."),
	}[worst]
	_, err := fmt.Fprintln(a.Out, "\n"+said)
	return err
}
