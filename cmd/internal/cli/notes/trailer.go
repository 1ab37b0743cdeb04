package notes

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/usage"
)

// newTrailer makes 'git sage notes trailer'.
func newTrailer(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use:   "trailer <file> [<source> [<commit>]]",
		Short: "Name the checkpoints behind the next commit in its message",
		Long: `Add a line 'Sage-Checkpoint: <id>' to the message in <file> for each checkpoint
that explains what is staged. The hook prepare-commit-msg, which 'git sage init
--git-hooks --trailer' adds, calls this with what git tells it. A message that
is empty, as before you write it in an editor, that of a merge or a squash, and
one that is used again stay as they are.`,
		Example: "git sage notes trailer .git/COMMIT_EDITMSG message",
		Args:    usage.RangeArgs(1, 3, "file", "source", "commit"),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 1 && args[1] != "message" && args[1] != "template" {
				return nil
			}
			return addTrailers(c.Context(), a, a.Path(args[0]))
		},
	}
}

// mostMessage bounds a message that is changed, in bytes.
const mostMessage = 1 << 20

func addTrailers(ctx context.Context, a *app.App, file string) error {
	message, err := a.ReadUpTo(mostMessage, file, "1 MiB")
	if err != nil {
		return err
	}
	m, err := a.Open(ctx)
	if err != nil {
		return err
	}
	next, err := m.Store.Notes.Next(ctx, a.Getenv("GIT_INDEX_FILE"))
	if err != nil {
		return err
	}
	comment, _, _ := m.Store.Repo.Config("core.commentchar")
	var lines []string
	for _, r := range next {
		lines = append(lines, "Sage-Checkpoint: "+r.ID)
	}
	text := withTrailers(string(message), comment, lines)
	if text == string(message) {
		return nil
	}
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		return fmt.Errorf("write '%s': %w", file, err)
	}
	return nil
}

// withTrailers adds lines to the trailers of a message, behind its text and before what git
// says in comments. Those that it has it has once.
func withTrailers(message, comment string, lines []string) string {
	if comment == "" || comment == "auto" {
		comment = "#"
	}
	end, trailers, begins := 0, false, false // of the paragraph at hand: whether it is all trailers; whether the next begins
	for at, l := range linesOf(message) {
		isComment := strings.HasPrefix(l, comment)
		if isComment && strings.Contains(l, " >8 ") {
			break
		}
		switch text := strings.TrimSpace(l); {
		case isComment:
		case text == "":
			begins = end > 0
		default:
			trailers = (trailers || begins) && isTrailer().MatchString(l)
			end, begins = at+len(l), false
		}
	}
	if end == 0 {
		return message
	}
	var add strings.Builder
	for _, l := range lines {
		if !strings.Contains("\n"+message, "\n"+l+"\n") {
			add.WriteString(l + "\n")
		}
	}
	if add.Len() == 0 {
		return message
	}
	text, rest := message[:end], message[end:]
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	if !trailers {
		text += "\n"
	}
	return text + add.String() + rest
}

// linesOf are the lines of a text with where each begins.
func linesOf(text string) func(yield func(int, string) bool) {
	return func(yield func(int, string) bool) {
		at := 0
		for l := range strings.Lines(text) {
			if !yield(at, l) {
				return
			}
			at += len(l)
		}
	}
}

var isTrailer = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^([A-Za-z0-9-]+: |\s+)\S`) })
