package checkpoint

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/cmd/internal/history"
	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/cmd/internal/wire"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/codec"
	"github.com/git-sage/git-sage/recall"
	"github.com/git-sage/git-sage/recall/brief"
	"github.com/git-sage/git-sage/recall/provenance"
	"github.com/git-sage/git-sage/recall/suspect"
)

// NewShow makes 'git sage show'.
func NewShow(a *app.App) *cobra.Command {
	var o ShowOptions
	c := &cobra.Command{
		Use: "show [--full | --raw | --conversation] [<rev>...]",
		Example: `git sage show
git sage show @~2`,
		Short: "Show a checkpoint with all its fields",
		Long: `Show each <rev>, or where you stand, in the form of its template if that has
one, or else with every field. A removed checkpoint is shown and marked as
removed.

--conversation shows the messages up to the save, without secrets, if the
setting 'transcripts' was on. A tool call takes one line; --json prints an
object for each message.

A commit of your own code, such as HEAD, is shown with the checkpoints that
explain it: see 'git sage help notes record'.`,
		RunE:              func(c *cobra.Command, args []string) error { return runShow(c.Context(), a, o, args) },
		ValidArgsFunction: app.CompleteRevs(a),
	}
	c.Flags().BoolVar(&o.Full, "full", false, "show every field, whatever the template")
	c.Flags().BoolVar(&o.raw, "raw", false, "print the Markdown as it is stored")
	c.Flags().BoolVar(&o.conversation, "conversation", false, "show the conversation that led to it")
	return c
}

// ShowOptions say what is shown of a checkpoint.
type ShowOptions struct{ Full, raw, conversation bool }

func runShow(ctx context.Context, a *app.App, o ShowOptions, revs []string) error {
	if o.Full && o.raw {
		return usage.Errorf("options '--full' and '--raw' cannot be used together")
	}
	if o.conversation && (o.Full || o.raw) {
		return usage.Errorf("option '--conversation' cannot be used with '--full' or '--raw'")
	}
	if err := usage.NoEmpty(revs); err != nil {
		return err
	}
	m, err := a.Open(ctx)
	if err != nil {
		return err
	}
	if len(revs) == 0 {
		revs = []string{"@"}
	}
	defer a.Page()()
	for i, rev := range revs {
		if i > 0 && !o.raw && !a.JSON {
			fmt.Fprintln(a.Out)
		}
		if err := Show(ctx, a, m, o, rev); err != nil {
			return err
		}
	}
	return nil
}

// Show shows the checkpoint, or tombstone, that rev names.
func Show(ctx context.Context, a *app.App, m *recall.Memory, o ShowOptions, rev string) error {
	r, err := m.Store.Commits.Record(ctx, rev)
	if exit.IsNotFound(err) && rev != "@" && o == (ShowOptions{}) && m.Store.Notes.IsCommit(ctx, rev) {
		return history.ShowCommit(ctx, a, m, rev)
	}
	if err != nil {
		return err
	}
	if r.Kind == gitstore.KindTombstone {
		return showTombstone(a, m.Provenance.Admitted(r))
	}
	if o.conversation {
		return showConversation(ctx, a, m, r)
	}
	l, err := history.Load(ctx, m, r)
	if err != nil {
		return err
	}
	c := l.Checkpoint
	switch {
	case a.JSON && !o.raw:
		object, err := l.Object(ctx, m)
		if err != nil {
			return err
		}
		return a.PrintJSON(object)
	case o.raw && l.Withheld != nil:
		return l.Withheld
	case o.raw:
		if c.Elsewhere {
			a.Say("%s is %s", a.Short(c.ID), provenance.Unconfirmed(provenance.Writer(c.Author, c.Mixed)))
		}
		return showRaw(a, c)
	}
	text, err := showText(ctx, a, m, c, o.Full)
	if err != nil {
		return err
	}
	if found := provenance.SuspectCheckpoint(c); c.Elsewhere && l.Withheld == nil && len(found) > 0 {
		text = suspect.Text(found) + "\n" + brief.Fence("suspect: "+strings.Join(suspect.Rules(found), ", "), text)
	}
	r = m.Provenance.Admitted(l.Record)
	r.Thesis = ""
	r.Unconfirmed = r.Unconfirmed && !strings.HasPrefix(text, provenance.Provenance(c)) // else it is said twice
	rows := l.Trace.Rows(a.GitDate)
	if r.Refused {
		rows = append(rows, [2]string{"Refused", a.Typed(wire.RefusedNote(a.Short(r.ID)))})
	}
	_, err = fmt.Fprintf(a.Out, "%s\n\n%s\n", history.FullEntry(a, r, a.Palette(), rows...), term.VisibleLines(strings.TrimRight(text, "\n")))
	return err
}

// showText is c in the form of its template, or with every field.
func showText(ctx context.Context, a *app.App, m *recall.Memory, c *sage.Checkpoint, full bool) (string, error) {
	if !full {
		if text := history.InTemplate(ctx, a, m, c); text != "" {
			return text, nil
		}
	}
	return m.Templates.Brief(ctx, c, recall.BriefOptions{Full: true})
}

// showTombstone shows a commit that removes others or brings them back.
func showTombstone(a *app.App, r gitstore.Record) error {
	if a.JSON {
		return a.PrintJSON(wire.RecordOf(r))
	}
	return a.Print(func(w io.Writer) {
		fmt.Fprintln(w, history.FullEntry(a, r, a.Palette()))
		for _, id := range r.Removes {
			fmt.Fprintf(w, "    removes %s\n", a.Short(id))
		}
		for _, id := range r.Restores {
			fmt.Fprintf(w, "    brings back %s\n", a.Short(id))
		}
	})
}

func showRaw(a *app.App, c *sage.Checkpoint) error {
	_, err := a.Out.Write(codec.Marshal(c))
	return err
}
