package hooks

import (
	"context"
	"encoding/json"
	"os"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/recall"
)

// KeepConversation lets the conversation that led to a checkpoint of the store's session
// be kept, by another process that nobody waits for, which later starts. It is for
// [recall.Memory.Kept]: it reads two small files and writes one. A session of which no
// hook ever heard has no transcript that is known, and nothing is kept of it.
func KeepConversation(m *recall.Memory, id string, later func(event string, in []byte) error) error {
	s := m.Store
	file := readMemo(s).Transcript
	st, err := os.Stat(file)
	if file == "" || err != nil || !st.Mode().IsRegular() || later == nil {
		return nil
	}
	if err := s.Want(gitstore.Wanted{Checkpoint: id, Transcript: file, Size: st.Size()}); err != nil {
		return err
	}
	in, err := json.Marshal(input{Session: s.Session(), Dir: s.Anchor()})
	if err != nil {
		return err
	}
	return later(Keeping, in)
}

// keepRest goes on with what a process was keeping that was killed, or the power failed.
func (e *event) keepRest(ctx context.Context) {
	list, err := e.mem.Store.Wanted()
	if err == nil && len(list) > 0 {
		err = e.later(ctx, Keeping)
	}
	e.report(err)
}

// keeping keeps the conversations that are wanted; what was wanted until its user switched
// that off is forgotten.
func (e *event) keeping(ctx context.Context) (string, error) {
	if e.mem.Settings != nil && e.mem.Settings().Transcripts == "off" {
		return "", e.mem.Store.ForgetWanted()
	}
	kept, err := e.mem.Store.KeepConversations(ctx, openTalk)
	e.cost.Add(int(kept.Bytes), kept.Took, kept.Found)
	return "", err
}
