package search

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/cli/knowledge"
	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/cmd/internal/item"
	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/cmd/internal/wire"
	"github.com/git-sage/git-sage/recall"
	"github.com/git-sage/git-sage/recall/prompts"
	"github.com/git-sage/git-sage/recall/provenance"
	"github.com/git-sage/git-sage/recall/search"
)

type matchOptions struct {
	skill         string
	explain, text bool
	asked         bool // what is about the prompt, though no agent would be given it
	weak          bool // nothing is a good match
}

// NewMatch makes 'git sage knowledge match'.
func NewMatch(a *app.App) *cobra.Command {
	var o matchOptions
	c := o.command(a, "match", "git sage knowledge match")
	c.Short, c.Long = "Show what a prompt would recall", matchLong+explainLong
	c.Flags().BoolVar(&o.text, "text", false, "also print the texts")
	return c
}

// NewRecall is match for who wants to read what is known.
func NewRecall(a *app.App) *cobra.Command {
	o := matchOptions{text: true, asked: true}
	c := o.command(a, "recall", "git sage recall")
	c.Use, c.Short, c.Long = "recall [<options>] <question>", "Show what is known about a question", recallLong+explainLong
	c.Args = usage.RangeArgs(1, -1, "question")
	return c
}

const matchLong = `Show what an agent would be given for a prompt: items of the repository and your
own, and what checkpoints say, where the score by meaning and keywords reaches
the threshold (recall_threshold and its kind). If nothing does, print nothing
and exit with status 1.`

const recallLong = `Show what answers a question, by meaning and by keywords: the items of the
repository and your own, with their text, and what checkpoints say. If nothing
is a good match, say so and show the nearest; if nothing is known, exit with
status 1. To search whole checkpoints as well, use 'git sage search'.`

const explainLong = `

With --explain, break down each score and add what nearly fits, or fits and may
not be recalled, with the reason.`

func (o *matchOptions) command(a *app.App, name, path string) *cobra.Command {
	c := &cobra.Command{
		Use:     name + " [<options>] <prompt>",
		Example: path + " 'why is the staging database empty?'\n" + path + " --explain 'deploy to production'",
		Args:    usage.RangeArgs(1, -1, "prompt"),
		RunE: func(c *cobra.Command, args []string) error {
			return runMatch(c.Context(), a, strings.Join(args, " "), *o)
		},
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	f := c.Flags()
	f.StringVar(&o.skill, "skill", "", "also recall the items of the skill `name`")
	f.BoolVar(&o.explain, "explain", false, "break down scores, and show what nearly fits")
	return c
}

func runMatch(ctx context.Context, a *app.App, query string, o matchOptions) error {
	if o.asked && strings.TrimSpace(query) == "" {
		return usage.Errorf("the question is empty")
	}
	m, err := a.Open(ctx)
	if err != nil {
		return err
	}
	r, err := m.Prompts.Recall(ctx, query, prompts.RecallOptions{Skill: o.skill, Asked: o.asked, Explain: o.explain, Checkpoints: true})
	if err != nil {
		return err
	}
	list := r.Items
	if o.explain {
		list = append(list, r.Near...)
	}
	if r.Weak() {
		a.Say("no good match; the nearest:")
	}
	if a.JSON {
		err = printMatchesJSON(ctx, a, m, list, r.Conclusions, o.text)
	} else {
		defer a.Page()()
		err = a.Print(func(w io.Writer) {
			o.weak = r.Weak()
			writeMatches(ctx, a, m, w, list, r.Words, o)
			writeConclusions(a, w, r.Conclusions, o)
		})
	}
	if err == nil && len(r.Items)+len(r.Conclusions) == 0 {
		switch {
		case len(r.Near) == 0 && o.asked:
			a.Say("%s", knowledge.NothingOf[""])
		case !o.explain:
			a.Say("nothing fits; --explain shows what nearly fits")
		}
		return exit.ErrNo
	}
	return err
}

func printMatchesJSON(ctx context.Context, a *app.App, m *recall.Memory, list []search.Recalled, conclusions []prompts.Conclusion, text bool) error {
	match := wire.NewMatcher(ctx, m, list...)
	for _, r := range list {
		if err := a.PrintJSON(match.Item(ctx, r, text)); err != nil {
			return err
		}
	}
	for _, c := range conclusions {
		if err := a.PrintJSON(match.Conclusion(c, text)); err != nil {
			return err
		}
	}
	return nil
}

// writeConclusions writes what checkpoints say, as writeMatches writes items.
func writeConclusions(a *app.App, w io.Writer, list []prompts.Conclusion, o matchOptions) {
	for _, c := range list {
		about := a.When(c.Time)
		if !c.Here {
			about += ", line " + c.Line
		}
		if c.Later != "" {
			about += ", outdated by " + a.Short(c.Later)
		}
		for i, s := range c.Says {
			s = "      " + term.Visible(s)
			if i == 0 {
				s = fmt.Sprintf("%3.0f%%  checkpoint %s  %s", 100*c.Score, a.Short(c.ID), term.Visible(provenance.BylineOf(c.Checkpoint)+"("+about+") "+c.Says[0]))
			}
			if !o.text {
				s = a.Clip(s)
			}
			fmt.Fprintln(w, a.Fold(s))
		}
		if o.explain {
			fmt.Fprintln(w, a.Fold("      "+term.Visible(c.Explain())))
		}
	}
}

// mostWeak are the lines shown of an item that is no good match: its title, and what it is about.
const mostWeak = 5

// writeMatches writes an item on a line and, if they are wanted, its text and what its
// score is made of below.
func writeMatches(ctx context.Context, a *app.App, m *recall.Memory, w io.Writer, list []search.Recalled, words bool, o matchOptions) {
	for i, r := range list {
		if !r.Chosen && (i == 0 || list[i-1].Chosen) {
			fmt.Fprintln(w, "left out:")
		}
		head := fmt.Sprintf("%3.0f%%  %s  %s", 100*r.Scored.Score, term.Visible(r.Item.ID), term.Visible(item.Aside(ctx, m, r.Known)+outdatedIn(r)+r.Item.Title()))
		text := strings.TrimSpace(r.Item.Text())
		if !o.text || text != r.Item.Title() { // else it is all there is to read
			head = a.Clip(head)
		}
		fmt.Fprintln(w, a.Fold(head))
		if o.text && text != r.Item.Title() {
			lines := strings.Split(text, "\n")
			if n := len(lines) - mostWeak; o.weak && n > 1 {
				text = strings.Join(lines[:mostWeak], "\n") + fmt.Sprintf("\n... %d more lines: git sage knowledge show %s", n, r.Item.ID)
			}
			fmt.Fprintln(w, a.Fold(term.VisibleLines(term.Indent(text))))
		}
		if o.explain {
			fmt.Fprintln(w, a.Fold("      "+term.Visible(r.Explain())))
		}
	}
	if o.explain && words {
		fmt.Fprintln(w, "there is no model: only words were compared")
	}
}

// outdatedIn is why an item may no longer hold, in brackets and with a blank behind.
func outdatedIn(r search.Recalled) (s string) {
	for _, why := range []string{r.Outdated, r.Outlived} {
		if why != "" {
			s += "(" + why + ") "
		}
	}
	return s
}
