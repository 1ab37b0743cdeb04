package item

import (
	"context"
	"errors"
	"slices"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/internal/lists"
	"github.com/git-sage/git-sage/recall"
)

// Remove removes what has these keys, and says how each comes back.
func Remove(ctx context.Context, a *app.App, keys []string, quiet bool) error {
	m, err := a.Open(ctx)
	if err != nil {
		return err
	}
	changes := lists.Map(keys, func(id string) recall.ItemChange {
		return recall.ItemChange{ItemChange: gitstore.ItemChange{Key: listedKey(ctx, m, id), Remove: true}}
	})
	written, err := m.Write.Items(ctx, "", changes...)
	if err != nil {
		return missingRemoved(ctx, m, err)
	}
	return PrintRemoved(ctx, a, m, lists.Map(changes, func(c recall.ItemChange) string { return c.Key }), written, quiet)
}

// PrintRemoved prints what became of items that were to go, and how they come back.
func PrintRemoved(ctx context.Context, a *app.App, m *recall.Memory, keys []string, written []recall.Written, quiet bool) error {
	if err := PrintWritten(a, "changed", keys, written, quiet); err != nil || quiet || a.JSON {
		return err
	}
	for _, w := range written {
		for _, key := range w.Removed {
			sayRemoved(ctx, a, m, w, key)
		}
		hintRemoved(a, w)
	}
	return nil
}

// listedKey is the key of what a list shows under an id: a note stands there by its name.
func listedKey(ctx context.Context, m *recall.Memory, id string) string {
	if _, err := m.Knowledge.Item(ctx, id); exit.IsNotFound(err) {
		if _, err := m.Knowledge.Item(ctx, Note.Key(id)); err == nil {
			return Note.Key(id)
		}
	}
	return id
}

// hintRemoved says how what was just removed from a store comes back to it.
func hintRemoved(a *app.App, w recall.Written) {
	global, it := "", "it"
	if w.Own {
		global = " --global"
	}
	switch {
	case len(w.Removed) == 0:
		return
	case len(w.Removed) > 1:
		it = "them"
	}
	act := ""
	if w.Commit != "" { // else it is the last one
		act = " " + a.Short(w.Commit)
	}
	a.Hint("'git sage undo%s%s' brings %s back", global, act, it)
}

// missingRemoved is Missing of what was to be removed: it may be of another kind.
func missingRemoved(ctx context.Context, m *recall.Memory, err error) error {
	var missing *gitstore.NoItemError
	if !errors.As(err, &missing) {
		return err
	}
	files, _ := m.Store.Knowledge.CoreFiles(ctx)
	if slices.ContainsFunc(files, func(f gitstore.CoreFile) bool { return f.Path == missing.ID }) {
		return exit.WithHint(err, "it is a core file: 'git sage core rm %s' unmarks it", gitstore.InShell(missing.ID))
	}
	if _, rerr := m.Store.Commits.Record(ctx, missing.ID); rerr == nil {
		return exit.WithHint(err, "it is a checkpoint: 'git sage checkpoint rm %s' removes it", gitstore.InShell(missing.ID))
	}
	return Missing(ctx, m, err)
}

// sayRemoved says whose an item was that was just removed, and which one counts in its
// place.
func sayRemoved(ctx context.Context, a *app.App, m *recall.Memory, w recall.Written, key string) {
	if w.Commit == "" { // only this user's word was missing
		a.Say("'%s' was removed elsewhere before, and now it is gone here as well", KeyName(key))
	}
	if w.Own && !a.Global {
		a.Say("'%s' was in your own store, for every repository", KeyName(key))
	}
	if k, err := m.Knowledge.Item(ctx, key); err == nil && k.Own && !w.Own {
		a.Say("your own item '%s' applies now; 'git sage forget --global %s' removes it", KeyName(key), KeyName(key))
	}
}
