package knowledge

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/pflag"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/cmd/internal/item"
	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/gitstore/sage"
)

// itemInput is where the text of an item comes from: a file, standard input, -m, or
// the editor.
type itemInput struct {
	messages []string
	edit     bool
	file     string // - is standard input
}

func (in *itemInput) flags(f *pflag.FlagSet) {
	f.StringArrayVarP(&in.messages, "message", "m", nil, "the content, as `text`; repeat it for more paragraphs")
	f.BoolVarP(&in.edit, "edit", "e", false, "open it in the editor first")
}

// take sets the file that an argument names, and decides what is meant if nothing was
// given: the editor for a person, standard input in a pipe.
func (in *itemInput) take(a *app.App, args []string, more bool) error {
	if len(args) > 0 {
		in.file = args[0]
	}
	switch {
	case in.messages != nil && in.file != "":
		return usage.Errorf("option '--message' cannot be used with a file")
	case len(args) > 0 && in.file == "":
		return usage.Errorf("the file name is empty; use - for standard input")
	case in.messages != nil || in.file != "" || in.edit || more:
		return nil
	}
	if in.edit = a.InputTTY(); !in.edit {
		in.file = "-"
	}
	return nil
}

// takeText is take of arguments that are the text itself, or, where they may be, one that
// names a file.
func (in *itemInput) takeText(a *app.App, args []string, fileToo, more bool) error {
	switch {
	case len(args) == 0:
	case strings.TrimSpace(strings.Join(args, "")) == "":
		return usage.Errorf("the text is empty")
	case fileToo && len(args) > 1 && (args[0] == "-" || a.IsFile(args[0])):
		return usage.Errorf("too many arguments: '%s'", args[1])
	case fileToo && len(args) == 1 && namesFile(a, args[0]):
		_, missing := os.Stat(a.Path(args[0]))
		err := in.take(a, args, more)
		if err == nil && args[0] != "-" && errors.Is(missing, fs.ErrNotExist) {
			err = exit.WithHint(fmt.Errorf("cannot read '%s': %w", args[0], errors.Unwrap(missing)), "give a text of one word with -m")
		}
		return err
	case in.file != "":
		return usage.Errorf("option '--file' cannot be used with a text")
	default:
		in.messages = append([]string{strings.Join(args, " ")}, in.messages...)
	}
	return in.take(a, nil, more)
}

// namesFile reports whether an argument that may be a text names a file instead: one that
// is there, standard input, or a word that is too short to be a text.
func namesFile(a *app.App, arg string) bool { return arg == "-" || a.IsFile(arg) || !usage.IsText(arg) }

// message is what -m says.
func (in *itemInput) message() string { return strings.Join(in.messages, "\n\n") }

// item reads what there is before the editor opens. A file may have front matter.
func (in *itemInput) item(a *app.App) (*sage.Item, error) {
	if in.file == "" {
		return &sage.Item{Content: in.message()}, nil
	}
	data, err := item.ReadFile(a, in.file)
	if err != nil {
		return nil, err
	}
	return item.Parse(in.file, data)
}

const itemHelp = `
Write what is to be remembered below the second '---'. An empty item aborts.

- id: lower-case letters, digits, '.', '_' and '-'; else made of the first line
- type: knowledge, preference, todo, reference or failure (a failure has
  approach, why_failed and learned)
- keywords: [a word, a phrase]; patterns: ['regexp']
- scope: skills: [...], paths: [...], always: true
`
