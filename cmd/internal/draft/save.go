package draft

import (
	"context"
	"errors"
	"slices"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/recall"
	"github.com/git-sage/git-sage/recall/save"
)

// A finish turns what was written into what is to be saved, or says why not.
type finish func(*sage.Checkpoint) (save.Note, error)

// SaveNow saves what was given; again is the command line that would give a thesis.
func SaveNow(ctx context.Context, a *app.App, m *recall.Memory, c *sage.Checkpoint, f finish, again string, quiet bool) (gitstore.Saved, error) {
	if isEmpty(c) {
		return gitstore.Saved{}, exit.WithHint(errors.New("nothing to save"), "state a thesis: %s", again)
	}
	note, err := f(c)
	if err != nil {
		return gitstore.Saved{}, err
	}
	kept := keptFromInterrupt(ctx, a, m, c)
	saved, err := saveNote(ctx, a, m, note)
	kept(err == nil)
	if err != nil {
		return gitstore.Saved{}, err
	}
	return saved, printSaved(a, saved, quiet)
}

// saveNote saves, and names the files of references given just now that are not there.
func saveNote(ctx context.Context, a *app.App, m *recall.Memory, note save.Note) (gitstore.Saved, error) {
	given, before := slices.Clone(note.Draft.Checkpoint.CodeRefs), note.Draft.Before
	saved, err := m.Save.Checkpoint(ctx, note)
	if err != nil {
		return saved, err
	}
	for _, r := range given {
		file, err := m.Store.Repo.PathInside(r.File)
		if err != nil || slices.Contains(before, r) {
			continue
		}
		if !app.Exists(m, file) {
			a.Warn("no file '%s'; paths of code references are relative to the root of the repository", file)
		} else if n, ok := m.Store.Repo.FileLines(file); ok && r.Lines[1] > n {
			a.Warn("'%s' has %s, and no line %d", file, legible.Count(n, "line"), r.Lines[1])
		}
	}
	return saved, nil
}
