package cli

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/usage"
)

func newCompletionCmd(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use:   "completion bash|zsh|fish",
		Short: "Print a shell completion script",
		Long: `Print a script that completes commands, options, lines, tags and ids. In bash it
also completes 'git sage <TAB>' if git's own completion is loaded.`,
		Example:   `source <(git-sage completion bash)`,
		Args:      usage.ExactArgs("shell"),
		ValidArgs: []string{"bash", "zsh", "fish"},
		RunE: func(c *cobra.Command, args []string) error {
			root := c.Root()
			switch args[0] {
			case "bash":
				if err := root.GenBashCompletionV2(a.Out, true); err != nil {
					return err
				}
				_, err := io.WriteString(a.Out, gitBash)
				return err
			case "zsh":
				if err := root.GenZshCompletion(a.Out); err != nil {
					return err
				}
				_, err := io.WriteString(a.Out, gitZsh)
				return err
			case "fish":
				return root.GenFishCompletion(a.Out, true)
			}
			return usage.Errorf("no completion for '%s': bash, zsh and fish have one", args[0])
		},
	}
}

// gitBash is what git's own completion calls for "git sage". The words up to
// and with "sage", where options of git may stand, become "git-sage", and the
// line and the cursor are shortened alike, so that the script above sees what it
// would see without git.
const gitBash = `
# Where the package bash-completion is not there, words are split at blanks.
if ! declare -F _get_comp_words_by_ref >/dev/null 2>&1; then
    _get_comp_words_by_ref()
    {
        words=("${COMP_WORDS[@]}") cword=$COMP_CWORD
        cur=${words[cword]} prev=${words[cword-1]}
    }
fi

_git_sage()
{
    local i=1 n=${#COMP_WORDS[@]} head words
    while (( i < n )) && [[ ${COMP_WORDS[i]} != sage ]]; do (( i++ )); done
    (( i < n )) || return 0
    head="${COMP_LINE%%[[:space:]]sage*}"
    COMP_LINE="git-sage${COMP_LINE:$(( ${#head} + 5 ))}"
    COMP_POINT=$(( COMP_POINT - ${#head} - 5 + 8 ))
    words=("${COMP_WORDS[@]:i+1}")
    COMP_WORDS=(git-sage "${words[@]}")
    COMP_CWORD=$(( COMP_CWORD - i ))
    compopt +o nospace 2>/dev/null
    __start_git-sage
}
`

// gitZsh lets zsh's completion of git list sage among the commands. It then
// calls _git-sage by itself.
const gitZsh = `
zstyle ':completion:*:*:git:*' user-commands sage:'a memory for coding agents'
`
