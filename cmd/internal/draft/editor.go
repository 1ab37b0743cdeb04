package draft

import (
	"context"
	"errors"
	"strings"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/editor"
	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/template"
	"github.com/git-sage/git-sage/recall"
)

// SaveEdited lets the person write the checkpoint. What was written is kept in
// a file if it cannot be saved, which again, the command line up to the file, goes on with.
func SaveEdited(ctx context.Context, a *app.App, m *recall.Memory, c *sage.Checkpoint, f finish, again string, quiet bool) error {
	own, help := templateHelp(ctx, m, c.Template)
	b, err := editor.New(m.Store.Repo.Folder(), draftText(c, own), editHelp+help)
	if err != nil {
		return err
	}
	b.Blank = isEmpty(c)
	text, err := b.Edit(ctx, &a.Terminal)
	if err != nil {
		return b.Kept(err)
	}
	saved, err := saveText(ctx, a, m, text, f)
	switch {
	case errors.Is(err, exit.ErrNo):
		b.Remove()
		return err
	case err != nil:
		return exit.WithHint(err, "your text is kept: %s '%s'", again, b.Path)
	}
	b.Remove()
	return printSaved(a, saved, quiet)
}

// templateHelp is what the form has to know of a template: its own fields, and
// what it needs. One that is not there is judged by the save.
func templateHelp(ctx context.Context, m *recall.Memory, name string) ([]template.Field, string) {
	if name == "" {
		return nil, ""
	}
	set, _ := m.Templates.List(ctx)
	t, err := set.Lookup(name)
	if err != nil {
		return nil, ""
	}
	var needs []string
	for _, f := range t.Required {
		needs = append(needs, f.Name)
	}
	return t.Own(), "\nThe template '" + name + "' needs: " + strings.Join(needs, ", ") + "\n"
}

func saveText(ctx context.Context, a *app.App, m *recall.Memory, text string, f finish) (gitstore.Saved, error) {
	c, err := Parse([]byte(text))
	if err != nil {
		return gitstore.Saved{}, err
	}
	if withoutEmpty(c); isEmpty(c) {
		a.Say("aborting: the checkpoint is empty")
		return gitstore.Saved{}, exit.ErrNo
	}
	note, err := f(c)
	if err != nil {
		return gitstore.Saved{}, err
	}
	return saveNote(ctx, a, m, note)
}
