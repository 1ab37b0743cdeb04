package ask

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/draft"
	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/cmd/internal/interrupt"
	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/converse"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/recall"
	"github.com/git-sage/git-sage/recall/brief"
	"github.com/git-sage/git-sage/recall/save"
)

const chatLong = `Talk with a model about memory and code. For each question, find sources as
'git sage ask' does, and send those that were not sent before.

Ctrl-C stops an answer or clears the line; press it twice to end. Lines that you
paste together are one question; in a pipe, each line is one, and the status is
128 if any failed. A line may also be one of these commands:

` + chatHelp

const chatHelp = `  /checkpoint       propose a checkpoint of what was concluded, and save it
  /restore [<rev>]  show the model a checkpoint; by default where you stand
  /knowledge        list the items
  /recall <text>    list what would be sent for a text
  /context          count what is sent along, and the tokens used so far
  /clear            forget the conversation
  /export <file>    write the conversation to a new file
  /help             list these commands
  /quit             end`

// NewChat makes 'git sage chat'.
func NewChat(a *app.App) *cobra.Command {
	var o options
	c := &cobra.Command{
		Use:     "chat [<options>]",
		Short:   "Talk with a model about memory and code",
		Long:    chatLong,
		Example: "git sage chat\ngit sage chat --model sonnet",
		Args:    usage.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := o.check(c.Flags()); err != nil {
				return err
			}
			return runChat(c.Context(), a, o)
		},
	}
	o.flags(c.Flags())
	return c
}

// A chat is a talk at a terminal or a pipe.
type chat struct {
	*talk
	lines func(context.Context) (string, error)
}

func runChat(ctx context.Context, a *app.App, o options) error {
	if a.JSON {
		return usage.Errorf("'git sage chat' has no --json: use 'git sage ask --json'")
	}
	t, err := open(ctx, a, o)
	if err == nil {
		err = told(t.asker.Prepare(ctx), again)
	}
	if err != nil {
		return err
	}
	c := &chat{t, a.Lines("> ")}
	a.Say("talking with %s; /help lists commands, /quit ends", t.asker.Name())
	return c.loop(ctx)
}

// loop takes lines until the end, or until Ctrl-C was pressed twice with nothing typed between.
func (c *chat) loop(ctx context.Context) error {
	a := c.a
	var end error // of a talk in a pipe in which something failed: nobody sees it otherwise
	for warned := false; ; {
		line, err := c.lines(ctx)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, term.ErrInterrupted) && warned && line == "":
			return exit.Status(130)
		case errors.Is(err, term.ErrInterrupted):
			warned = true
			a.Say("press Ctrl-C again to end, or type /quit")
			continue
		case errors.Is(err, io.EOF):
			return end
		case err != nil:
			return err
		}
		warned = false
		if line == "/quit" || line == "/exit" {
			return end
		}
		switch err := c.stoppable(ctx, line); {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, context.Canceled):
			_, _ = io.WriteString(a.Err, "\r") // over the ^C
			a.Say("stopped")
		case err != nil:
			exit.Mention(&a.Terminal, err) // and the conversation goes on
			if !a.InputTTY() {
				end = exit.Status(exit.Fatal)
			}
		}
	}
}

// stoppable takes a line until Ctrl-C.
func (c *chat) stoppable(ctx context.Context, line string) error {
	within, cancel := context.WithCancel(ctx)
	defer cancel()
	defer interrupt.On(cancel)()
	return c.take(within, line)
}

// take takes a line: a command, or a question.
func (c *chat) take(ctx context.Context, line string) error {
	if line == "" {
		return nil
	}
	if !strings.HasPrefix(line, "/") {
		return c.ask(ctx, line)
	}
	name, rest, _ := strings.Cut(line, " ")
	rest = strings.TrimSpace(rest)
	switch name {
	case "/help":
		return c.print(chatHelp + "\n")
	case "/clear":
		c.turns = nil
		c.a.Say("forgot the conversation")
		return nil
	case "/context":
		tokens := 0
		for _, t := range c.turns {
			tokens += legible.EstimateTokens(t.Text)
		}
		return c.print(fmt.Sprintf("%s with %s, about %d tokens; so far %s\n", legible.Count(len(c.turns), "turn"), legible.Count(len(c.sources()), "source"), tokens, used(c.use)))
	case "/recall":
		return c.recall(ctx, rest)
	case "/knowledge":
		return c.knowledge(ctx)
	case "/restore":
		return c.restore(ctx, rest)
	case "/export":
		return c.export(rest)
	case "/checkpoint":
		return c.checkpoint(ctx)
	}
	return usage.Errorf("no command '%s'; /help lists them", name)
}

func (c *chat) print(text string) error {
	_, err := io.WriteString(c.a.Out, text)
	return err
}

// ask asks a question. What came of an answer that was stopped stays.
func (c *chat) ask(ctx context.Context, question string) error {
	c.forget()
	if _, err := c.pose(ctx, question); err != nil {
		return err
	}
	r, cites, err := c.answer(ctx, func(text string) { _ = c.print(text) })
	stopped := errors.Is(err, context.Canceled)
	if r.Text == "" || err != nil && !stopped {
		c.takeBack()
		if r.Text != "" {
			_ = c.print("\n")
		}
		return told(err, "ask again")
	}
	text, unclean := c.clean(r.Text)
	if unclean != nil {
		return unclean
	}
	c.hear(text)
	if err := c.print(closing(r.Text, cites)); err != nil {
		return err
	}
	if !stopped {
		sayUsed(c.a, r)
	}
	return err
}

func (c *chat) recall(ctx context.Context, text string) error {
	if text == "" {
		return usage.Errorf("/recall takes a text")
	}
	g, err := c.gather(ctx, text, nil)
	for _, s := range g.sources {
		if err == nil {
			err = c.print(fmt.Sprintf("%s  %s\n", term.Visible(s.name()), term.Visible(term.Clip(s.Title, 100))))
		}
	}
	return err
}

func (c *chat) knowledge(ctx context.Context) error {
	list, err := c.m.Knowledge.Items(ctx, recall.ItemQuery{})
	for _, k := range list {
		if err == nil && k.Err == nil {
			err = c.print(fmt.Sprintf("%s  %s\n", term.Visible(k.Item.ID), term.Visible(term.Clip(k.Item.Title(), 100))))
		}
	}
	return err
}

// restore shows the model the brief of a checkpoint with the next question.
func (c *chat) restore(ctx context.Context, rev string) error {
	if rev == "" {
		rev = "@"
	}
	cp, err := c.m.Store.Commits.Load(ctx, rev)
	if err != nil {
		return err
	}
	private, err := c.m.Store.Repo.PrivateCheckpoints(ctx)
	if err != nil {
		return err
	}
	if private[cp.ID] != "" && !c.private {
		return exit.WithHint(fmt.Errorf("checkpoint %s is of a private line", brief.ShortID(cp.ID)), "'git sage chat --private' sends it")
	}
	text, err := c.m.Templates.Brief(ctx, cp, recall.BriefOptions{MaxTokens: c.budget})
	if err != nil {
		return err
	}
	s := sized(source{Kind: aCheckpoint, ID: brief.ShortID(cp.ID), Title: "restored", about: "in full", text: text})
	if err := c.say(brief.Fence("git-sage", s.full()), "/restore "+rev, s); err != nil {
		return err
	}
	c.hear("I have it.")
	c.a.Say("the next question takes checkpoint %s along:", brief.ShortID(cp.ID))
	return c.print(term.VisibleLines(text))
}

// export writes the conversation to a file that is not there yet.
func (c *chat) export(name string) error {
	if name == "" {
		return usage.Errorf("/export takes the name of a file")
	}
	var b strings.Builder
	for _, t := range c.turns {
		if t.Agent {
			fmt.Fprintf(&b, "%s\n\n", t.Text)
		} else {
			asked, err := c.clean(t.asked)
			if err != nil {
				return err
			}
			fmt.Fprintf(&b, "## %s\n\n", legible.OneLine(asked))
		}
	}
	f, err := os.OpenFile(c.a.Path(name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("export: %w", err)
	}
	_, err = f.WriteString(b.String())
	if err = errors.Join(err, f.Close()); err == nil {
		c.a.Say("wrote %s to '%s'", legible.Count(len(c.turns), "turn"), name)
	}
	return err
}

// proposing asks for a checkpoint.
const proposing = `Propose a checkpoint of what this conversation concluded. Answer with one JSON object and nothing else: "thesis" (the conclusion, one or two sentences), "core_question" (what was to be decided), "key_evidence" and "open_questions" (lists of sentences), "confidence" (0 to 1). Put in only what was said here; names, numbers and doubts stay as they are.`

// A proposal is a checkpoint as a model proposes it.
type proposal struct {
	Claim    string   `json:"thesis"`
	Decides  string   `json:"core_question"`
	Evidence []string `json:"key_evidence"`
	Open     []string `json:"open_questions"`
	Sure     *float64 `json:"confidence"`
}

// checkpoint proposes a checkpoint, shows it, and saves it if the person says so.
func (c *chat) checkpoint(ctx context.Context) error {
	if len(c.turns) == 0 {
		return errors.New("nothing was said yet")
	}
	if err := c.say(proposing, ""); err != nil {
		return err
	}
	r, _, err := c.answer(ctx, func(string) {})
	c.takeBack()
	if err != nil {
		return told(err, "ask again")
	}
	var p proposal
	if json.Unmarshal(converse.Object(r.Text), &p) != nil || strings.TrimSpace(p.Claim) == "" {
		return exit.WithHint(errors.New("the model proposed no checkpoint"), "say what you conclude, then /checkpoint again")
	}
	if p.Sure != nil && (*p.Sure < 0 || *p.Sure > 1) {
		p.Sure = nil
	}
	sayUsed(c.a, r)
	if err := c.print(term.VisibleLines(p.String())); err != nil {
		return err
	}
	c.a.Say("save it? [y/N]")
	answer, err := c.lines(ctx)
	if yes := strings.ToLower(answer); err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, term.ErrInterrupted) {
		return err
	} else if err != nil || yes != "y" && yes != "yes" {
		c.a.Say("not saved")
		return nil
	}
	saved, err := c.m.Save.Checkpoint(ctx, save.Note{Draft: gitstore.Draft{Checkpoint: sage.Checkpoint{
		Thesis: p.Claim, CoreQuestion: p.Decides, KeyEvidence: p.Evidence, OpenQuestions: p.Open, Confidence: p.Sure,
	}}})
	if err != nil {
		return err
	}
	draft.SaySaved(c.a, saved)
	return c.print(fmt.Sprintf("[%s %s] %s\n", term.Visible(saved.RefName()), brief.ShortID(saved.ID), term.Visible(saved.Description)))
}

func (p proposal) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Thesis: %s\n", p.Claim)
	if p.Decides != "" {
		fmt.Fprintf(&b, "Question: %s\n", p.Decides)
	}
	for _, s := range p.Evidence {
		fmt.Fprintf(&b, "Evidence: %s\n", s)
	}
	for _, s := range p.Open {
		fmt.Fprintf(&b, "Open: %s\n", s)
	}
	if p.Sure != nil {
		fmt.Fprintf(&b, "Confidence: %s\n", legible.Percent(p.Sure))
	}
	return b.String()
}
