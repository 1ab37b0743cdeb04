package stores

import (
	"context"
	"fmt"
	"strings"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/recall/brief"
)

// RemoteNotice says of each remote that has a memory of which something is not here what it has,
// and what takes it in: a line each, "" for none. It asks no remote.
func (st *Stores) RemoteNotice(ctx context.Context) string {
	var said []string
	for _, n := range st.Store.Remotes.Noticed(ctx) {
		said = append(said, st.NoticeText(n))
	}
	return strings.Join(said, "\n")
}

// NoticeText says what a remote has that is not here.
func (st *Stores) NoticeText(n gitstore.Noticed) string {
	name := legible.OneLine(n.Remote)
	var what []string
	if n.Checkpoints > 0 {
		what = append(what, legible.Count(n.Checkpoints, "checkpoint"))
	}
	take := fmt.Sprintf("'git sage sync %s' takes it in", gitstore.InShell(n.Remote))
	if n.Joined {
		if n.Knowledge {
			what = append(what, "changes of the knowledge")
		}
		return fmt.Sprintf("%s has %s that are not here: %s", name, strings.Join(what, " and "), take)
	}
	if n.Items > 0 {
		what = append(what, legible.Count(n.Items, "item"))
	}
	if !n.Last.IsZero() {
		what = append(what, "last saved "+brief.Age(st.Now().Sub(n.Last)))
	}
	return fmt.Sprintf("%s has a memory (%s): %s", name, strings.Join(what, ", "), take)
}
