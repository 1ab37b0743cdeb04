package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/recall"
)

// itemInput is where the text of an item comes from: a file, standard input, -m, or
// the editor.
type itemInput struct {
	messages []string
	edit     bool
	file     string // - is standard input
}

func (in *itemInput) flags(f *pflag.FlagSet) {
	f.StringArrayVarP(&in.messages, "message", "m", nil, "the content as `text`; several are paragraphs")
	f.BoolVarP(&in.edit, "edit", "e", false, "open it in the editor first")
}

// take sets the file that an argument names, and decides what is meant if nothing was
// given: the editor for a person, standard input in a pipe.
func (in *itemInput) take(a *app, args []string, more bool) error {
	if len(args) > 0 {
		in.file = args[0]
	}
	switch {
	case in.messages != nil && in.file != "":
		return usagef("option '--message' cannot be used with a file")
	case len(args) > 0 && in.file == "":
		return usagef("the name of a file is empty; - is standard input")
	case in.messages != nil || in.file != "" || in.edit || more:
		return nil
	}
	if in.edit = a.inputTTY(); !in.edit {
		in.file = "-"
	}
	return nil
}

// message is what -m says.
func (in *itemInput) message() string { return strings.Join(in.messages, "\n\n") }

// item reads what there is before the editor opens. A file may have front matter.
func (in *itemInput) item(a *app) (*sage.Item, error) {
	if in.file == "" {
		return &sage.Item{Content: in.message()}, nil
	}
	data, err := a.readItemFile(in.file)
	if err != nil {
		return nil, err
	}
	return parseItemText(in.file, data)
}

// parseItemText reads an item, or the content of one, from a file.
func parseItemText(name string, data []byte) (*sage.Item, error) {
	it, err := sage.ParseItem(data)
	if err == nil {
		return it, nil
	}
	if name == "-" {
		name = "standard input"
	}
	return nil, withHint(fmt.Errorf("%s: %w", name, err), "nothing was saved; an item is Markdown in UTF-8, with or without front matter")
}

// maxItemFile is more than any item may have: the store says what is wrong with less.
const maxItemFile = 2*sage.MaxContent + 1<<16

func (a *app) readItemFile(name string) ([]byte, error) {
	return a.readUpTo(maxItemFile, name, fmt.Sprintf("%d MiB: split it into several items, or keep it as a file and save what matters of it", sage.MaxContent>>20))
}

// errEmptyItem says that nothing was written into the form.
var errEmptyItem = errors.New("the item is empty")

// editItem lets a person write an item, and saves it. What was written is kept if that
// does not succeed; again says how to go on with it then.
func (a *app) editItem(ctx context.Context, m *recall.Memory, form, help, again string, save func(*sage.Item) error) error {
	b, err := newEditBuffer(editFolder(m), form, help)
	if err != nil {
		return err
	}
	b.blank = form == blankItem
	text, err := b.edit(ctx, a)
	if err != nil {
		return b.kept(err)
	}
	it, err := sage.ParseItem([]byte(text))
	if err == nil && isEmptyItem(it) {
		err = errEmptyItem
	}
	if err == nil {
		err = save(it)
	}
	switch {
	case errors.Is(err, errEmptyItem):
		b.remove()
		a.say("aborting: %v", err)
		return errNo
	case err != nil && !errors.Is(err, errNo):
		return withHint(err, "what you wrote is kept: %s '%s'", again, b.path)
	}
	b.remove()
	return err
}

func isEmptyItem(it *sage.Item) bool {
	return strings.TrimSpace(it.Content+it.Approach+it.Description) == ""
}

// blankItem is an item with nothing in it but places to write.
const blankItem = `---
id:
type: knowledge
keywords: []
source:
---

`

const itemHelp = `
Write what is to be remembered below the second '---'. An empty item aborts.

- id: lower-case letters, digits, '.', '_' and '-'; else made of the first line
- type: knowledge, preference, todo, reference or failure (a failure has
  approach, why_failed and learned)
- keywords: [a word, a phrase]; patterns: ['regexp']
- scope: skills: [...], paths: [...], always: true
`
