package knowledge

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/cmd/internal/item"
	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/cmd/internal/wire"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/hooks/transcript"
	"github.com/git-sage/git-sage/hooks/transcript/sessions"
	"github.com/git-sage/git-sage/recall"
	"github.com/git-sage/git-sage/recall/propose"
)

type extractOptions struct {
	last, yes, shared bool
	skill             string
}

const knowledgeExtractLong = `Find what may be worth keeping in a checkpoint, or in a text such as an agent's
answer: conclusions, preferences, constraints and failures, each with an id,
keywords and a type. It goes by headings, labels and wording. On a terminal, ask
which of them to save; --yes saves all. In a pipe, only print them (id, type,
reason, keywords, text).

Without an argument, read the checkpoint where you stand; with --last, the last
answer of the session.`

func newKnowledgeExtractCmd(a *app.App) *cobra.Command {
	var o extractOptions
	c := &cobra.Command{
		Use:   "extract [<options>] [<checkpoint> | <file> | - | --last]",
		Short: "Propose items from a checkpoint or a text",
		Long:  knowledgeExtractLong,
		Example: `git sage knowledge extract @
git sage knowledge extract answer.md --yes --skill privacy`,
		Args:              usage.RangeArgs(0, 1, "checkpoint"),
		RunE:              func(c *cobra.Command, args []string) error { return runExtract(c.Context(), a, o, args) },
		ValidArgsFunction: app.CompleteRevs(a),
	}
	f := c.Flags()
	f.SortFlags = false
	f.BoolVar(&o.last, "last", false, "read the last answer of the session")
	f.BoolVarP(&o.yes, "yes", "y", false, "save all without asking")
	f.StringVar(&o.skill, "skill", "", "recall them only while this `skill` is active")
	f.BoolVar(&o.shared, "shared", false, "save preferences in the repository, for everybody")
	return c
}

// proposalJSON is what --json prints of what is proposed.
type proposalJSON struct {
	ID        string   `json:"id"`
	Type      string   `json:"type"`
	Why       string   `json:"why"` // conclusion, preference, constraint, failure
	Keywords  []string `json:"keywords"`
	Skills    []string `json:"skills,omitempty"`
	Source    string   `json:"source,omitempty"`
	Approach  string   `json:"approach,omitempty"`
	WhyFailed string   `json:"why_failed,omitempty"`
	Learned   string   `json:"learned,omitempty"`
	Content   string   `json:"content,omitempty"`
	Saved     bool     `json:"saved"`
}

func runExtract(ctx context.Context, a *app.App, o extractOptions, args []string) error {
	if o.last && len(args) > 0 {
		return usage.Errorf("option '--last' cannot be used with a checkpoint or a file")
	}
	m, err := a.Open(ctx)
	if err != nil {
		return err
	}
	list, err := proposalsOf(ctx, a, m, o, args)
	if err != nil {
		return err
	}
	found := len(list)
	if list, err = notKnown(ctx, a, m, o, list); err != nil {
		return err
	}
	switch {
	case found == 0:
		a.Say("found nothing worth keeping; 'git sage knowledge add -m <text>' adds an item")
		return exit.ErrNo
	case len(list) == 0:
		a.Say("found nothing that is not known already")
		return exit.ErrNo
	}
	return offerProposals(ctx, a, m, o, list)
}

// proposalsOf are what the text or checkpoint suggests that the arguments name.
func proposalsOf(ctx context.Context, a *app.App, m *recall.Memory, o extractOptions, args []string) ([]propose.Proposal, error) {
	name := append(args, "@")[0]
	switch {
	case o.last:
		text, err := lastAnswer(a)
		return propose.From(text), err
	case len(args) == 1 && (name == "-" || a.IsFile(name)):
		data, err := item.ReadFile(a, name)
		if err == nil && (!utf8.Valid(data) || bytes.IndexByte(data, 0) >= 0) {
			err = fmt.Errorf("'%s' is not text in UTF-8", name)
		}
		if err != nil {
			return nil, err
		}
		list := propose.From(string(data))
		for i := range list {
			if name != "-" {
				list[i].Item.Source = term.Visible(name)
			}
		}
		return list, nil
	}
	c, err := m.Store.Commits.Load(ctx, name)
	if errors.Is(err, gitstore.ErrNotFound) && len(args) == 1 {
		return nil, exit.WithHint(err, "there is no file '%s' either", term.Visible(name))
	}
	if err != nil {
		return nil, err
	}
	if err := m.Provenance.AdmitWhole(ctx, c); err != nil {
		return nil, err
	}
	return propose.FromCheckpoint(c), nil
}

// lastAnswer is what the agent of this session said last.
func lastAnswer(a *app.App) (string, error) {
	if a.Session == "" {
		return "", exit.WithHint(errors.New("no session is known"), "name one with --session <id>")
	}
	file, err := sessions.Find(a.ClaudeFolder(), a.Session)
	if err != nil {
		return "", err
	}
	return transcript.LastAnswer(file)
}

// notKnown leaves out what is known already, and gives the others ids that are free.
func notKnown(ctx context.Context, a *app.App, m *recall.Memory, o extractOptions, list []propose.Proposal) ([]propose.Proposal, error) {
	items, err := m.Knowledge.Items(ctx, recall.ItemQuery{All: true})
	if err != nil {
		return nil, err
	}
	ids, texts := map[string]bool{}, map[string]string{}
	for _, k := range items {
		ids[k.Item.ID], texts[strings.TrimSpace(k.Item.Text())] = true, k.Item.ID
	}
	var out []propose.Proposal
	for _, p := range list {
		if id := texts[strings.TrimSpace(p.Item.Text())]; id != "" {
			a.Say("'%s' already says: %s", id, term.Clip(term.Visible(p.Item.Title()), 60))
			continue
		}
		p.Item.ID = propose.FreeID(p.Item.ID, func(id string) bool { return ids[id] })
		ids[p.Item.ID] = true
		if o.skill != "" {
			p.Item.Scope.Skills = []string{o.skill}
		}
		out = append(out, p)
	}
	return out, nil
}

// offerProposals prints what is proposed, and saves what a person chooses.
func offerProposals(ctx context.Context, a *app.App, m *recall.Memory, o extractOptions, list []propose.Proposal) error {
	chosen := list
	if !o.yes {
		if err := printProposals(a, list); err != nil || a.JSON {
			return err
		}
		if !a.TTY || !a.InputTTY() {
			a.Hint("nothing was saved: --yes saves all of them")
			return nil
		}
		var err error
		if chosen, err = chooseFrom(a, list); err != nil || len(chosen) == 0 {
			return err
		}
	}
	return saveProposals(ctx, a, m, o, chosen)
}

func saveProposals(ctx context.Context, a *app.App, m *recall.Memory, o extractOptions, list []propose.Proposal) error {
	var changes []recall.ItemChange
	var ids []string
	for i := range list {
		it := &list[i].Item
		changes = append(changes, recall.ItemChange{ItemChange: gitstore.ItemChange{Item: it}, Shared: o.shared})
		ids = append(ids, it.ID)
	}
	written, err := m.Write.Items(ctx, "", changes...)
	if err != nil {
		return err
	}
	if a.JSON {
		for _, p := range list {
			if err := a.PrintJSON(toProposalJSON(p, true)); err != nil {
				return err
			}
		}
		return nil
	}
	if err := item.PrintWritten(a, "added", ids, written, false); err != nil {
		return err
	}
	sayWhere(a, written, m.Store.Repo.Top() != "")
	a.Hint("'git sage knowledge edit <id>' corrects one, 'git sage forget <id>' removes it")
	return nil
}

func toProposalJSON(p propose.Proposal, saved bool) proposalJSON {
	it := p.Item
	return proposalJSON{
		ID: it.ID, Type: string(it.Type), Why: p.Why, Keywords: wire.NotNil(it.Keywords), Skills: it.Scope.Skills, Source: it.Source,
		Approach: it.Approach, WhyFailed: it.WhyFailed, Learned: it.Learned, Content: it.Content, Saved: saved,
	}
}

func printProposals(a *app.App, list []propose.Proposal) error {
	if a.JSON {
		for _, p := range list {
			if err := a.PrintJSON(toProposalJSON(p, false)); err != nil {
				return err
			}
		}
		return nil
	}
	return a.Print(func(w io.Writer) {
		for i, p := range list {
			it := p.Item
			if !a.TTY {
				fmt.Fprintln(w, strings.Join([]string{it.ID, it.Type.Kind(), p.Why, strings.Join(it.Keywords, ", "), term.Visible(it.Text())}, "\t"))
				continue
			}
			fmt.Fprintf(w, "%2d. %s (%s, %s) [%s]\n%s\n", i+1, a.Palette().ID(it.ID), it.Type.Kind(), p.Why, term.Visible(strings.Join(it.Keywords, ", ")), term.VisibleLines(term.Indent(it.Text())))
		}
	})
}

// chooseFrom asks which of them to save: all, none, or some by their numbers.
func chooseFrom(a *app.App, list []propose.Proposal) ([]propose.Proposal, error) {
	fmt.Fprintf(a.Err, "Save which of them? [a]ll, [n]one, or numbers such as 1,3: ")
	line, err := bufio.NewReader(a.In).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	chosen, err := chosenOf(list, line)
	if err == nil && len(chosen) == 0 {
		a.Say("nothing was saved")
	}
	return chosen, err
}

// chosenOf are those that an answer names.
func chosenOf(list []propose.Proposal, answer string) (out []propose.Proposal, err error) {
	switch answer = strings.ToLower(strings.TrimSpace(answer)); answer {
	case "a", "all", "y", "yes":
		return list, nil
	case "", "n", "no", "none":
		return nil, nil
	}
	var picked []int
	for _, w := range strings.FieldsFunc(answer, func(r rune) bool { return r == ',' || r == ' ' }) {
		n, err := strconv.Atoi(w)
		if err != nil || n < 1 || n > len(list) {
			return nil, exit.WithHint(fmt.Errorf("'%s' is not a number from 1 to %d: nothing was saved", term.Visible(w), len(list)), "run it again, and answer with numbers such as 1,3")
		}
		picked = append(picked, n)
	}
	slices.Sort(picked)
	for _, n := range slices.Compact(picked) {
		out = append(out, list[n-1])
	}
	return out, nil
}
