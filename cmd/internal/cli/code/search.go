package code

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/cmd/internal/wire"
	"github.com/git-sage/git-sage/codeindex"
	"github.com/git-sage/git-sage/codeindex/parse"
	"github.com/git-sage/git-sage/codeindex/projects"
	"github.com/git-sage/git-sage/internal/lists"
	"github.com/git-sage/git-sage/recall"
)

// Filters narrow what is found.
type Filters struct {
	codeindex.Query
	Path     string   // as it was typed
	Projects []string // names or paths; none is this repository
	All      bool     // projects
}

func (o *Filters) flags(f *pflag.FlagSet) {
	f.SortFlags = false
	f.IntVarP(&o.Limit, "limit", "n", codeindex.DefaultLimit, fmt.Sprintf("show at most this `number`; %d by default", codeindex.DefaultLimit))
	o.CodeFlags(f)
}

// CodeFlags are those that narrow a search to some code, and nothing else.
func (o *Filters) CodeFlags(f *pflag.FlagSet) {
	f.StringSliceVar(&o.Languages, "lang", nil, "limit to this `language`")
	f.StringSliceVar(&o.Kinds, "kind", nil, "limit to this `kind` of definition: function, class, ...")
	f.StringVar(&o.Path, "path", "", "limit to this folder, file or `glob` of code")
	f.StringVar(&o.Rev, "rev", "", "search this `commit` instead of the work tree")
}

// ProjectFlags are those that search other projects.
func (o *Filters) ProjectFlags(f *pflag.FlagSet) {
	f.StringSliceVar(&o.Projects, "project", nil, "search this project instead, by `name` or path")
	f.BoolVar(&o.All, "all-projects", false, "search all projects that are indexed on this machine")
}

// Complete completes what the options of a command narrow a search to.
func Complete(a *app.App, c *cobra.Command) {
	offer := func(option string, list func() []string) {
		if c.Flags().Lookup(option) != nil {
			_ = c.RegisterFlagCompletionFunc(option, func(_ *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
				return usage.Matching(list(), "", word), cobra.ShellCompDirectiveNoFileComp
			})
		}
	}
	offer("lang", parse.Languages)
	offer("kind", func() []string { return lists.Map(parse.Kinds(), func(k parse.Kind) string { return string(k) }) })
	offer("project", func() []string {
		return lists.Map(projects.In(a.Home()).List(), func(p projects.Project) string { return usage.Offer(p.Name, p.Dir) })
	})
}

// elsewhere reports whether other projects are searched.
func (o *Filters) elsewhere() bool { return o.All || len(o.Projects) > 0 }

func (o *Filters) sinceFlag(f *pflag.FlagSet) {
	f.StringVar(&o.Since, "since", "", "limit to what changed since this `date` or commit")
}

// with names the options that narrow what is found, behind a blank; "" is none.
func (o *Filters) with() string {
	s := ""
	for _, f := range []struct{ option, value string }{
		{"lang", strings.Join(o.Languages, ",")}, {"kind", strings.Join(o.Kinds, ",")}, {"path", o.Path}, {"rev", o.Rev}, {"since", o.Since},
	} {
		if f.value != "" {
			s += " --" + f.option + " " + f.value
		}
	}
	if s == "" {
		return ""
	}
	return " with" + s
}

// query checks the filters and completes the query.
func (o *Filters) query(a *app.App, m *recall.Memory, text string) (codeindex.Query, error) {
	q := o.Query
	if q.Text = strings.TrimSpace(text); q.Text == "" {
		return q, usage.Errorf("the query is empty")
	}
	return o.narrow(a, m, q)
}

func (o *Filters) narrow(a *app.App, m *recall.Memory, q codeindex.Query) (codeindex.Query, error) {
	if q.Limit < 1 {
		return q, usage.Errorf("-n must be at least 1")
	}
	path := filepath.ToSlash(o.Path)
	_, missing := os.Lstat(a.Path(o.Path)) // a file may be called [id].ts
	here := path != "" && !o.elsewhere() && (missing == nil || !strings.ContainsAny(path, "*?["))
	if missing != nil || !here {
		q.Path = path
	}
	if err := q.Check(); err != nil {
		return q, usage.Errorf("%v", err)
	}
	if here {
		var err error
		if q.Path, err = inside(a, m, path); err != nil {
			return q, err
		}
		if q.Rev == "" && q.Path != "" && !app.Exists(m, q.Path) {
			return q, fmt.Errorf("no '%s' in the work tree", o.Path)
		}
	}
	return q, nil
}

// NewSearch makes 'git sage search-code'.
func NewSearch(a *app.App) *cobra.Command {
	var o Filters
	c := &cobra.Command{
		Use:   "search-code [<options>] <query>",
		Short: "Find code by what it does",
		Long: `Find code by meaning and by words: the names of what it defines, its comments,
its text and its path. Names, paths and lines in the query, as of a compiler's
error or a stack trace, are found as they stand. What is not indexed yet is
indexed first where that is quick, and else in the background: a line says so.

With --project or --all-projects, search repositories of this machine that are
indexed, as they are: what changed there since is not found until it is searched
or indexed there, and a line says so. A path then counts from the top of each.

In a pipe, print a line per hit with tabs between score, path:from-to, kind,
name, signature, the first line of its comment and, of other projects, the
project. With --json, print objects. Exit with status 1 if there is nothing to
find.`,
		Example: "git sage search-code 'where are tokens checked?'\ngit sage search-code --lang go --path internal retry with backoff\ngit sage search-code --rev v1.2 'parse config'\ngit sage search-code --since 2.weeks.ago 'retry with backoff'",
		Args:    usage.RangeArgs(1, -1, "query"),
		RunE:    func(c *cobra.Command, args []string) error { return Search(c.Context(), a, o, strings.Join(args, " ")) },
	}
	o.flags(c.Flags())
	o.sinceFlag(c.Flags())
	o.ProjectFlags(c.Flags())
	Complete(a, c)
	return c
}

// Search finds code and prints it.
func Search(ctx context.Context, a *app.App, o Filters, text string) error {
	m, err := a.Open(ctx)
	if err != nil {
		return err
	}
	q, err := o.query(a, m, text)
	if err != nil {
		return err
	}
	hits, say, err := o.find(ctx, a, m, q)
	if err != nil {
		return err
	}
	if len(hits) > 0 && hits[0].Weak {
		a.Say("weak matches only:")
	}
	if a.JSON {
		for _, h := range hits {
			if err := a.PrintJSON(wire.CodeHitOf(h)); err != nil {
				return err
			}
		}
	} else if err := printHits(a, hits, q.Text); err != nil {
		return err
	}
	say()
	if len(hits) == 0 {
		a.Say("nothing found%s", o.with())
		return exit.ErrNo
	}
	return nil
}

// find finds code here or in other projects; say tells what could not be seen.
func (o *Filters) find(ctx context.Context, a *app.App, m *recall.Memory, q codeindex.Query) (hits []codeindex.Hit, say func(), err error) {
	if !o.elsewhere() {
		r, err := m.Code().Search(ctx, q)
		if err != nil {
			return nil, nil, err
		}
		SayMissing(a, m, q.Rev)
		return r.Hits, func() { sayMeaning(a, m, r) }, nil
	}
	names := o.Projects
	if o.All {
		names = []string{recall.AllProjects}
	}
	hits, list, err := m.SearchProjects(ctx, q, names)
	return hits, func() {
		for _, s := range list {
			if note := s.Note(); note != "" {
				a.Warn("%s", note)
			}
		}
	}, err
}

// partial is the share of files, as a divisor, of which an answer without them is partial: what
// is found then may be little of what there is.
const partial = 5

// SayMissing says how much of the work tree, or of a commit, the last question did not see, and
// has it indexed in the background.
func SayMissing(a *app.App, m *recall.Memory, rev string) {
	n, all := m.Code().Missing()
	if n == 0 {
		return
	}
	s := fmt.Sprintf("%d of %s not indexed yet", n, areFiles(all))
	if partial*n > all {
		s = "the answer is partial: " + s
	}
	switch {
	case rev != "":
		a.Hint("%s; 'git sage index --rev %s' indexes them", s, rev)
	case m.IndexCode():
		a.Hint("%s; they are being indexed in the background", s)
	default:
		a.Hint("%s; 'git sage index' indexes them", s)
	}
}

// sayMeaning says to a person what was found by words alone, and has vectors made.
func sayMeaning(a *app.App, m *recall.Memory, r *codeindex.Result) {
	if r.Embedded == r.Wanting {
		return
	}
	m.EmbedCode()
	if a.TTY && !a.JSON {
		a.Hint("%s of the code can be found by meaning yet: vectors are being made in the background", share(r.Embedded, r.Wanting))
	}
}

func areFiles(n int) string {
	if n == 1 {
		return "1 file is"
	}
	return fmt.Sprintf("%d files are", n)
}

// printHits prints a hit on a line, between tabs, for programs, and on a few for people.
func printHits(a *app.App, hits []codeindex.Hit, query string) error {
	if !a.TTY {
		var t term.Table
		for _, h := range hits {
			doc, _, _ := strings.Cut(h.Doc, "\n")
			cells := []string{percent(h.Score), place(h), h.Kind, name(h), term.Clip(term.Visible(h.Signature), 200), term.Clip(term.Visible(doc), 120)}
			if h.Project.Name != "" {
				cells = append(cells, term.Visible(h.Project.Name))
			}
			t.Add(cells...)
		}
		return t.Print(&a.Terminal)
	}
	return a.Print(func(w io.Writer) {
		for _, h := range hits {
			writeHit(a, w, h, query)
		}
	})
}

func percent(score float64) string { return fmt.Sprintf("%.0f%%", 100*score) }

func place(h codeindex.Hit) string {
	return fmt.Sprintf("%s:%d-%d", term.Visible(h.File()), h.First, h.Last)
}

func name(h codeindex.Hit) string { return term.Visible(h.FullName()) }

// marked paints the words of a query bold, and all else in a colour.
func marked(p term.Palette, color, query, text string) string {
	var b strings.Builder
	at := 0
	for _, s := range codeindex.Highlights(query, text) {
		b.WriteString(p.Paint(color, text[at:s[0]]) + p.Paint("bold", text[s[0]:s[1]]))
		at = s[1]
	}
	return b.String() + p.Paint(color, text[at:])
}

func writeHit(a *app.App, w io.Writer, h codeindex.Hit, query string) {
	p, width := a.Palette(), a.Width
	if width == 0 {
		width = 200
	}
	const indent = "      "
	room := max(20, width-len(indent))
	about := h.Kind
	if n := name(h); n != "" {
		about += " " + n
	}
	if h.Project.Name != "" {
		about += " in " + term.Visible(h.Project.Name)
	}
	if h.Weak {
		about += ", weak"
	}
	fmt.Fprintf(w, "%4s  %s  %s\n", percent(h.Score), p.ID(place(h)), marked(p, "", query, term.Clip(about, max(10, room-len(place(h))))))
	if h.Signature != "" {
		fmt.Fprintln(w, indent+marked(p, "", query, term.Clip(term.Visible(h.Signature), room)))
	}
	for line := range strings.SplitSeq(h.Doc, "\n") {
		if line != "" {
			fmt.Fprintln(w, indent+marked(p, "dim", query, term.Clip(term.Visible(line), room)))
		}
	}
}
