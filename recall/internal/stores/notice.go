package stores

import (
	"context"
	"strings"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/remedy"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/recall/brief"
)

// RemoteNotices say of each remote that has a memory of which something is not here what it has,
// and what takes it in. They ask no remote.
func (st *Stores) RemoteNotices(ctx context.Context) (said []remedy.Note) {
	for _, n := range st.Store.Remotes.Noticed(ctx) {
		said = append(said, st.NoticeOf(n))
	}
	return said
}

// NoticeOf says what a remote has that is not here.
func (st *Stores) NoticeOf(n gitstore.Noticed) remedy.Note {
	name, take := legible.OneLine(n.Remote), remedy.SyncRemote.On(gitstore.InShell(n.Remote))
	var what []string
	if n.Checkpoints > 0 {
		what = append(what, legible.Count(n.Checkpoints, "checkpoint"))
	}
	if n.Joined {
		if n.Knowledge {
			what = append(what, "changes of the knowledge")
		}
		return remedy.Note{Text: name + " has " + strings.Join(what, " and ") + " that are not here", Remedies: []remedy.Remedy{take}}
	}
	if n.Items > 0 {
		what = append(what, legible.Count(n.Items, "item"))
	}
	if !n.Last.IsZero() {
		what = append(what, "last saved "+brief.Age(st.Now().Sub(n.Last)))
	}
	return remedy.Note{Text: name + " has a memory (" + strings.Join(what, ", ") + ")", Remedies: []remedy.Remedy{take}}
}
