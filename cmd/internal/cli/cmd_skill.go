package cli

import (
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/recall"
)

func newSkillCmd(a *app, args []string) *cobra.Command {
	if len(args) > 0 {
		args = args[1:]
	}
	return usage.Group("skill", "Group knowledge and checkpoints by kind of work", `A skill is a scope for one kind of work. It has a description, texts, items that
are recalled only while it is active, and checkpoints. It is in skills/<name>.md
of refs/sage/knowledge, with its texts in a folder of that name;
.claude/skills/<name> of the repository and of your home folder belong to it.
For the texts that teach Claude Code how to use the memory, see
'git sage agent-skills'.`,
		wanted(a, args, []entry{
			{"new", newSkillNewCmd},
			{"list", newSkillListCmd},
			{"show", newSkillShowCmd},
			{"edit", newSkillEditCmd},
			{"doc", newSkillDocCmd},
			{"context", newSkillContextCmd},
			{"history", newSkillHistoryCmd},
			{"rm", newSkillRmCmd},
		})...,
	)
}

// skillFolders are those in which Claude Code keeps skills: of the repository, and of
// the person.
func skillFolders(a *app, m *recall.Memory) (folders []string) {
	if top := m.Store.Top(); top != "" {
		folders = append(folders, filepath.Join(top, ".claude", "skills"))
	}
	if dir := a.claudeFolder(); dir != "" {
		folders = append(folders, filepath.Join(dir, "skills"))
	}
	return folders
}

// claudeFolder is where Claude Code keeps what is the person's.
func (a *app) claudeFolder() string {
	if dir := a.Getenv("CLAUDE_CONFIG_DIR"); dir != "" {
		return dir
	}
	if home := a.Getenv("HOME"); home != "" {
		return filepath.Join(home, ".claude")
	}
	return ""
}

// completeSkills offers the names of skills.
func completeSkills(a *app) cobra.CompletionFunc {
	return func(c *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
		m, err := a.open(c.Context())
		if err != nil || len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		names, _ := m.Skills(c.Context(), skillFolders(a, m)...)
		return usage.Matching(names, "", word), cobra.ShellCompDirectiveNoFileComp
	}
}
