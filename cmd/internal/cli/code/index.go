package code

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/background"
	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/cmd/internal/wire"
	"github.com/git-sage/git-sage/codeindex"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/recall"
)

type indexOptions struct {
	full, incremental     bool
	embed, noEmbed, quiet bool
	background            bool
	jobs                  int
	rev                   string
	of                    background.Target
}

// NewIndex makes 'git sage index'.
func NewIndex(a *app.App) *cobra.Command {
	var o indexOptions
	c := &cobra.Command{
		Use:   "index [<options>] [<path>]",
		Short: "Index code, so that it is found by name and by meaning",
		Long: `Index the code of the work tree, or of a folder or file in it: what it defines
and calls, its words, and those with which commits changed it. What was indexed
before, in any branch or work tree, is not read again. Vectors, by which code is
found by meaning, follow in the background. Interrupted, it keeps what it has,
and the next run goes on from there.

Files that git ignores are left out, as are vendored and generated ones, those
over 1 MiB, what .sageignore or the setting code_exclude names, and what
.gitattributes marks with linguist-generated, linguist-vendored or
sage-index=false. The setting code_include brings back what it names, unless its
size or content leaves it out.

The index lies beside git's own caches and holds nothing that git and the work
tree do not have.`,
		Example: "git sage index\ngit sage index --embed src\ngit sage index --rev v1.4.0",
		Args:    usage.RangeArgs(0, 1, "path"),
		RunE: func(c *cobra.Command, args []string) error {
			if o.quiet {
				background.StepBack()
			}
			if o.embed && o.noEmbed {
				return usage.Errorf("options '--embed' and '--no-embed' cannot be used together")
			}
			if o.full && o.incremental {
				return usage.Errorf("options '--full' and '--incremental' cannot be used together")
			}
			if c.Flags().Changed("jobs") && o.jobs < 1 {
				return usage.Errorf("--jobs must be at least 1")
			}
			if o.background {
				if len(args) > 0 || o != (indexOptions{background: true, quiet: o.quiet}) {
					return usage.Errorf("option '--background' indexes all of the work tree, and goes with no other")
				}
				return indexBehind(c.Context(), a)
			}
			return a.WorkOn(c.Context(), o.of, func(m *recall.Memory) error { return runIndex(c.Context(), a, m, o, strings.Join(args, "")) })
		},
	}
	f := c.Flags()
	f.SortFlags = false
	f.BoolVar(&o.full, "full", false, "index everything again; what did not change keeps its vectors")
	f.BoolVar(&o.incremental, "incremental", false, "index only what is new (the default)")
	f.BoolVar(&o.embed, "embed", false, "make all vectors now, and wait for them")
	f.BoolVar(&o.noEmbed, "no-embed", false, "make no vectors")
	f.StringVar(&o.rev, "rev", "", "index this `commit` instead of the work tree")
	f.IntVarP(&o.jobs, "jobs", "j", 0, "parse this `number` of files at once; all processors by default")
	f.BoolVarP(&o.quiet, "quiet", "q", false, "print only errors")
	f.BoolVar(&o.background, "background", false, "return at once; index in a process that makes way for others")
	o.of.Flag(f)
	c.AddCommand(newStatus(a), newGC(a))
	c.Annotations = map[string]string{"runs": "by itself"}
	return c
}

// softLimit is how much memory, in bytes, is held before what is no longer needed is looked
// for more often. With the 64 MB of other commands, of which grammars and a segment take more,
// it was looked for 580 times in Go's source tree, for a fifth of the processor's time.
const softLimit = 256 << 20

// inBackground is after how long an index in the background begins no other file: the next
// one goes on.
const inBackground = 5 * time.Minute

// indexBehind indexes in the background.
func indexBehind(ctx context.Context, a *app.App) error {
	m, err := a.Open(ctx)
	if err == nil && !m.IndexCode() {
		err = errors.New("this program cannot start itself in the background")
	}
	return err
}

func runIndex(ctx context.Context, a *app.App, m *recall.Memory, o indexOptions, path string) error {
	under, err := inside(a, m, path)
	if err != nil {
		return err
	}
	debug.SetMemoryLimit(softLimit)
	x := m.Code()
	bar := a.Progress("Indexing")
	update, q := x.Update, codeindex.UpdateRequest{
		Rev: o.rev, Full: o.full, Under: under, Jobs: o.jobs,
		Progress: func(done, total int) { bar.Left(total - done) },
	}
	if o.of.Folder != "" && !o.embed {
		update, q.Budget = x.UpdateInTurn, inBackground
	}
	r, err := update(ctx, q)
	if err == nil {
		err = x.ReadHistory(ctx, o.rev, o.full)
	}
	bar.End()
	if ctx.Err() != nil && !o.quiet {
		a.Say("interrupted: kept what was indexed, %s; 'git sage index' goes on from there", legible.Count(r.Parsed, "new file"))
	}
	if err != nil {
		return cmp.Or(ctx.Err(), err)
	}
	if r.Files == 0 && !o.quiet {
		if path != "" {
			return fmt.Errorf("there is no code in '%s'", path)
		}
		a.Say("no code to index")
		return nil
	}
	left, err := embedCode(ctx, a, m, o, r)
	if err != nil || o.quiet {
		return err
	}
	if a.JSON {
		return a.PrintJSON(wire.IndexedOf(m.Project.Name(), r, left))
	}
	a.Say("%s", summary(r))
	if left > 0 && !o.noEmbed {
		a.Say("%s to be found by meaning follow in the background", legible.Count(left, "piece"))
	}
	return nil
}

// inside is a path from the top of the repository; "" is all of it.
func inside(a *app.App, m *recall.Memory, path string) (string, error) {
	if path == "" {
		return "", nil
	}
	if top := m.Store.Repo.Top(); top != "" && a.RealPath(a.Path(path)) == a.RealPath(top) {
		return "", nil
	}
	p, err := a.RepositoryPath(m, path)
	return filepath.ToSlash(p), err
}

// embedCode makes vectors as the options ask, or has them made, and returns how many are
// left of what was indexed.
func embedCode(ctx context.Context, a *app.App, m *recall.Memory, o indexOptions, r codeindex.Report) (left int, err error) {
	if !o.embed {
		if left = r.Wanting - r.Embedded; left > 0 && !o.noEmbed {
			m.EmbedCode()
		}
		return left, nil
	}
	bar := a.Progress("Embedding")
	q := codeindex.EmbedRequest{Rev: o.rev, Wait: true, Progress: func(done, total int) { bar.Left(total - done) }}
	if o.of.Folder != "" { // nobody waits for it
		q.Budget, q.Wait = m.Stores.Settings().CodeBudget, false
	}
	made, left, err := m.Code().Embed(ctx, q)
	bar.End()
	switch {
	case errors.Is(err, codeindex.ErrBusy):
		return r.Wanting - r.Embedded, nil
	case ctx.Err() != nil && left > 0 && !o.quiet:
		a.Say("interrupted: kept the vectors of %s; 'git sage index --embed' goes on with the %d that are left", legible.Count(made, "piece"), left)
	}
	return left, cmp.Or(ctx.Err(), err)
}

// summary says what was indexed.
func summary(r codeindex.Report) string {
	s := fmt.Sprintf("indexed %s of %s", legible.Count(r.Parsed, "new file"), legible.Count(r.Files, "file"))
	if r.Parsed == 0 {
		s = fmt.Sprintf("nothing is new: %s", legible.Count(r.Files, "file"))
	}
	return fmt.Sprintf("%s: %s, %s, %s in %s", s, legible.Count(r.Functions, "function"), countTypes(r.Classes), legible.Count(r.Constants, "constant"), took(r.Took))
}

func countTypes(n int) string { return legible.Count(n, "type") }

func took(d time.Duration) string {
	if d < time.Second {
		return fmt.Sprintf("%d ms", d.Milliseconds())
	}
	return fmt.Sprintf("%.1f s", d.Seconds())
}

// newStatus makes 'git sage index status'.
func newStatus(a *app.App) *cobra.Command {
	var rev string
	c := &cobra.Command{
		Use:     "status [--rev <commit>]",
		Short:   "Show what is indexed",
		Long:    "Show how much of the work tree is indexed, in which languages, and how much of\nit can be found by meaning.",
		Example: "git sage index status",
		Args:    usage.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			m, err := a.Open(c.Context())
			if err != nil {
				return err
			}
			st, err := m.Code().Status(c.Context(), rev)
			if err != nil {
				return err
			}
			if a.JSON {
				return a.PrintJSON(wire.CodeStatusOf(st))
			}
			return printStatus(a, st)
		},
	}
	c.Flags().StringVar(&rev, "rev", "", "look at this `commit` instead of the work tree")
	return c
}

func printStatus(a *app.App, st codeindex.Status) error {
	var t term.Table
	t.Add("files", fmt.Sprintf("%d of %d indexed", st.Indexed, st.Files))
	t.Add("symbols", fmt.Sprint(st.Symbols))
	t.Add("pieces", fmt.Sprintf("%d, %s by meaning", st.Chunks, share(st.Embedded, st.Wanting)))
	t.Add("languages", languages(st.Languages))
	t.Add("history", legible.Count(st.Commits, "commit"))
	t.Add("size", Size(st.Bytes))
	if !st.Newest.IsZero() {
		t.Add("last added", a.When(st.Newest))
	}
	if err := t.Print(&a.Terminal); err != nil {
		return err
	}
	if missing := st.Files - st.Indexed; missing > 0 {
		a.Hint("%s not indexed yet: 'git sage index' indexes what is missing", areFiles(missing))
	}
	return nil
}

func share(part, all int) string {
	if all == 0 {
		return "none"
	}
	return fmt.Sprintf("%d%%", 100*part/all)
}

// languages are those of most files, with their numbers.
func languages(of map[string]int) string {
	names := slices.SortedFunc(maps.Keys(of), func(x, y string) int {
		if d := of[y] - of[x]; d != 0 {
			return d
		}
		return strings.Compare(x, y)
	})
	var out []string
	for _, n := range names {
		out = append(out, fmt.Sprintf("%s %d", n, of[n]))
	}
	if len(out) > 8 {
		out = append(out[:8], fmt.Sprintf("and %d more", len(out)-8))
	}
	return strings.Join(out, ", ")
}

// newGC makes 'git sage index gc'.
func newGC(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use:     "gc",
		Short:   "Drop from the index what no branch and no work tree has",
		Long:    "Drop from the index what neither a work tree of the repository nor the tip of\nany branch has, and commits that lead to none of them. It is indexed again when\nit is needed.",
		Example: "git sage index gc",
		Args:    usage.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			m, err := a.Open(c.Context())
			if err != nil {
				return err
			}
			tips, err := m.Store.Repo.Git.Run(c.Context(), "for-each-ref", "--format=%(objectname)", "refs/heads")
			if err != nil {
				return err
			}
			freed, err := m.Code().GC(c.Context(), strings.Fields(string(tips))...)
			if err != nil {
				return err
			}
			if a.JSON {
				return a.PrintJSON(map[string]any{"freed_bytes": freed})
			}
			a.Say("freed %s", Size(freed))
			return nil
		},
	}
}

// Size is a number of bytes for people.
func Size(n int64) string {
	if n < 1<<20 {
		return fmt.Sprintf("%d KiB", (n+1023)>>10)
	}
	return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
}
