package ask

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/cmd/internal/wire"
	"github.com/git-sage/git-sage/converse"
)

// options are those of both commands.
type options struct {
	model   string
	budget  int
	private bool
	dryRun  bool
}

func (o *options) flags(f *pflag.FlagSet) {
	f.SortFlags = false
	f.StringVar(&o.model, "model", "", "ask this `model`")
	f.IntVar(&o.budget, "budget", 0, "send at most this `number` of tokens of sources; by default ask_tokens")
	f.BoolVar(&o.private, "private", false, "also send private items, and checkpoints of private lines")
}

// check checks what was given.
func (o *options) check(f *pflag.FlagSet) error {
	if f.Changed("budget") && o.budget < 1 {
		return usage.Errorf("--budget must be at least 1")
	}
	return nil
}

const askLong = `Answer a question from memory and code: find items, checkpoints and code for it,
send them with the question to a model, and print the answer and the sources
that it cites. A citation of something that was not sent is marked as unknown,
and a heading of sources that the model wrote as its own.

The setting 'ask' names the model: the URL of an endpoint that speaks
Anthropic's or OpenAI's protocol, or claude, your own Claude Code. By default it
is Anthropic's API if ANTHROPIC_API_KEY is set, else claude.

Only what an agent may see is sent, without secrets. Private items and
checkpoints of private lines stay here unless you give --private. To read what
would be sent, use --dry-run: it sends nothing.`

// New makes 'git sage ask'.
func New(a *app.App) *cobra.Command {
	var o options
	c := &cobra.Command{
		Use:     "ask [<options>] <question>",
		Short:   "Answer a question from memory and code with a model",
		Long:    askLong,
		Example: "git sage ask 'why is the staging database empty?'\ngit sage ask --dry-run 'which cache do we ship?'",
		Args:    usage.RangeArgs(1, -1, "question"),
		RunE: func(c *cobra.Command, args []string) error {
			if err := o.check(c.Flags()); err != nil {
				return err
			}
			return runAsk(c.Context(), a, o, strings.Join(args, " "))
		},
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	o.flags(c.Flags())
	c.Flags().BoolVarP(&o.dryRun, "dry-run", "n", false, "print what would be sent, and send nothing")
	return c
}

// askedJSON is what ask --json prints.
type askedJSON struct {
	Question  string     `json:"question"`
	Answer    string     `json:"answer"`
	Cut       bool       `json:"cut"` // it ran out of tokens
	Citations []citation `json:"citations"`
	Sources   []source   `json:"sources"` // that were sent
	Private   int        `json:"private"` // sources that were left out
	Withheld  int        `json:"withheld"`
	Redacted  int        `json:"redacted"`
	Model     string     `json:"model"`
	Input     int        `json:"input_tokens"`
	CacheRead int        `json:"cache_read_tokens"`
	Output    int        `json:"output_tokens"`
}

func runAsk(ctx context.Context, a *app.App, o options, question string) error {
	if strings.TrimSpace(question) == "" {
		return usage.Errorf("the question is empty")
	}
	t, err := open(ctx, a, o)
	if err != nil {
		return err
	}
	if !o.dryRun {
		if err := t.asker.Prepare(ctx); err != nil {
			return told(err, again)
		}
	}
	g, err := t.pose(ctx, question)
	if err != nil {
		return err
	}
	if o.dryRun {
		return dryRun(a, t, g)
	}
	a.Say("asking %s: %s", t.asker.Name(), t.sent(g))
	write := func(text string) { _, _ = io.WriteString(a.Out, text) }
	if a.JSON {
		write = func(string) {}
	}
	r, cites, err := t.answer(ctx, write)
	if err != nil {
		if r.Text != "" && !a.JSON {
			write("\n")
		}
		return told(err, again)
	}
	if a.JSON {
		return a.PrintJSON(askedJSON{question, r.Text, r.Cut, wire.NotNil(cites), wire.NotNil(g.sources), g.private, g.withheld, t.secrets, r.Use.Model, r.Use.Input, r.Use.CacheRead, r.Use.Output})
	}
	write(closing(r.Text, cites))
	sayUsed(a, r)
	return nil
}

// dryRun prints what would be sent.
func dryRun(a *app.App, t *talk, g gathering) error {
	a.Say("would send %s", t.sent(g))
	if a.JSON {
		return a.PrintJSON(map[string]any{"system": instructions, "text": t.turns[0].Text, "sources": wire.NotNil(g.sources), "private": g.private, "withheld": g.withheld, "redacted": t.secrets})
	}
	return a.Print(func(w io.Writer) { fmt.Fprintf(w, "%s\n\n%s\n", instructions, term.VisibleLines(t.turns[0].Text)) })
}

// closing ends an answer, with what it cites.
func closing(text string, cites []citation) string {
	var b strings.Builder
	if !strings.HasSuffix(text, "\n") {
		b.WriteString("\n")
	}
	for i, c := range cites {
		if i == 0 {
			b.WriteString("\nSources:\n")
		}
		what := c.Title
		if !c.Known {
			what = "unknown: nothing of this name was sent"
		}
		fmt.Fprintf(&b, "  %s  %s\n", term.Visible(c.Name), term.Visible(term.Clip(what, 100)))
	}
	return b.String()
}

func sayUsed(a *app.App, r converse.Answer) {
	if r.Cut {
		a.Warn("the answer is cut: it has %d tokens, which is the most", mostAnswer)
	}
	a.Say("%s (%s)", used(r.Use), term.Visible(r.Use.Model))
}

// again is what to do when a model did not answer.
const again = "run the command again"

// told is an error with what to type for it; retry is how to ask a model again.
func told(err error, retry string) error {
	if refused, ok := errors.AsType[*converse.RefusedError](err); ok {
		cure := refused.Cure
		if strings.HasPrefix(cure, "git sage ") || strings.HasPrefix(cure, "export ") && !strings.Contains(cure, "'") {
			cure = "'" + cure + "'"
		}
		return exit.WithHint(err, "%s", cure)
	}
	if busy, ok := errors.AsType[*converse.BusyError](err); ok {
		if busy.Down {
			return exit.WithHint(err, "%s when it answers, or name another: git sage config set ask <address>", retry)
		}
		if busy.After > 0 {
			retry += fmt.Sprintf(" in %s", busy.After)
		}
		return exit.WithHint(err, "%s", retry)
	}
	return err
}
