package cli

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/recall"
)

func newStatusCmd(a *app) *cobra.Command {
	var verbose bool
	c := &cobra.Command{
		Use:   "status [-v]",
		Short: "Show where you stand",
		Long: `Shows the line that you are on, the checkpoint that the next one continues,
forks that wait to be merged, theses that wait for a synthesis, items and files of
the knowledge in which a merge left versions that disagree, and pending todos.
With follow_branch it names the git branch that the line goes with, and lines whose
branch is merged into that one; a squash merge cannot be seen.
Where search healed itself of late, or does not find all yet, a line says so. With
-v also the version, the repository, and how the store, search and its model, the
hooks and the watcher are, as 'doctor' sees them.`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error { return a.status(c.Context(), verbose) },
	}
	c.Flags().BoolVarP(&verbose, "verbose", "v", false, "also say how all around the memory is")
	return c
}

// statusJSON is what status --json prints.
type statusJSON struct {
	Repository string       `json:"repository"`
	GitDir     string       `json:"git_dir"`
	CommonDir  string       `json:"common_dir"`
	Line       string       `json:"line"`
	Branch     string       `json:"git_branch,omitempty"` // that the line goes with
	Begins     bool         `json:"begins,omitempty"`     // the next save begins the line
	Session    string       `json:"session,omitempty"`
	Parent     *recordJSON  `json:"parent"`         // what the next save continues; null at the beginning
	Lost       string       `json:"lost,omitempty"` // why nothing can be saved on the line
	Detached   bool         `json:"detached"`       // the next save leaves the line's tip
	Lines      int          `json:"lines"`
	Forks      []lineJSON   `json:"forks"`
	Unsettled  []recordJSON `json:"unsettled"`
	Merged     []lineJSON   `json:"merged,omitempty"` // lines whose git branch is merged
	Disagree   []string     `json:"disagree"`         // files of the knowledge
	Conflicts  []string     `json:"conflicts"`        // ids of items among them
	Todos      []string     `json:"pending_todos"`
	Identity   string       `json:"identity"`
	Fallback   bool         `json:"identity_is_fallback"`
	Enabled    bool         `json:"enabled"`
	Search     *searchJSON  `json:"search"` // null if that cannot be looked at
	*healthJSON
}

func (a *app) status(ctx context.Context, verbose bool) error {
	m, err := a.open(ctx)
	if err != nil {
		return err
	}
	st, err := m.Store.Status(ctx)
	if err != nil {
		return err
	}
	todos, err := m.PendingTodos(ctx)
	if err != nil {
		a.warn("%v", err)
	}
	health, err := m.SearchHealth(ctx)
	if err != nil {
		a.warn("%v", err)
	}
	if a.json {
		j := toStatusJSON(st)
		if err == nil {
			search := toSearchJSON(health)
			j.Search = &search
		}
		j.Todos = convert(todos, func(k recall.Known) string { return k.Item.ID })
		if verbose {
			h := a.health(ctx, m)
			j.healthJSON = &h
		}
		return a.printJSON(j)
	}
	var b strings.Builder
	a.writeStatus(&b, st)
	writeKnowledge(&b, st, todos)
	if news := a.searchNews(health); err == nil && news != "" {
		fmt.Fprintf(&b, "\n%s\n", visible(news))
	}
	if verbose {
		a.writeHealth(&b, st, a.health(ctx, m))
	}
	_, err = io.WriteString(a.out, b.String())
	return err
}

func toStatusJSON(st gitstore.Status) statusJSON {
	j := statusJSON{
		Repository: st.Repository, GitDir: st.GitDir, CommonDir: st.CommonDir,
		Line: st.Line, Branch: st.Branch, Begins: st.Begins, Session: st.Session, Detached: st.Detached, Lines: st.Lines,
		Forks: []lineJSON{}, Unsettled: []recordJSON{}, Disagree: notNil(st.Disagree), Conflicts: conflictIDs(st.Disagree),
		Identity: st.Identity, Fallback: st.Fallback, Enabled: !st.Disabled,
	}
	if st.Parent != nil {
		p := toRecordJSON(*st.Parent)
		j.Parent = &p
	}
	if st.Lost != nil {
		j.Lost = st.Lost.Error()
	}
	for _, f := range st.Forks {
		j.Forks = append(j.Forks, toLineJSON(f))
	}
	for _, m := range st.Merged {
		j.Merged = append(j.Merged, toLineJSON(m.Line))
	}
	for _, r := range st.Unsettled {
		j.Unsettled = append(j.Unsettled, toRecordJSON(r))
	}
	return j
}

func (a *app) writeStatus(w io.Writer, st gitstore.Status) {
	p := a.palette()
	if a.isOutside(a.store) {
		fmt.Fprintf(w, "Not in a git repository: this is your own store, %s\n", visible(a.homely(a.home())))
	}
	fmt.Fprintf(w, "On line %s%s\n", visible(st.Line), ofBranch(st))
	if st.Session != "" {
		fmt.Fprintf(w, "As session %s\n", visible(st.Session))
	}
	switch {
	case st.Disabled:
		fmt.Fprintln(w, "Switched off: 'git config sage.enabled true' switches it on")
	case st.Lost != nil:
		fmt.Fprintln(w, oneLine(st.Lost.Error()))
	case st.Parent == nil:
		fmt.Fprintln(w, "No checkpoints yet: 'git sage checkpoint save' makes one")
	case st.Begins:
		fmt.Fprintf(w, "The next checkpoint begins it, and continues %s %s\n", p.ID(a.short(st.Parent.ID)), visible(st.Parent.Description))
	default:
		fmt.Fprintf(w, "The next checkpoint continues %s %s\n", p.ID(a.short(st.Parent.ID)), visible(st.Parent.Description))
	}
	if st.Detached {
		fmt.Fprintf(w, "That is not the tip of the line: the next one begins a fork of %[1]s; 'git sage switch %[1]s' goes to the tip\n", visible(st.Line))
	}
	a.writeForks(w, st, p)
	a.writeMerged(w, st, p)
	if st.Fallback {
		fmt.Fprintf(w, "No identity is configured: checkpoints are by %s\n", visible(st.Identity))
	}
}

// ofBranch says with which branch of git's the line goes.
func ofBranch(st gitstore.Status) string {
	if st.Branch == "" {
		return ""
	}
	return ", which goes with git branch " + visible(st.Branch)
}

// writeMerged names lines whose branch is merged.
func (a *app) writeMerged(w io.Writer, st gitstore.Status, p palette) {
	if len(st.Merged) > 0 {
		fmt.Fprintf(w, "\nLines whose git branch is merged into %s, for 'git sage merge <line>':\n", visible(st.Branch))
	}
	for _, m := range st.Merged {
		fmt.Fprintf(w, "  %s %s %s\n", visible(m.Name), p.ID(a.short(m.Latest.ID)), visible(m.Latest.Description))
	}
}

func (a *app) writeForks(w io.Writer, st gitstore.Status, p palette) {
	if len(st.Forks) > 0 {
		fmt.Fprintln(w, "\nForks that wait for 'git sage merge <fork>':")
	}
	for _, f := range st.Forks {
		about := ""
		if f.Latest != nil {
			about = " " + p.ID(a.short(f.Latest.ID)) + " " + visible(f.Latest.Description)
		}
		fmt.Fprintf(w, "  %s%s\n", visible(f.Name), about)
	}
	if len(st.Unsettled) > 0 {
		fmt.Fprintln(w, "\nTheses that wait for 'git sage merge --thesis <synthesis>':")
	}
	for _, r := range st.Unsettled {
		fmt.Fprintf(w, "  %s %s\n", p.ID(a.short(r.ID)), visible(r.Description))
	}
}

// writeKnowledge tells of the knowledge what waits for a person: a line each.
func writeKnowledge(w io.Writer, st gitstore.Status, todos []recall.Known) {
	if ids := conflictIDs(st.Disagree); len(ids) > 0 {
		fmt.Fprintf(w, "\nIn conflict: %s; 'git sage knowledge show <id>' says how to settle it\n", visible(some(ids)))
	}
	var files []string
	for _, path := range st.Disagree {
		if itemIDOf(path) == "" {
			files = append(files, path)
		}
	}
	if len(files) > 0 {
		fmt.Fprintln(w, "\nFiles of the knowledge whose versions disagree; 'git show refs/sage/knowledge:<file>' shows them:")
	}
	for _, path := range files {
		fmt.Fprintf(w, "  %s\n", visible(path))
	}
	if len(todos) > 0 {
		ids := convert(todos, func(k recall.Known) string { return k.Item.ID })
		fmt.Fprintf(w, "\nStill to do: %s; 'git sage todo pending' lists them\n", visible(some(ids)))
	}
}

// some names the first of many.
func some(ids []string) string {
	const most = 5
	text := strings.Join(ids[:min(len(ids), most)], ", ")
	if len(ids) > most {
		text += fmt.Sprintf(" and %d more", len(ids)-most)
	}
	return text
}

// conflictIDs are the items among files of the knowledge.
func conflictIDs(paths []string) []string {
	ids := []string{}
	for _, p := range paths {
		if id := itemIDOf(p); id != "" {
			ids = append(ids, id)
		}
	}
	return ids
}

// itemIDOf is the id of the item that a file of the knowledge is, "" if it is none.
func itemIDOf(file string) string {
	parts := strings.Split(file, "/")
	if len(parts) != 3 || parts[0] != "knowledge" {
		return ""
	}
	id, ok := strings.CutSuffix(parts[2], ".md")
	if !ok {
		return ""
	}
	return id
}
