package checkpoint

import (
	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/cli/export"
	"github.com/git-sage/git-sage/cmd/internal/usage"
)

// New makes the group, with verbs that are about other things, too: search,
// branch and confirm.
func New(a *app.App, args []string, search, branch, confirm app.Entry) *cobra.Command {
	if len(args) > 0 {
		args = args[1:]
	}
	ofSkill := func(make func(*app.App) *cobra.Command, most int, example string) func(*app.App) *cobra.Command {
		return func(a *app.App) *cobra.Command { return skillFirst(a, make(a), most, example) }
	}
	return usage.Group("checkpoint", "Save, list, show and remove checkpoints", "", app.Build(a, args, []app.Entry{
		app.Verb("save", NewSave),
		app.Verb("edit", newEditCmd),
		app.Verb("list", newListCmd),
		app.Verb("show", ofSkill(NewShow, -1, "show privacy")),
		search,
		app.Verb("restore", ofSkill(newRestoreCmd, 1, "restore privacy 3f2a91c0")),
		app.Verb(branch.Name, ofSkill(branch.Make, 1, "branch privacy 3f2a91c0 --name <name>")),
		app.Verb("diff", ofSkill(NewDiff, 2, "diff privacy 3f2a91c0 a2d41b77")),
		confirm,
		app.Verb("rm", newRmCmd),
		app.Verb("prune", newPruneCmd),
		app.Verb("export", export.New),
	})...)
}
