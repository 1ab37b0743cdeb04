package checkpoint

import (
	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/wire"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
)

// showJSON prints c with what its commit knows.
func showJSON(a *app.App, c *sage.Checkpoint, r gitstore.Record, trace *wire.Trace, states []sage.RefState) error {
	o := wire.CheckpointOf(c, states)
	o.Names, o.Removed, o.Refused, o.Trace = r.Names, r.Removed, r.Refused, trace
	return a.PrintJSON(o)
}
