package search

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/cli/code"
	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/cmd/internal/history"
	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/codeindex"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/internal/lists"
	"github.com/git-sage/git-sage/recall"
	"github.com/git-sage/git-sage/recall/search"
)

type searchOptions struct {
	search.SearchOptions
	code    code.Filters
	trigger string
	explain bool
}

// New makes 'git sage search'.
func New(a *app.App) *cobra.Command {
	var o searchOptions
	c := o.command(a, "Search checkpoints, knowledge and code", searchLong+`

Code is searched where it was indexed (see 'git sage help index'); its three
best hits are shown, and many new files are indexed in the background. With
--code, --lang, --kind, --path, --rev or other projects, only code is searched,
as by search-code.

With --line, --trigger or --confidence, only checkpoints are searched: items
have none of these.`, `git sage search 'why do we rotate tokens?'
git sage search --line main --since '2 weeks ago' tokens
git sage search --file internal/auth 'how are sessions kept?'`)
	f := c.Flags()
	f.Bool("code", false, "search only code")
	f.BoolVar(&o.Checkpoints, "checkpoints", false, "search only checkpoints")
	f.BoolVar(&o.Knowledge, "knowledge", false, "search only knowledge")
	o.commonFlags(a, c)
	o.checkpointFlags(a, c)
	o.code.CodeFlags(f)
	o.code.ProjectFlags(f)
	code.Complete(a, c)
	return c
}

const searchLong = `Search by meaning and by words: checkpoints of every line, by question, thesis,
evidence, reasoning and sources, with the current line first; and items of the
repository and your own. Of unrelated queries, half score 30% and one in twenty
scores 70%. A hit scores at least 30% or has every word of the query. If nothing
does, show texts that share a rare word with the query, or else the nearest
three, and say that nothing is a good match.

In a pipe, print a line per hit with tabs between kind, score, id, confidence or
type, trigger or status, time, line or 'own', and thesis or title. With --json,
print objects. Exit with status 1 if there is nothing to find.`

// NewOfCheckpoints makes 'git sage checkpoint search'.
func NewOfCheckpoints(a *app.App) *cobra.Command {
	o := searchOptions{SearchOptions: search.SearchOptions{Checkpoints: true}}
	c := o.command(a, "Search checkpoints", "Search checkpoints, as 'git sage search --checkpoints' does.", "git sage checkpoint search 'why do we rotate tokens?'")
	o.commonFlags(a, c)
	o.checkpointFlags(a, c)
	return c
}

// NewOfKnowledge makes 'git sage knowledge search'.
func NewOfKnowledge(a *app.App) *cobra.Command {
	o := searchOptions{SearchOptions: search.SearchOptions{Knowledge: true}}
	c := o.command(a, "Search items", `Search items, as 'git sage search --knowledge' does. Unlike 'match', which shows
what an agent would be given, also find items that fit less well, belong to
another skill, or are done, archived or deprecated, and say which.`, "git sage knowledge search 'staging database'")
	o.commonFlags(a, c)
	return c
}

func (o *searchOptions) command(a *app.App, short, long, example string) *cobra.Command {
	c := &cobra.Command{
		Use: "search [<options>] <query>", Short: short, Long: long, Example: example,
		Args:              usage.RangeArgs(1, -1, "query"),
		RunE:              func(c *cobra.Command, args []string) error { return runSearch(a, c, *o, strings.Join(args, " ")) },
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	c.Flags().SortFlags = false
	return c
}

// commonFlags are the options for either kind.
func (o *searchOptions) commonFlags(a *app.App, c *cobra.Command) {
	f := c.Flags()
	f.IntVarP(&o.Limit, "limit", "n", search.DefaultFound, "show at most this `number` of each kind")
	f.IntVar(&o.Limit, "max-count", search.DefaultFound, "show at most this `number` of each kind")
	f.Lookup("max-count").Hidden = true
	f.StringVar(&o.Skill, "skill", "", "limit to this `skill`")
	c.RegisterFlagCompletionFunc("skill", func(c *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
		return app.CompleteSkills(a)(c, nil, word)
	})
	f.StringVar(&o.Author, "author", "", "limit to authors that match `pattern`")
	f.StringVar(&o.Since, "since", "", "limit to what is newer than `date`")
	f.StringVar(&o.Until, "until", "", "limit to what is older than `date`")
	f.StringVar(&o.File, "file", "", "limit to what explored, changed, cites or is about this `path`")
	f.BoolVar(&o.explain, "explain", false, "break down scores")
}

// checkpointFlags are those for checkpoints.
func (o *searchOptions) checkpointFlags(a *app.App, c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&o.Line, "line", "", "limit to this `line`")
	f.StringVar(&o.Line, "branch", "", "limit to this `line`")
	f.Lookup("branch").Hidden = true
	f.StringVar(&o.trigger, "trigger", "", "limit to checkpoints saved for this `reason`")
	f.Var((*usage.Share)(&o.Confidence), "confidence", "limit to this confidence or more: `0..1`, or a percentage")
	f.BoolVar(&o.All, "all", false, "include what is hidden by age")
	history.CompleteFilters(a, c)
	c.RegisterFlagCompletionFunc("branch", func(c *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
		return app.CompleteLines(a)(c, nil, word)
	})
}

// build checks the options.
func (o searchOptions) build(c *cobra.Command, query string) (search.SearchOptions, error) {
	out := o.SearchOptions
	if strings.TrimSpace(query) == "" {
		return out, usage.Errorf("the query is empty")
	}
	if out.Limit < 1 {
		return out, usage.Errorf("-n must be at least 1")
	}
	if out.Knowledge && !out.Checkpoints {
		for _, name := range []string{"line", "branch", "trigger", "confidence", "all"} {
			if c.Flags().Changed(name) {
				return out, usage.Errorf("options '--knowledge' and '--%s' cannot be used together: items have none", name)
			}
		}
	}
	out.Trigger = sage.Trigger(o.trigger)
	return out, nil
}

// ofCode are the options with which only code is searched, notOfCode those for what has no
// code.
var (
	ofCode    = []string{"code", "lang", "kind", "path", "rev", "project", "all-projects"}
	notOfCode = []string{"checkpoints", "knowledge", "line", "branch", "trigger", "confidence", "skill", "author", "until", "all", "explain"}
)

// onlyCode reports whether the options ask for code alone.
func onlyCode(c *cobra.Command) (bool, error) {
	i, j := slices.IndexFunc(ofCode, c.Flags().Changed), slices.IndexFunc(notOfCode, c.Flags().Changed)
	if i >= 0 && j >= 0 {
		return true, usage.Errorf("options '--%s' and '--%s' cannot be used together", ofCode[i], notOfCode[j])
	}
	return i >= 0, nil
}

func runSearch(a *app.App, c *cobra.Command, o searchOptions, query string) error {
	with, err := o.build(c, query)
	if err != nil {
		return err
	}
	if only, err := onlyCode(c); err != nil {
		return err
	} else if only {
		o.code.Limit, o.code.Path, o.code.Since = with.Limit, cmp.Or(o.code.Path, with.File), with.Since
		return code.Search(c.Context(), a, o.code, query)
	}
	m, err := a.Open(c.Context())
	if err != nil {
		return err
	}
	if with.File != "" {
		if with.File, err = a.Pathspec(m, with.File); err != nil {
			return err
		}
	}
	bar := a.Progress("Reading what is new")
	m.Stores.Reading = bar.Left
	found, err := m.Search.Find(c.Context(), query, with)
	bar.End()
	if err != nil {
		return err
	}
	hits, err := o.alsoCode(c, a, m, query)
	if err != nil {
		return err
	}
	if found.Weak && len(hits) > 0 {
		a.Say("the memory has no good match; the nearest:")
	} else if found.Weak {
		a.Say("no good match; the nearest:")
	}
	if err := printFound(c.Context(), a, m, found, hits, o.explain); err != nil {
		return err
	}
	if len(found.Checkpoints)+len(found.Items)+len(hits) == 0 {
		a.Say("%s", nothingFound(found))
		hintFilters(c.Context(), a, m, with)
		return exit.ErrNo
	}
	if asked := c.Flags().Changed("limit") || c.Flags().Changed("max-count"); found.More && !asked {
		a.Say("there are more: -n <number> shows more of each kind")
	}
	if found.Hidden > 0 {
		a.Say("%s", hiddenNote(found))
	}
	return nil
}

// besides is at most how many hits of code are shown beside checkpoints and items.
const besides = 3

// alsoCode finds code that is no weak match, where there is an index and nothing but the query
// narrows the search.
func (o *searchOptions) alsoCode(c *cobra.Command, a *app.App, m *recall.Memory, query string) ([]codeindex.Hit, error) {
	narrowed := o.explain
	c.Flags().Visit(func(f *pflag.Flag) {
		narrowed = narrowed || f.Name != "limit" && f.Name != "max-count" && c.LocalFlags().Lookup(f.Name) != nil
	})
	if narrowed || c.Flags().Lookup("code") == nil || !m.Code().Exists() {
		return nil, nil
	}
	r, err := m.Code().Search(c.Context(), codeindex.Query{Text: query, Limit: min(besides, o.Limit)})
	if err != nil {
		return nil, err
	}
	code.SayMissing(a, m, "")
	return slices.DeleteFunc(r.Hits, func(h codeindex.Hit) bool { return h.Weak }), nil
}

// hintFilters names what a search was narrowed to that there is nothing of.
func hintFilters(ctx context.Context, a *app.App, m *recall.Memory, o search.SearchOptions) {
	if words := sage.Words("trigger"); o.Trigger != "" && !slices.Contains(words, string(o.Trigger)) {
		names := lists.Map(words, func(w string) string { return sage.Trigger(w).Name() })
		a.Hint("no trigger '%s': want one of %s", o.Trigger, strings.Join(names, ", "))
	}
	if o.Skill == "" {
		return
	}
	skills, err := m.Skills.Names(ctx, app.SkillFolders(a, m)...)
	switch {
	case err != nil || slices.Contains(skills, o.Skill):
	case len(skills) == 0:
		a.Hint("no skill '%s': there are none", o.Skill)
	default:
		a.Hint("no skill '%s': want one of %s", o.Skill, strings.Join(skills, ", "))
	}
}

func nothingFound(f *search.Findings) string {
	if f.Hidden > 0 {
		return "nothing found; " + hiddenNote(f)
	}
	return "nothing found"
}

func hiddenNote(f *search.Findings) string {
	if f.Hidden == 1 {
		return "1 checkpoint is hidden by age or number: --all includes it"
	}
	return fmt.Sprintf("%d checkpoints are hidden by age or number: --all includes them", f.Hidden)
}

func printFound(ctx context.Context, a *app.App, m *recall.Memory, f *search.Findings, code []codeindex.Hit, explain bool) error {
	if a.JSON {
		return printFoundJSON(ctx, a, m, f, code)
	}
	defer a.Page()()
	err := printHits(a, append(hitsOf(ctx, a, m, f), codeHits(code)...), explain)
	if explain && f.Words {
		a.Say("there is no model: only words were compared")
	}
	return err
}
