package cli

import (
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/usage"
)

// doneElsewhere says of words that are no command what does what they mean.
var doneElsewhere = sync.OnceValue(func() map[string]string {
	return map[string]string{
		"add":         "'git sage remember <text>' keeps a fact, 'git sage todo add <text>' a todo, 'git sage save' a checkpoint",
		"bisect":      "'git sage log -p' shows what each checkpoint changed, 'git sage why <path>:<line>' what explains a line of code",
		"cherry-pick": "'git sage merge <id>' takes in a checkpoint, with what it continues",
		"clone":       "'git clone' carries no memory: 'git sage sync' in the clone takes it in",
		"mv":          "'git sage branch -m [<old>] <new>' renames a line",
		"rebase":      "no checkpoint is moved or rewritten: 'git sage merge <line>' takes in another line",
		"reflog":      "'git sage undo' lists what was done here, newest first, and takes it back",
		"reset":       "'git sage undo --last' takes back the newest action, 'git sage config reset <key>' a setting",
		"stash":       "'git sage switch -c <line>' starts a line beside this one, 'git sage switch -' returns to it",
		"delete":      howToRemove,
		"remove":      howToRemove,
		"rm":          howToRemove,
		"disable":     howToDisable,
		"off":         howToDisable,
		"enable":      howToEnable,
		"on":          howToEnable,
		"gui":         howToBrowse,
		"web":         howToBrowse,
		"browse":      howToBrowse,
		"dashboard":   howToBrowse,
	}
})

const (
	howToRemove  = "'git sage forget <id>' removes an item of knowledge, 'git sage checkpoint rm <id>' a checkpoint"
	howToDisable = "'git sage config set enabled false' switches git-sage off in this repository"
	howToEnable  = "'git sage config set enabled true' switches git-sage on in this repository"
	howToBrowse  = "'git sage ui' shows the memory in your browser, 'git sage export --all --html <file>' writes it as one page"
)

// unknownCommand says that the first word of a command line is no command, and what does what it
// means: a command of another name, or one that is spelt nearly so.
func unknownCommand(c *cobra.Command, args []string) error {
	if does := doneElsewhere()[strings.ToLower(args[0])]; does != "" {
		return &usage.Error{Msg: usage.NotACommand(c, args[0]), Hints: []string{does}}
	}
	return usage.UnknownVerb(c, args)
}
