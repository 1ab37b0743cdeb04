package cli

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/recall"
)

type searchOptions struct {
	recall.SearchOptions
	trigger string
	explain bool
}

func newSearchCmd(a *app) *cobra.Command {
	var o searchOptions
	c := o.command(a, "Search checkpoints and knowledge", searchLong+`

Items have no line, no trigger and no confidence: with --line, --trigger or
--confidence only checkpoints are searched.`, `git sage search 'why do we rotate tokens?'
git sage search --line main --since '2 weeks ago' tokens
git sage search --file internal/auth 'how are sessions kept?'`)
	f := c.Flags()
	f.BoolVar(&o.Checkpoints, "checkpoints", false, "search checkpoints alone")
	f.BoolVar(&o.Knowledge, "knowledge", false, "search knowledge alone")
	o.commonFlags(a, c)
	o.checkpointFlags(a, c)
	return c
}

const searchLong = `Shows what answers a query, by meaning and by words: checkpoints of every line, by
question, thesis, evidence, reasoning and sources, those of the current line first;
and items of knowledge of the repository and your own. Each has a score: of queries
that have nothing to do with what is kept half get 30%, and one in twenty gets 70%.
What gets 30% is shown, and what has every word of the query; if there is none,
what has a word of it that few texts have, or else the best three, and it says
that nothing is a good match.

In a pipe a hit is a line of fields between tabs: kind, score, id, confidence or
type, trigger or status, time, line or 'own', thesis or title. With --json it is an
object.
The exit status is 1 if there is nothing to be found.`

func newCheckpointSearchCmd(a *app) *cobra.Command {
	o := searchOptions{SearchOptions: recall.SearchOptions{Checkpoints: true}}
	c := o.command(a, "Search checkpoints", "As 'git sage search --checkpoints'.", "git sage checkpoint search 'why do we rotate tokens?'")
	o.commonFlags(a, c)
	o.checkpointFlags(a, c)
	return c
}

func newKnowledgeSearchCmd(a *app) *cobra.Command {
	o := searchOptions{SearchOptions: recall.SearchOptions{Knowledge: true}}
	c := o.command(a, "Search items", `As 'git sage search --knowledge'. Unlike 'match', which shows what an agent would be
given for a prompt, it also finds items that fit less well, belong to another skill,
or are done, archived or no longer right, and says so.`, "git sage knowledge search 'staging database'")
	o.commonFlags(a, c)
	return c
}

func (o *searchOptions) command(a *app, short, long, example string) *cobra.Command {
	c := &cobra.Command{
		Use: "search [<options>] <query>", Short: short, Long: long, Example: example,
		Args:              rangeArgs(1, -1, "query"),
		RunE:              func(c *cobra.Command, args []string) error { return a.search(c, *o, strings.Join(args, " ")) },
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	c.Flags().SortFlags = false
	return c
}

// commonFlags are the options for either kind.
func (o *searchOptions) commonFlags(a *app, c *cobra.Command) {
	f := c.Flags()
	f.IntVarP(&o.Limit, "limit", "n", recall.DefaultFound, "at most this `number` of each kind")
	f.IntVar(&o.Limit, "max-count", recall.DefaultFound, "at most this `number` of each kind")
	f.Lookup("max-count").Hidden = true
	f.StringVar(&o.Skill, "skill", "", "only of this `skill`")
	c.RegisterFlagCompletionFunc("skill", func(c *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
		return a.completeSkills(c, nil, word)
	})
	f.StringVar(&o.Author, "author", "", "only by authors that match `pattern`")
	f.StringVar(&o.Since, "since", "", "only newer than `date`")
	f.StringVar(&o.Until, "until", "", "only older than `date`")
	f.StringVar(&o.File, "file", "", "only what explored, changed, cites or is about this `path`")
	f.BoolVar(&o.explain, "explain", false, "take scores apart")
}

// checkpointFlags are those for checkpoints.
func (o *searchOptions) checkpointFlags(a *app, c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&o.Line, "line", "", "only of this `line`")
	f.StringVar(&o.Line, "branch", "", "only of this `line`")
	f.Lookup("branch").Hidden = true
	f.StringVar(&o.trigger, "trigger", "", "only saved for this `reason`")
	f.Var((*shareValue)(&o.Confidence), "confidence", "only with at least this confidence, `0..1` or a percentage")
	f.BoolVar(&o.All, "all", false, "also what is hidden for its age")
	a.completeFilters(c)
	c.RegisterFlagCompletionFunc("branch", func(c *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
		return a.completeLines(c, nil, word)
	})
}

// shareValue is a number from 0 to 1, also as a percentage.
type shareValue float64

func (v *shareValue) Set(s string) error {
	x, err := sage.ParseShare(s)
	if err != nil {
		return err
	}
	*v = shareValue(x)
	return nil
}
func (v *shareValue) String() string { return strconv.FormatFloat(float64(*v), 'f', -1, 64) }
func (*shareValue) Type() string     { return "share" }

// build checks the options.
func (o searchOptions) build(c *cobra.Command, query string) (recall.SearchOptions, error) {
	out := o.SearchOptions
	if strings.TrimSpace(query) == "" {
		return out, usagef("the query is empty")
	}
	if out.Limit < 1 {
		return out, usagef("at least one hit has to be wanted")
	}
	if out.Knowledge && !out.Checkpoints {
		for _, name := range []string{"line", "branch", "trigger", "confidence", "all"} {
			if c.Flags().Changed(name) {
				return out, usagef("options '--knowledge' and '--%s' cannot be used together: items have none", name)
			}
		}
	}
	out.Trigger = sage.Trigger(o.trigger)
	return out, nil
}

func (a *app) search(c *cobra.Command, o searchOptions, query string) error {
	with, err := o.build(c, query)
	if err != nil {
		return err
	}
	m, err := a.open(c.Context())
	if err != nil {
		return err
	}
	if with.File != "" {
		if with.File, err = a.pathspec(m, with.File); err != nil {
			return err
		}
	}
	bar := a.progress("Reading what is new")
	m.Reading = bar.left
	found, err := m.Search(c.Context(), query, with)
	bar.end()
	if err != nil {
		return err
	}
	if found.Weak {
		a.say("no good match; what comes nearest:")
	}
	if err := a.printFound(c.Context(), m, found, o.explain); err != nil {
		return err
	}
	if len(found.Checkpoints)+len(found.Items) == 0 {
		a.say("%s", nothingFound(found))
		a.hintFilters(c.Context(), m, with)
		return errNo
	}
	if asked := c.Flags().Changed("limit") || c.Flags().Changed("max-count"); found.More && !asked {
		a.say("there are more: -n <number> shows so many of each kind")
	}
	if found.Hidden > 0 {
		a.say("%s", hiddenNote(found))
	}
	return nil
}

// hintFilters names what a search was narrowed to that there is nothing of.
func (a *app) hintFilters(ctx context.Context, m *recall.Memory, o recall.SearchOptions) {
	if words := sage.Words("trigger"); o.Trigger != "" && !slices.Contains(words, string(o.Trigger)) {
		a.hint("there is no trigger '%s' but %s", o.Trigger, strings.Join(words, ", "))
	}
	if o.Skill == "" {
		return
	}
	skills, err := m.Skills(ctx, a.skillFolders(m)...)
	switch {
	case err != nil || slices.Contains(skills, o.Skill):
	case len(skills) == 0:
		a.hint("there is no skill '%s', nor any other", o.Skill)
	default:
		a.hint("there is no skill '%s' but %s", o.Skill, strings.Join(skills, ", "))
	}
}

func nothingFound(f *recall.Findings) string {
	if f.Hidden > 0 {
		return "nothing found; " + hiddenNote(f)
	}
	return "nothing found"
}

func hiddenNote(f *recall.Findings) string {
	if f.Hidden == 1 {
		return "1 checkpoint is hidden for age or number: --all searches it, too"
	}
	return fmt.Sprintf("%d checkpoints are hidden for age or number: --all searches them, too", f.Hidden)
}

func (a *app) printFound(ctx context.Context, m *recall.Memory, f *recall.Findings, explain bool) error {
	if a.json {
		return a.printFoundJSON(ctx, m, f)
	}
	defer a.page()()
	err := a.printHits(a.hits(ctx, m, f), explain)
	if explain && f.Words {
		a.say("words alone were compared: there is no model")
	}
	return err
}
