package item

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/editor"
	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/codec"
	"github.com/git-sage/git-sage/recall"
)

// Parse reads an item, or the content of one, from a file.
func Parse(name string, data []byte) (*sage.Item, error) {
	it, err := codec.ParseItem(data)
	if err == nil {
		return it, nil
	}
	if name == "-" {
		name = "standard input"
	}
	return nil, exit.WithHint(fmt.Errorf("%s: %w", name, err), "nothing was saved; an item is Markdown in UTF-8, with or without front matter")
}

// maxItemFile is more than any item may have: the store says what is wrong with less.
const maxItemFile = 2*sage.MaxContent + 1<<16

// ReadFile reads the file of an item, or standard input if the name is "-".
func ReadFile(a *app.App, name string) ([]byte, error) {
	return a.ReadUpTo(maxItemFile, name, fmt.Sprintf("%d MiB: split it into several items, or keep it as a file and save what matters of it", sage.MaxContent>>20))
}

// errEmptyItem says that nothing was written into the form.
var errEmptyItem = errors.New("the item is empty")

// EditNew lets a person write an item, and saves it. What was written is kept if that
// does not succeed; again says how to go on with it then.
func EditNew(ctx context.Context, a *app.App, m *recall.Memory, form, help, again string, save func(*sage.Item) error) error {
	b, err := editor.New(m.Store.Repo.Folder(), form, help)
	if err != nil {
		return err
	}
	b.Blank = form == Blank
	text, err := b.Edit(ctx, &a.Terminal)
	if err != nil {
		return b.Kept(err)
	}
	it, err := codec.ParseItem([]byte(text))
	if err == nil && IsEmpty(it) {
		err = errEmptyItem
	}
	if err == nil {
		err = save(it)
	}
	switch {
	case errors.Is(err, errEmptyItem):
		b.Remove()
		a.Say("aborting: %v", err)
		return exit.ErrNo
	case err != nil && !errors.Is(err, exit.ErrNo):
		return exit.WithHint(err, "your text is kept: %s '%s'", again, b.Path)
	}
	b.Remove()
	return err
}

// IsEmpty reports whether an item says nothing.
func IsEmpty(it *sage.Item) bool {
	return strings.TrimSpace(it.Content+it.Approach+it.Description) == ""
}

// Blank is an item with nothing in it but places to write.
const Blank = `---
id:
type: knowledge
keywords: []
source:
---

`
