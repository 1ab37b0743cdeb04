package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/hooks"
	"github.com/git-sage/git-sage/recall"
)

type handoffOptions struct {
	fields *fieldFlags
	file   string
	to     string
}

const handoffLong = `Save where the research stands for somebody who goes on with it, as a checkpoint with
the trigger handoff, and print a brief to paste.

The fields are given as for 'git sage checkpoint save'. With none given it is the
latest checkpoint, and what rules can pick out of the conversation since then.`

const handoffExample = `git sage handoff --to ada | xclip
git sage handoff --to kim -m 'The replica lags'`

func newHandoffCmd(a *app) *cobra.Command {
	var o handoffOptions
	cmd := &cobra.Command{
		Use:     "handoff [--to <who>] [<options>]",
		Short:   "Save for somebody who goes on, and print a brief to paste",
		Long:    handoffLong,
		Example: handoffExample,
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.handoff(cmd.Context(), &o)
		},
	}
	cmd.Flags().StringVar(&o.to, "to", "", "`who` goes on: a person, or an agent")
	cmd.Flags().StringVarP(&o.file, "file", "F", "", "read the checkpoint from `file`; - is standard input")
	o.fields = addFieldFlags(cmd)
	return cmd
}

func (a *app) handoff(ctx context.Context, o *handoffOptions) error {
	a.writing = true
	m, err := a.open(ctx)
	if err != nil {
		return err
	}
	c, err := a.handedOver(ctx, m, o)
	if err != nil {
		return err
	}
	c.Trigger = sage.Handoff
	if to := sage.OneLine(o.to); to != "" && c.Description == "" {
		c.Description = cut("For "+to+": "+sage.Describe(c, 0), sage.MaxDescription)
	}
	saved, err := m.Save(ctx, recall.Note{Draft: gitstore.Draft{Checkpoint: *c}})
	if err != nil {
		return err
	}
	a.acted = "it is saved, as " + a.short(saved.ID) + ": the brief is what 'git sage checkpoint restore --full' prints"
	a.saySaved(saved)
	return a.printHandoff(ctx, m, o.to, saved.ID)
}

// handedOver is what was given, else what is known.
func (a *app) handedOver(ctx context.Context, m *recall.Memory, o *handoffOptions) (*sage.Checkpoint, error) {
	if o.file != "" || o.fields.given() {
		return a.draft(&saveOptions{fields: o.fields, file: o.file}, nil)
	}
	c, err := hooks.Standing(ctx, m)
	if err == nil && c == nil {
		err = withHint(errors.New("nothing to hand over"), "say what is held now: git sage handoff -m <thesis>")
	}
	return c, err
}

func (a *app) printHandoff(ctx context.Context, m *recall.Memory, to, id string) error {
	c, err := m.Store.Load(ctx, id)
	if err != nil {
		return err
	}
	brief, err := m.Brief(ctx, c, recall.BriefOptions{Full: true})
	if err != nil {
		return err
	}
	line := m.Store.CurrentLine()
	if a.json {
		return a.printJSON(map[string]any{"id": id, "line": line, "to": to, "brief": brief})
	}
	head := "Handoff"
	if to != "" {
		head += " to " + visible(to)
	}
	_, err = fmt.Fprintf(a.out, "%s, by %s, %s. Where the repository is at hand, 'git sage checkpoint restore %s' continues from here (line %s).\n\n%s",
		head, visible(c.Author), c.Time.Format(time.DateOnly), a.short(id), line, endLine(visibleLines(brief)))
	return err
}
