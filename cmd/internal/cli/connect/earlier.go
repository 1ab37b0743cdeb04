package connect

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/imports/claudesage"
	"github.com/git-sage/git-sage/recall"
)

// ImportClaudeSage is the command that brings in what claude-sage kept.
const ImportClaudeSage = "git sage import claude-sage"

// LeftBehind names the folders in which claude-sage kept a memory that was not brought in. A
// folder .sage may as well be git-sage's own.
func LeftBehind(ctx context.Context, a *app.App, m *recall.Memory) []string {
	var list []string
	look := func(s *gitstore.Store, dir string) {
		if !claudesage.Has(dir) {
			return
		}
		if s != nil {
			if known, err := s.Review.BroughtIn(); err != nil || len(known) > 0 {
				return // an import will say what is new
			}
		}
		list = append(list, "'"+filepath.ToSlash(a.Homely(dir))+"'")
	}
	own := m.Stores.IsOwn()
	if top := m.Store.Repo.Top(); top != "" && !own {
		look(m.Store, filepath.Join(top, ".sage"))
	}
	if home := a.HomeFolder(); home != "" {
		s := m.Store
		if !own {
			var err error
			if s, err = m.Stores.Own(ctx); err != nil {
				return list
			}
		}
		look(s, filepath.Join(home, ".sage"))
	}
	return list
}

// hintLeftBehind says what brings in the memory of the tool before us.
func hintLeftBehind(ctx context.Context, a *app.App, m *recall.Memory) {
	if list := LeftBehind(ctx, a, m); len(list) > 0 {
		a.Hint("claude-sage kept a memory in %s: '%s' brings it in", strings.Join(list, " and "), ImportClaudeSage)
	}
}
