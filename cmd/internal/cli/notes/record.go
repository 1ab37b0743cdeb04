package notes

import (
	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
)

// newRecord makes 'git sage notes record'.
func newRecord(a *app.App) *cobra.Command {
	var rewritten string
	c := &cobra.Command{
		Use:   "record [<commit> | <range>]... | record --rewritten amend|rebase",
		Short: "Write git notes that name the checkpoints behind commits",
		Long: `Write a note on each commit that has none and that checkpoints explain, to
refs/notes/sage: 'git log --notes=sage' shows it. Without a commit, look at HEAD
and the 20 commits before it that the branch made itself. The git hooks that
'git sage init --git-hooks' adds call this.

A checkpoint explains the next commit after it, if that touches a file that the
checkpoint read, changed or refers to, or if the checkpoint names no file and
was not saved automatically. Of further commits it explains the first that
touches a file which it changed or refers to.

With --rewritten, read pairs of an old and a new commit, as git gives them to
its post-rewrite hook, and let the notes follow.`,
		Example: "git sage notes record\ngit sage notes record v1.4..main",
		RunE: func(c *cobra.Command, args []string) error {
			if rewritten != "" && (len(args) > 0 || rewritten != "amend" && rewritten != "rebase") {
				return usage.Errorf("--rewritten takes amend or rebase, and reads pairs of commits from standard input")
			}
			m, err := a.Open(c.Context())
			if err != nil {
				return err
			}
			n := 0
			if rewritten == "" {
				n, err = m.Store.Notes.Record(c.Context(), args...)
			} else {
				var pairs []byte
				if pairs, err = a.ReadInput("-"); err == nil {
					n, err = m.Store.Notes.Rewritten(c.Context(), string(pairs), rewritten == "amend")
				}
			}
			switch {
			case err != nil:
				return err
			case a.JSON:
				return a.PrintJSON(map[string]any{"notes": n})
			case n == 0:
				a.Say("no note is new")
			default:
				a.Say("wrote %s", legible.Count(n, "note"))
			}
			return nil
		},
	}
	c.Flags().StringVar(&rewritten, "rewritten", "", "let notes follow what an `amend` or rebase made of commits")
	return c
}
