package cli

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/recall"
)

type matchOptions struct {
	skill   string
	explain bool
}

func newMatchCmd(a *app) *cobra.Command {
	var o matchOptions
	c := &cobra.Command{
		Use:   "match [--skill <name>] [--explain] <query>",
		Short: "Show what a prompt would recall",
		Long: `Recalls what an agent would be given for a prompt: knowledge of the repository and
your own, by meaning and by keywords, if its score reaches the threshold of its type
(recall_threshold and the like). Nothing is shown for a prompt that nothing fits, and
the exit status is then 1.

With --explain each score is taken apart, and what nearly was recalled, or fits and
may not be, is shown with the reason why it was not.`,
		Example: "git sage knowledge match 'why is the staging database empty?'\ngit sage knowledge match --explain 'deploy to production'",
		Args:    exactArgs("query"),
		RunE:    func(c *cobra.Command, args []string) error { return a.match(c.Context(), args[0], o) },
	}
	f := c.Flags()
	f.StringVar(&o.skill, "skill", "", "the skill that is active: its items count, too")
	f.BoolVar(&o.explain, "explain", false, "take scores apart, and show what nearly fits")
	return c
}

// matchJSON is an item in the answer of match --json.
type matchJSON struct {
	ID        string   `json:"id"`
	Type      string   `json:"type"`
	Title     string   `json:"title"`
	Own       bool     `json:"own,omitempty"`
	Tokens    int      `json:"tokens"`
	Recalled  bool     `json:"recalled"`
	Why       string   `json:"why"` // it was, or was not
	Score     float64  `json:"score"`
	Threshold float64  `json:"threshold"`
	Meaning   float64  `json:"meaning"`
	Cosine    float64  `json:"cosine"`
	Keyword   float64  `json:"keyword"`
	Exact     []string `json:"exact,omitempty"`
	Outdated  string   `json:"outdated,omitempty"`
	Always    bool     `json:"always,omitempty"`
}

func (a *app) match(ctx context.Context, query string, o matchOptions) error {
	m, err := a.open(ctx)
	if err != nil {
		return err
	}
	r, err := m.Recall(ctx, query, recall.RecallOptions{Skill: o.skill, Explain: o.explain})
	if err != nil {
		return err
	}
	list := r.Items
	if o.explain {
		list = append(list, r.Near...)
	}
	if a.json {
		err = a.printMatchesJSON(list)
	} else {
		err = a.write(func(w io.Writer) { writeMatches(w, list, r.Words, o.explain) })
	}
	if err == nil && len(r.Items) == 0 {
		if !o.explain {
			a.say("nothing fits; --explain shows what nearly does")
		}
		return errNo
	}
	return err
}

func (a *app) printMatchesJSON(list []recall.Recalled) error {
	for _, r := range list {
		err := a.printJSON(matchJSON{
			ID: r.Item.ID, Type: string(r.Item.Type), Title: r.Item.Title(), Own: r.Own, Tokens: r.Item.Tokens(),
			Recalled: r.Chosen, Why: r.Why, Score: r.Scored.Score, Threshold: r.Threshold, Meaning: r.Meaning, Cosine: r.Cosine,
			Keyword: r.Words, Exact: r.Triggers.Exact, Outdated: r.Outdated, Always: r.Meta.Always,
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// writeMatches writes an item on a line and, explained, what its score is made of on
// the next.
func writeMatches(w io.Writer, list []recall.Recalled, words, explain bool) {
	for i, r := range list {
		if !r.Chosen && (i == 0 || list[i-1].Chosen) {
			fmt.Fprintln(w, "left out:")
		}
		fmt.Fprintf(w, "%3.0f%%  %s  %s\n", 100*r.Scored.Score, visible(r.Item.ID), visible(r.Item.Title()))
		if explain {
			fmt.Fprintf(w, "      %s\n", visible(r.Explain()))
		}
	}
	if explain && words {
		fmt.Fprintln(w, "words alone were compared: there is no model")
	}
}
