package session

import (
	"context"
	"encoding/json"
	"time"

	"github.com/git-sage/git-sage/gitstore"
)

// A Memo is what every event reads of a session.
type Memo struct {
	Format     int       `json:"format"`
	Transcript string    `json:"transcript,omitempty"`
	Saved      Mark      `json:"saved,omitzero"`    // when it saved last
	Asked      Mark      `json:"asked,omitzero"`    // when it was asked to, last
	AskedAt    time.Time `json:"asked_at,omitzero"` // by the clock
	Filled     int       `json:"filled,omitempty"`  // tokens in the window when that was what was asked for
	FilledAt   time.Time `json:"filled_at,omitzero"`
	Told       []string  `json:"told,omitempty"` // keys and words of conclusions that were pointed out

	Waiting []Reminder `json:"waiting,omitempty"` // what the next prompt tells, the oldest first
}

// memoFormat tells memos apart that mean something else by the same words.
const memoFormat = 1

// A Mark is a place in a conversation, by what its digest counted until then.
type Mark struct {
	Checkpoint string `json:"checkpoint,omitempty"` // that the session last saw there
	Offset     int64  `json:"offset,omitempty"`     // bytes of the transcript
	Turns      int    `json:"turns,omitempty"`
	Output     int    `json:"output,omitempty"` // tokens
}

// A Reminder is a moment worth saving that waits for the next prompt.
type Reminder struct {
	Said   string    `json:"said,omitempty"` // the sentence to save; "" where there is none
	Why    string    `json:"why"`
	Key    string    `json:"key,omitempty"`   // of the conclusion
	Saved  string    `json:"saved,omitempty"` // the checkpoint last seen at Offset
	Offset int64     `json:"offset"`          // of the transcript
	Time   time.Time `json:"time"`
}

// Memo is the memo of the session; one that is damaged begins anew.
func (s State) Memo() Memo { return parseMemo(s.store.Session.Kept(memoPart)) }

func parseMemo(b []byte) (m Memo) {
	if json.Unmarshal(b, &m) != nil || m.Format != memoFormat {
		return Memo{Format: memoFormat}
	}
	return m
}

// change replaces the memo by what to makes of it. ok is false if another process is at it:
// then nothing is changed.
func (s State) change(ctx context.Context, to func(Memo) Memo) (ok bool, err error) {
	done, alone := s.store.Session.LockKept(ctx)
	defer done()
	if !alone {
		return false, nil
	}
	return true, s.keep(memoPart, to(s.Memo()))
}

// NoteTranscript remembers where the session's transcript is, for who saves on its behalf.
// With another transcript the conversation begins anew.
func (s State) NoteTranscript(ctx context.Context, file string) error {
	if s.store.Repo.Session() == "" || s.Memo().Transcript == file {
		return nil
	}
	_, err := s.change(ctx, func(m Memo) Memo {
		if m.Transcript == file {
			return m
		}
		return Memo{Format: memoFormat, Transcript: file, Saved: Mark{Checkpoint: m.Saved.Checkpoint}}
	})
	return err
}

// NoteSaved moves the mark of the last save. If another process is at it the next event
// finds out.
func (s State) NoteSaved(at Mark) error {
	_, err := s.change(context.Background(), func(m Memo) Memo {
		m.Saved = at
		return m
	})
	return err
}

// NoteSavedUntil notes that a checkpoint holds the conversation up to an offset: what was
// said behind that nobody saved yet. Events hold the lock for some milliseconds each.
func (s State) NoteSavedUntil(ctx context.Context, checkpoint string, offset int64) error {
	note := func(m Memo) Memo {
		m.Saved.Checkpoint, m.Saved.Offset = checkpoint, offset
		return m
	}
	const tries = 50
	for range tries {
		if ok, err := s.change(ctx, note); ok {
			return err
		} else if ctx.Err() != nil {
			break
		}
	}
	return s.keep(memoPart, note(s.Memo()))
}

// SavedAt is where in the transcript a checkpoint was saved, if the session remembers that;
// else 0.
func (s State) SavedAt(checkpoint string) int64 {
	if at := s.Memo().Saved; at.Checkpoint == checkpoint {
		return at.Offset
	}
	return 0
}

// ForgetReminders takes out of the memo what the agent was told.
func (s State) ForgetReminders() error {
	_, err := s.change(context.Background(), func(m Memo) Memo {
		m.Waiting = nil
		return m
	})
	return err
}

// NoteImported remembers, of a session that ended before there was a memory of it, where its
// transcript is and what was saved of it. If it is resumed, it goes on from there.
func NoteImported(s *gitstore.Store, session, file string, saved Mark) error {
	b, err := json.Marshal(Memo{Format: memoFormat, Transcript: file, Saved: saved})
	if err != nil {
		return err
	}
	return s.Session.KeepOf(session, memoPart, append(b, '\n'))
}
