package autosave

import (
	"context"
	"encoding/json"
	"os"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/hooks/session"
)

// KeepConversation lets the conversation that led to a checkpoint of the store's session
// be kept, by another process that nobody waits for, which later starts. It is for
// [recall.Options]: it reads two small files and writes one. A session of which no
// hook ever heard has no transcript that is known, and nothing is kept of it.
func KeepConversation(s *gitstore.Store, id string, later func(event string, in []byte) error) error {
	file := session.Of(s).Memo().Transcript
	st, err := os.Stat(file)
	if file == "" || err != nil || !st.Mode().IsRegular() || later == nil {
		return nil
	}
	if err := s.Transcripts.Want(gitstore.Wanted{Checkpoint: id, Transcript: file, Size: st.Size()}); err != nil {
		return err
	}
	in, err := json.Marshal(order{Session: s.Repo.Session(), Dir: s.Repo.Anchor()})
	if err != nil {
		return err
	}
	return later(Keeping, in)
}

// keepRest goes on with what a process was keeping that was killed, or the power failed.
func (a *Agent) keepRest(ctx context.Context) {
	list, err := a.Memory.Store.Transcripts.Wanted()
	if err == nil && len(list) > 0 {
		err = a.later(ctx, Keeping)
	}
	a.Report(err)
}

// keepConversations keeps the conversations that are wanted; what was wanted until its user
// switched that off is forgotten.
func (a *Agent) keepConversations(ctx context.Context) error {
	if a.Memory.Stores.Settings().Transcripts == "off" {
		return a.Memory.Store.Transcripts.ForgetWanted()
	}
	kept, err := a.Memory.Store.Transcripts.KeepConversations(ctx, openTalk)
	a.Cost.Add(int(kept.Bytes), kept.Took, kept.Found)
	return err
}
