package stores

import (
	"context"
	"strings"
	"time"

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

// remoteTime is what a remote may take to say whether it has a memory, while somebody waits.
const remoteTime = 3 * time.Second

// AskRemote asks the remote, if that is due and nobody took in before what it has, whether it has
// a memory. One that does not answer is asked again in the background.
func (st *Stores) AskRemote(ctx context.Context) {
	s := st.Store.Remotes
	if !s.DueToFetch(gitstore.Auto(st.Settings().SyncAuto)) {
		return
	}
	if name, err := s.Default(ctx); err == nil && !s.SaidOf(name).Joined {
		_ = s.Notice(ctx, name, gitstore.RemoteWay{Background: true, Silence: remoteTime, Time: remoteTime})
	}
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
		return remedy.Note{Text: name + " has something new (" + strings.Join(what, " and ") + ")", Remedies: []remedy.Remedy{take}}
	}
	if n.Items > 0 {
		what = append(what, legible.Count(n.Items, "item"))
	}
	if !n.Last.IsZero() {
		what = append(what, "last saved "+brief.Age(st.Now().Sub(n.Last)))
	}
	return remedy.Note{Text: name + " has a memory (" + strings.Join(what, ", ") + ")", Remedies: []remedy.Remedy{take}}
}
