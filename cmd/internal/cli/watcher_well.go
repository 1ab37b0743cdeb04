package cli

import (
	"context"

	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/hooks/plugin"
)

// watcherWell says whether the watcher runs, and what is wrong with it or its plugins.
func (a *app) watcherWell(ctx context.Context) (all []gitstore.Diagnosis) {
	d := gitstore.Diagnosis{Name: "watcher", State: gitstore.StateOK}
	st, err := a.watcher().Settled(ctx)
	switch {
	case err != nil:
		d.State, d.Detail = gitstore.StateWarning, exit.Message(err)
	case st.Held != "":
		d.State, d.Detail = gitstore.StateWarning, a.watcherLine(st)
	case st.Running && st.Silent, !st.Running && len(st.Stale) > 0:
		d.State, d.Detail, d.Cure = gitstore.StateWarning, a.watcherLine(st), "git sage watcher stop"
	default:
		d.Detail = a.watcherLine(st)
	}
	if _, err := plugin.Load(a.home()); err != nil {
		all = append(all, gitstore.Diagnosis{Name: "plugins", State: gitstore.StateWarning, Detail: exit.Message(err)})
	}
	return append(all, d)
}
