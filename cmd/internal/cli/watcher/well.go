package watcher

import (
	"context"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/hooks/plugin"
	"github.com/git-sage/git-sage/internal/hint"
)

// Well says whether the watcher runs, and what is wrong with it or its plugins.
func Well(ctx context.Context, a *app.App) (all []gitstore.Diagnosis) {
	d := gitstore.Diagnosis{Name: "watcher", State: gitstore.StateOK}
	st, err := watcherPlace(a).Status(ctx)
	switch {
	case err != nil:
		d.State, d.Detail = gitstore.StateWarning, exit.Message(err)
	case len(st.Stale) > 0:
		d.State, d.Detail, d.Cure = gitstore.StateWarning, watcherLine(a, st), hint.Typed("git sage watcher stop")
	default:
		d.Detail, d.Unused = watcherLine(a, st), !st.Running
	}
	if _, err := plugin.Load(a.Home()); err != nil {
		all = append(all, gitstore.Diagnosis{Name: "plugins", State: gitstore.StateWarning, Detail: exit.Message(err)})
	}
	return append(all, d)
}
