package notes

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/cmd/internal/wire"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/recall/references"
)

// New makes 'git sage notes'.
func New(a *app.App) *cobra.Command {
	c := &cobra.Command{
		Use:   "notes [<range> | <since>]",
		Short: "Write what commits changed and why, as Markdown",
		Long: `Write what the commits of a range changed and why, as Markdown for a pull
request or a release: the conclusions that explain them with their evidence, the
commits, and the questions that are left. Nothing is said that no checkpoint or
commit says. <since> alone means <since>..HEAD; without a range, take the
commits that the upstream of your branch lacks.

'git sage show <commit>' shows the checkpoints behind one commit, and 'git sage
log --commits' those behind each.`,
		Example: "git sage notes main\ngit sage notes v1.4..v1.5",
		Args:    usage.RangeArgs(0, 1, "range"),
		RunE:    func(c *cobra.Command, args []string) error { return run(c.Context(), a, strings.Join(args, "")) },
	}
	c.AddCommand(newRecord(a), newTrailer(a))
	c.Annotations = map[string]string{"runs": "by itself"}
	return c
}

func run(ctx context.Context, a *app.App, of string) error {
	m, err := a.Open(ctx)
	if err != nil {
		return err
	}
	switch {
	case of == "" && !m.Store.Notes.IsCommit(ctx, "@{upstream}"):
		return usage.Errorf("your branch has no upstream: name a range, such as main..HEAD")
	case of == "":
		of = "@{upstream}..HEAD"
	case !strings.Contains(of, ".."):
		of += "..HEAD"
	}
	changes, err := m.References.Changes(ctx, of)
	switch {
	case err != nil:
		return err
	case a.JSON:
		return a.PrintJSON(wire.ChangesOf(changes))
	case changes.Commits == 0:
		a.Say("no commits in %s", of)
		return exit.ErrNo
	}
	return a.Print(func(w io.Writer) { write(a, w, changes) })
}

// write prints changes as Markdown, one paragraph after another.
func write(a *app.App, w io.Writer, c *references.Changes) {
	gap := ""
	section := func(title string, lines ...string) {
		fmt.Fprintf(w, "%s## %s\n\n%s", gap, title, strings.Join(lines, ""))
		gap = "\n"
	}
	for _, t := range c.Topics {
		title := t.Question
		if title == "" {
			title = headline(t.Conclusions[0])
		}
		var lines []string
		for _, x := range t.Conclusions {
			lines = append(lines, conclusion(x, title)...)
		}
		if len(t.Commits) > 0 {
			lines = append(lines, "Commits: "+strings.Join(named(a, t.Commits), ", ")+"\n")
		}
		section(title, lines...)
	}
	if len(c.Other) > 0 {
		title := "Other changes"
		if len(c.Topics) == 0 {
			title = "Changes"
		}
		section(title, bullets(named(a, c.Other))...)
	}
	if len(c.Open) > 0 {
		section("Open questions", bullets(c.Open)...)
	}
}

// headline is a conclusion as a heading: its first sentence.
func headline(c references.Conclusion) string {
	return strings.TrimSuffix(legible.FirstSentence(c.Thesis), ".")
}

// conclusion is a paragraph with a thesis, unless the heading says all of it, and a list of
// its evidence.
func conclusion(c references.Conclusion, title string) (lines []string) {
	text := c.Thesis
	if strings.TrimSuffix(text, ".") == title {
		text = ""
	}
	text += legible.InParens(c.From)
	if p := legible.Percent(c.Confidence); p != "" {
		text += legible.InParens("confidence " + p)
	}
	if text != "" {
		lines = append(lines, strings.TrimSpace(text)+"\n\n")
	}
	if len(c.Evidence) > 0 {
		lines = append(append(lines, bullets(c.Evidence)...), "\n")
	}
	return lines
}

func bullets(texts []string) (lines []string) {
	for _, t := range texts {
		lines = append(lines, "- "+t+"\n")
	}
	return lines
}

// named are commits with their ids, the oldest first.
func named(a *app.App, commits []gitstore.NotedCommit) (out []string) {
	for _, c := range slices.Backward(commits) {
		out = append(out, fmt.Sprintf("%s (%s)", legible.OneLine(c.Subject), a.Short(c.ID)))
	}
	return out
}
