package knowledge

import (
	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/usage"
)

// NewSkill makes 'git sage skill'.
func NewSkill(a *app.App, args []string) *cobra.Command {
	if len(args) > 0 {
		args = args[1:]
	}
	return usage.Listing(usage.Group("skill", "Group knowledge and checkpoints by kind of work", `A skill is a scope for one kind of work. It has a description, texts, items that
are recalled only while it is active, and checkpoints. It is in skills/<name>.md
of refs/sage/knowledge, with its texts in a folder of that name;
.claude/skills/<name> of the repository and of your home folder belong to it.
For the texts that teach Claude Code how to use the memory, see
'git sage agent-skills'.`,
		app.Build(a, args, []app.Entry{
			app.Verb("new", newSkillNewCmd),
			app.Verb("list", newSkillListCmd),
			app.Verb("show", newSkillShowCmd),
			app.Verb("edit", newSkillEditCmd),
			app.Verb("doc", newSkillDocCmd),
			app.Verb("context", newSkillContextCmd),
			app.Verb("history", newSkillHistoryCmd),
			app.Verb("rm", newSkillRmCmd),
		})...,
	))
}
