package checkpoint

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/cli/export"
	"github.com/git-sage/git-sage/cmd/internal/draft"
	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/hooks/autosave"
	"github.com/git-sage/git-sage/prose/cut"
	"github.com/git-sage/git-sage/recall"
	"github.com/git-sage/git-sage/recall/brief"
	"github.com/git-sage/git-sage/recall/save"
)

type handoffOptions struct {
	fields *draft.Fields
	file   string
	to     string
}

const handoffLong = `Save a checkpoint for the person or agent that takes over, with the trigger
handoff, and print a brief to paste.

Give fields as for 'git sage save'. Without any, hand over the latest checkpoint
and what the conversation has added since. If that is nothing new, only print
the brief, unless --to names somebody new.`

const handoffExample = `git sage handoff --to ada | xclip
git sage handoff --to kim -m 'The replica lags'`

// NewHandoff makes 'git sage handoff'.
func NewHandoff(a *app.App) *cobra.Command {
	var o handoffOptions
	cmd := &cobra.Command{
		Use:     "handoff [--to <person>] [<options>]",
		Short:   "Save a handoff, and print a brief to paste",
		Long:    handoffLong,
		Example: handoffExample,
		Args:    usage.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runHandoff(cmd.Context(), a, &o)
		},
	}
	cmd.Flags().StringVar(&o.to, "to", "", "the `person` or agent that takes over")
	cmd.Flags().StringVarP(&o.file, "file", "F", "", "read the checkpoint from `file`; - is standard input")
	o.fields = draft.AddFields(cmd)
	return cmd
}

func runHandoff(ctx context.Context, a *app.App, o *handoffOptions) error {
	a.Writing = true
	m, err := a.Open(ctx)
	if err != nil {
		return err
	}
	c, same, err := handedOver(ctx, a, m, o)
	if err != nil {
		return err
	}
	c.Trigger = sage.Handoff
	if to := legible.OneLine(o.to); to != "" && c.Description == "" {
		c.Description = cut.Runes("For "+to+": "+sage.Describe(c, 0), sage.MaxDescription)
	}
	if handed, err := handedTo(ctx, m, c, same); err != nil {
		return err
	} else if handed {
		a.Say("nothing new since %s, which is handed over", a.Short(same))
		return printHandoff(ctx, a, m, o.to, same)
	}
	saved, err := m.Save.Checkpoint(ctx, save.Note{Draft: gitstore.Draft{Checkpoint: *c, ByHand: o.file != "" || o.fields.Given()}})
	if err != nil {
		return err
	}
	a.Acted = "it is saved, as " + a.Short(saved.ID) + ": the brief is what 'git sage checkpoint restore --full' prints"
	a.SayOutside(false)
	draft.SaySaved(a, saved)
	return printHandoff(ctx, a, m, o.to, saved.ID)
}

// handedTo reports whether the checkpoint that says the same is handed over already: to
// anybody, or to whom c is for.
func handedTo(ctx context.Context, m *recall.Memory, c *sage.Checkpoint, same string) (bool, error) {
	if same == "" || c.Description == "" {
		return same != "", nil
	}
	was, err := m.Store.Commits.Load(ctx, same)
	return err == nil && was.Trigger == sage.Handoff && was.Description == c.Description, err
}

// handedOver is what was given, else what is known, and the checkpoint that says just that.
func handedOver(ctx context.Context, a *app.App, m *recall.Memory, o *handoffOptions) (c *sage.Checkpoint, same string, err error) {
	if o.file != "" || o.fields.Given() {
		c, err = draftOf(a, &saveOptions{fields: o.fields, file: o.file}, &sage.Checkpoint{})
		return c, "", err
	}
	c, same, err = autosave.Standing(ctx, m)
	if err == nil && c == nil {
		err = exit.WithHint(errors.New("nothing to hand over"), "state a thesis: git sage handoff -m <thesis>")
	}
	return c, same, err
}

func printHandoff(ctx context.Context, a *app.App, m *recall.Memory, to, id string) error {
	c, err := m.Store.Commits.Load(ctx, id)
	if err != nil {
		return err
	}
	body, err := m.Templates.Brief(ctx, c, recall.BriefOptions{Full: true})
	if err != nil {
		return err
	}
	if lines, err := export.PrivateLines(ctx, m, id); err != nil {
		return err
	} else if len(lines) > 0 {
		a.Warn("the brief holds what is private on %s", strings.Join(lines, ", "))
	}
	line := m.Store.Session.CurrentLine()
	if a.JSON {
		return a.PrintJSON(map[string]any{"id": id, "line": line, "to": to, "brief": body})
	}
	if ref, _ := m.Store.Session.Position(); strings.HasPrefix(ref, "refs/sage/forks/") {
		line += ", on its fork " + strings.TrimPrefix(ref, "refs/sage/forks/")
	}
	head := "Handoff"
	if to != "" {
		head += " to " + term.Visible(to)
	}
	_, err = io.WriteString(a.Out, a.Fold(fmt.Sprintf("%s, by %s, %s. In the repository, 'git sage checkpoint restore %s' continues from here (line %s).\n\n%s",
		head, brief.Defuse(term.Visible(c.Author)), c.Time.Format(time.DateOnly), a.Short(id), line, endLine(term.VisibleLines(body)))))
	return err
}
