package cli

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/cmd/internal/item"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage/naming"
	"github.com/git-sage/git-sage/internal/lists"
	"github.com/git-sage/git-sage/recall"
)

// hintMeant says which line, fork, tag, note or skill was probably meant by a name that
// nothing has, or that an item has it. For ids of items see [item.Missing].
func hintMeant(ctx context.Context, a *app.App, err error) error {
	if a.Memory == nil {
		return err
	}
	var missing *gitstore.NotFoundError
	var noItem *gitstore.NoItemError
	name, names := "", []string(nil)
	switch {
	case errors.As(err, &missing) && missing.Kind == "checkpoint on line":
	case errors.As(err, &missing):
		if _, ierr := a.Memory.Knowledge.Item(ctx, missing.Name); missing.Kind == "" && ierr == nil {
			return exit.WithHint(err, "an item has that name: git sage knowledge show %s", missing.Name)
		}
		name, _, _ = strings.Cut(missing.Name, "~")
		names = revNames(ctx, a.Memory.Store, missing.Kind)
	case errors.As(err, &noItem) && noItem.Kind == "skill":
		name = noItem.ID
		names, _ = a.Memory.Skills.Names(ctx, app.SkillFolders(a, a.Memory)...)
	case errors.As(err, &noItem) && noItem.When == "" && item.KeyName(noItem.ID) != noItem.ID:
		name = item.KeyName(noItem.ID)
		folder := strings.TrimSuffix(noItem.ID, "/"+name)
		known, _ := a.Memory.Knowledge.ItemsUnder(ctx, folder)
		names = lists.Map(known, func(k recall.Known) string { return item.KeyName(k.Key) })
	}
	names = slices.DeleteFunc(names, func(n string) bool { return n == name }) // a line of which there is a fork alone
	if near := naming.Nearest(name, names); near != "" {
		return exit.WithHint(err, "did you mean '%s'?", near)
	}
	return err
}

// revNames are the names that a revision, or one of a kind, may have.
func revNames(ctx context.Context, s *gitstore.Store, kind string) (names []string) {
	if kind != "tag" {
		lines, _ := s.Lines.List(ctx)
		names = lists.Map(lines, func(l gitstore.Line) string { return l.Name })
	}
	if kind == "" || kind == "tag" {
		tags, _ := s.Lines.Tags(ctx)
		names = append(names, lists.Map(tags, func(t gitstore.Tag) string { return t.Name })...)
	}
	return names
}
