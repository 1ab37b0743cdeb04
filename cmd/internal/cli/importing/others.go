package importing

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/imports"
	"github.com/git-sage/git-sage/imports/markdown"
	"github.com/git-sage/git-sage/imports/records"
	"github.com/git-sage/git-sage/internal/lists"
	"github.com/git-sage/git-sage/recall"
)

// A form is one in which another tool keeps what it knows.
type form struct {
	name, arg    string // of the command and of its argument
	aliases      []string
	short, long  string
	example      string
	folder, line bool     // it is a folder; it may hold checkpoints
	usual        []string // where it lies, below the repository, or below the home folder with ~/
	every        bool     // all of the usual that are there are read, else the first
	read         func(ctx context.Context, a *app.App, at place, o otherOptions) (imports.Source, error)
}

// A place is where something lies, and what the report calls it.
type place struct {
	path, shown string
	beside      []string // others to be read, by their names below the same folder
}

type otherOptions struct {
	options
	project string
}

// onceMore ends the long help of every form.
const onceMore = `

Nobody here stands for what comes, so it is shown as from elsewhere until
'git sage review' or 'git sage knowledge confirm' confirms it. What is here
already is not written twice; run the command again at any time. The status is
1 if anything could not be taken whole; the report says what and why.`

var forms = []form{
	{
		name: "instructions", arg: "file", aliases: []string{"CLAUDE.md", "AGENTS.md", "GEMINI.md"},
		short: "Import rules from CLAUDE.md, AGENTS.md and the like",
		long: `Bring in a file of instructions for agents: each item of a list, and each
paragraph with the code or list that it announces, becomes an item, wanted by
requests about the headings above it. Files that it names with '@' are read as
well, inside the project only. A file of a subfolder is about that subfolder.
Without a file, AGENTS.md and CLAUDE.md are read; what both say comes in once.
A rule that changed there since supersedes what was imported; one that left the
file stays here, and is named.`,
		example: "git sage import instructions\ngit sage import CLAUDE.md\ngit sage import instructions docs/agents/RULES.md",
		usual:   []string{"AGENTS.md", "CLAUDE.md"},
		every:   true,
		read: func(_ context.Context, a *app.App, at place, _ otherOptions) (imports.Source, error) {
			dir, shown, file := splitAtProject(a, at)
			return markdown.ReadInstructions(dir, shown, append([]string{file}, at.beside...)...)
		},
	},
	{
		name: "adr", arg: "dir", folder: true,
		short: "Import architecture decision records",
		long: `Bring in decision records in the forms of Nygard and MADR: title, date, status,
and what they supersede or amend. What was superseded, rejected or deprecated is
deprecated here as well, and names what counts instead.`,
		example: "git sage import adr\ngit sage import adr docs/decisions",
		usual:   markdown.DecisionFolders,
		read: func(_ context.Context, _ *app.App, at place, _ otherOptions) (imports.Source, error) {
			return markdown.ReadDecisions(at.path, at.shown)
		},
	},
	{
		name: "obsidian", arg: "vault", aliases: []string{"markdown"}, folder: true, line: true,
		short: "Import a vault of Obsidian, or any folder of Markdown",
		long: `Bring in the notes of a vault, each as an item with its tags, aliases, date and
links. Folders whose names begin with a dot, and links out of the vault, are not
followed. A folder that 'git sage export' wrote comes back as it was, with its
checkpoints.`,
		example: "git sage import obsidian ~/Notes/kilns",
		read: func(_ context.Context, _ *app.App, at place, _ otherOptions) (imports.Source, error) {
			return markdown.ReadVault(markdown.Obsidian, at.path, at.shown)
		},
	},
	{
		name: "basic-memory", arg: "dir", folder: true,
		short: "Import the notes of Basic Memory",
		long: `Bring in the notes of Basic Memory, each as an item with its observations, tags
and date, or that of its file. Relations become links.`,
		example: "git sage import basic-memory ~/basic-memory",
		usual:   []string{"~/basic-memory"},
		read: func(_ context.Context, _ *app.App, at place, _ otherOptions) (imports.Source, error) {
			return markdown.ReadVault(markdown.BasicMemory, at.path, at.shown)
		},
	},
	{
		name: "mcp-memory", arg: "file",
		short: "Import the graph of the MCP memory server",
		long: `Bring in the file of @modelcontextprotocol/server-memory, which MEMORY_FILE_PATH
names: each entity becomes an item with its observations, each relation a link.`,
		example: "git sage import mcp-memory ~/memory.jsonl",
		read: func(_ context.Context, _ *app.App, at place, _ otherOptions) (imports.Source, error) {
			return records.ReadGraph(at.path, at.shown)
		},
	},
	{
		name: "claude-mem", arg: "db-or-dir",
		short: "Import observations of claude-mem",
		long: `Bring in what claude-mem noted: its observations and summaries of sessions, with
their dates and files. Prompts stay there. Its database is read with the program
'sqlite3'. What it noted of other projects is left out; --project names one, or
all with '*'.`,
		example: "git sage import claude-mem\ngit sage import claude-mem --project kiln ~/.claude-mem",
		usual:   []string{"~/.claude-mem/claude-mem.db"},
		read:    readClaudeMem,
	},
	{
		name: "beads", arg: "file",
		short: "Import the issues of beads",
		long: `Bring in the issues of beads as todos, with their labels, dates and comments;
what an issue depends on becomes a link. Closed ones are done. What
'bd remember' keeps comes in as facts: 'bd export --include-memories' writes it.`,
		example: "git sage import beads",
		usual:   []string{".beads/issues.jsonl", ".beads/beads.jsonl"},
		read: func(_ context.Context, _ *app.App, at place, _ otherOptions) (imports.Source, error) {
			return records.ReadIssues(at.path, at.shown)
		},
	},
}

// newOtherCmds makes a command for each form.
func newOtherCmds(a *app.App) (out []*cobra.Command) {
	for _, f := range forms {
		var o otherOptions
		arg := "<" + f.arg + ">"
		least := 1
		if len(f.usual) > 0 {
			arg, least = "["+arg+"]", 0
		}
		c := &cobra.Command{
			Use:     f.name + " " + arg + " [--global] [--again] [-n] [-q]",
			Aliases: f.aliases,
			Short:   f.short,
			Long:    f.long + onceMore,
			Example: f.example,
			Args:    usage.RangeArgs(least, 1, f.arg),
			RunE: func(c *cobra.Command, args []string) error {
				if called := c.CalledAs(); len(args) == 0 && f.name == "instructions" && slices.Contains(f.aliases, called) {
					args = []string{called}
				}
				return f.run(c.Context(), a, o, args)
			},
		}
		fl := c.Flags()
		fl.SortFlags = false
		fl.BoolVar(&o.global, "global", false, "import it into your own memory")
		if f.line {
			fl.StringVar(&o.Line, "line", "", "put checkpoints on this `line`")
		}
		if f.name == records.ClaudeMem {
			fl.StringVar(&o.project, "project", "", "import what is of this `project`; '*' is all")
		}
		fl.BoolVar(&o.Again, "again", false, "import also what was removed here since")
		fl.BoolVarP(&o.DryRun, "dry-run", "n", false, "print the report and write nothing")
		fl.BoolVarP(&o.quiet, "quiet", "q", false, "print only warnings")
		out = append(out, c)
	}
	return out
}

func (f form) run(ctx context.Context, a *app.App, o otherOptions, args []string) error {
	m, err := open(ctx, a, o.options)
	if err != nil {
		return err
	}
	at, err := f.find(a, m, args)
	if err != nil {
		return err
	}
	src, err := f.read(ctx, a, at, o)
	if len(args) == 0 && err == nil && !o.quiet && !a.JSON {
		a.Say("read %s", strings.Join(append([]string{at.shown}, at.beside...), " and "))
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("nothing to import at '%s'", at.shown)
	case err != nil:
		return err
	}
	return bringIn(ctx, a, m, src, o.options)
}

// bringIn brings in what is not here yet, and says what to do next.
func bringIn(ctx context.Context, a *app.App, m *recall.Memory, src imports.Source, o options) error {
	here, isRefused, err := itemsHere(ctx, m)
	if err != nil {
		return err
	}
	refused := func(it *sage.Item) string { // of one's own nothing is refused, whatever it says
		if r, isHere := isRefused[it]; isHere && !r {
			return ""
		}
		return m.Provenance.RefusedAs(it)
	}
	read := src
	if src, err = imports.Distinct(ctx, read, here, refused); err != nil {
		return err
	}
	var gone []*sage.Item
	if src.Tool() == markdown.Instructions {
		if gone, err = markdown.Succeed(ctx, read, src, here); err != nil {
			return err
		}
	}
	r, err := run(ctx, a, m, src, o)
	if serr := sayGone(a, gone, o); err == nil {
		err = serr
	}
	if n := r.Total(); !a.JSON && !o.quiet && n.New+n.Updated > 0 && !o.DryRun {
		a.Hint("'git sage review' goes through it, 'git sage knowledge confirm --all' confirms it all")
	}
	return err
}

// sayGone names rules that are not in their file any more, and how to remove them: they may hold.
func sayGone(a *app.App, gone []*sage.Item, o options) error {
	ids := strings.Join(lists.Map(gone, func(it *sage.Item) string { return it.ID }), " ")
	switch {
	case len(gone) == 0 || o.quiet && !a.JSON:
		return nil
	case a.JSON:
		return a.PrintJSON(problemJSON{"problem", gone[0].Source, string(imports.Noted), "no longer there: " + ids, "git sage forget " + ids})
	}
	are := "are"
	if len(gone) == 1 {
		are = "is"
	}
	a.Say("%s %s no longer in %s: 'git sage forget %s' removes what does not hold", legible.Count(len(gone), "rule"), are, gone[0].Source, ids)
	return nil
}

// itemsHere are the items of the repository, and whether the user refused them.
func itemsHere(ctx context.Context, m *recall.Memory) (out []*sage.Item, isRefused map[*sage.Item]bool, err error) {
	refs, err := m.Store.Repo.Refs(ctx, "refs/sage/")
	if err != nil || len(refs) == 0 { // a look would leave a cache
		return nil, nil, err
	}
	isRefused = map[*sage.Item]bool{}
	list, err := m.Store.Knowledge.EveryItem(ctx)
	for _, e := range list {
		if e.Err == nil && !strings.Contains(e.Key, "/") {
			out = append(out, e.Item)
			isRefused[e.Item] = m.Provenance.IsRefused(recall.Known{ItemEntry: e})
		}
	}
	return out, isRefused, err
}

// find is where something lies that a person names, or where it usually does.
func (f form) find(a *app.App, m *recall.Memory, args []string) (place, error) {
	top := m.Store.Repo.Top()
	if len(args) > 0 {
		at := a.Path(args[0])
		if slices.Contains(f.aliases, args[0]) && top != "" {
			if _, err := os.Stat(at); err != nil {
				at = filepath.Join(top, args[0])
			}
		}
		st, err := os.Stat(at)
		switch {
		case err != nil:
			return place{}, fmt.Errorf("nothing to import at '%s'", args[0])
		case f.folder && !st.IsDir():
			return place{}, fmt.Errorf("'%s' is a file: 'git sage import %s' wants a folder", args[0], f.name)
		case !f.folder && st.IsDir() && f.name != records.ClaudeMem:
			return place{}, fmt.Errorf("'%s' is a folder: 'git sage import %s' wants a file", args[0], f.name)
		}
		return place{path: at, shown: shownBelow(a, top, at)}, nil
	}
	var found place
	for _, u := range f.usual {
		at := filepath.Join(top, filepath.FromSlash(u))
		if rest, own := strings.CutPrefix(u, "~/"); own {
			home := a.HomeFolder()
			if home == "" {
				continue
			}
			at = filepath.Join(home, filepath.FromSlash(rest))
		} else if top == "" {
			continue
		}
		if _, err := os.Stat(at); err != nil {
			continue
		}
		if found.path == "" {
			found = place{path: at, shown: shownBelow(a, top, at)}
		} else if f.every {
			found.beside = append(found.beside, u)
		}
	}
	if found.path != "" {
		return found, nil
	}
	return place{}, exit.WithHint(fmt.Errorf("nothing of %s in its usual places: %s", f.name, strings.Join(f.usual, ", ")), "name it: git sage import %s <%s>", f.name, f.arg)
}

// shownBelow is a path as the report prints it: from a folder, which "" is none, or from home.
func shownBelow(a *app.App, top, at string) string {
	if rel, err := filepath.Rel(top, at); top != "" && err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return filepath.ToSlash(a.Homely(at))
}

// splitAtProject is the folder of the project in which a file lies, and the file below it. Of
// one that lies in no project it is the folder of the file.
func splitAtProject(a *app.App, at place) (dir, shown, file string) {
	if !filepath.IsAbs(at.shown) && !strings.HasPrefix(at.shown, "~") {
		if dir, ok := strings.CutSuffix(filepath.ToSlash(at.path), "/"+at.shown); ok {
			return filepath.FromSlash(dir), "", at.shown
		}
	}
	return filepath.Dir(at.path), filepath.ToSlash(a.Homely(filepath.Dir(at.path))), filepath.Base(at.path)
}

// readClaudeMem reads what claude-mem noted of this project, which it names by its folder.
func readClaudeMem(ctx context.Context, a *app.App, at place, o otherOptions) (imports.Source, error) {
	d := records.Database{File: records.DatabaseIn(at.path), Shown: at.shown, Project: o.project, Env: a.Env}
	switch {
	case o.project == "*":
		d.Project = ""
	case o.project == "" && !o.global:
		d.Project = filepath.Base(cmp.Or(a.Store.Repo.Top(), a.Path(".")))
	}
	src, others, err := d.Read(ctx)
	switch {
	case errors.Is(err, records.ErrNoReader):
		return nil, exit.WithHint(err, "install sqlite3 (SQLite's command line program) and run the command again")
	case err != nil:
		return nil, err
	}
	if n := sum(others); n > 0 && !o.quiet && !a.JSON {
		a.Say("left out %s of other projects: %s", legible.Count(n, "note"), named(others))
	}
	return src, nil
}

func sum(of map[string]int) (n int) {
	for _, k := range of {
		n += k
	}
	return n
}

// mostNamed is how many projects are named that were left out.
const mostNamed = 5

func named(of map[string]int) string {
	var names []string
	for name := range of {
		names = append(names, name)
	}
	slices.SortFunc(names, func(x, y string) int {
		if of[x] != of[y] {
			return of[y] - of[x]
		}
		return strings.Compare(x, y)
	})
	more := ""
	if n := len(names) - mostNamed; n > 0 {
		names, more = names[:mostNamed], fmt.Sprintf(" and %d more", n)
	}
	return legible.OneLine(strings.Join(names, ", ")) + more
}
