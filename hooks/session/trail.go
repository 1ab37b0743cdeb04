package session

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"

	"github.com/git-sage/git-sage/hooks/transcript"
)

// A Trail is the memo of a session and what its transcript tells. [Trail.Keep] is to be
// called when it is done with.
type Trail struct {
	Memo   Memo
	Digest *transcript.Digest
	Alone  bool // nobody else writes

	of   State
	done func()
	read bool // the digest knows something new
}

// Follow reads the trail of the session up to the end of its transcript; file is "" for the
// one that is known. It is nil without a transcript. What is read in part, since ctx ended
// or the file could not be read on, is a trail all the same.
func (s State) Follow(ctx context.Context, file string, cost *transcript.Cost) (*Trail, error) {
	t := &Trail{of: s}
	t.done, t.Alone = s.store.Session.LockKept(ctx)
	t.Memo = s.Memo()
	known := t.Memo.Transcript
	if file = cmp.Or(file, known); file == "" {
		t.done()
		return nil, nil
	}
	t.Memo.Transcript = file
	o := s.ReadOptions(cost)
	if t.Digest = transcript.New(o); file == known {
		t.Digest = s.digest(o)
	}
	err := t.ReadOn(ctx)
	t.forgetEnd()
	return t, err
}

// digest is what is known of the transcript so far.
func (s State) digest(o transcript.Options) *transcript.Digest {
	if d, err := transcript.Load(s.store.Session.Kept(digestPart), o); err == nil {
		return d
	}
	return transcript.New(o)
}

// Digest is what a transcript of the session tells, up to its end. What another event has
// read of it is not read again.
func (s State) Digest(ctx context.Context, file string, cost *transcript.Cost) (*transcript.Digest, error) {
	d := s.digest(s.ReadOptions(cost))
	return d, d.UpdateContext(ctx, file)
}

// ReadOn reads what the transcript has come to meanwhile.
func (t *Trail) ReadOn(ctx context.Context) error {
	at := t.Digest.Position
	err := t.Digest.UpdateContext(ctx, t.Memo.Transcript)
	t.read = t.read || t.Digest.Position != at
	return err
}

// forgetEnd takes back marks behind the end of the transcript: it is another one now.
func (t *Trail) forgetEnd() {
	end := t.Digest.Position.Offset
	for _, m := range []*Mark{&t.Memo.Saved, &t.Memo.Asked} {
		if m.Offset > end {
			*m = Mark{Checkpoint: m.Checkpoint}
		}
	}
	if slices.ContainsFunc(t.Memo.Waiting, func(r Reminder) bool { return r.Offset > end }) {
		t.Memo.Waiting = nil
	}
	if t.Memo.Filled > t.Digest.Window { // it was summarised, or cleared
		t.Memo.Filled = 0
	}
}

// Here is the end of the conversation as far as it is known.
func (t *Trail) Here(checkpoint string) Mark {
	return Mark{checkpoint, t.Digest.Position.Offset, t.Digest.Turns, t.Digest.Output}
}

// Settle takes note of what the session saved since the trail was kept: then what was
// counted begins anew. A checkpoint of somebody else that it loaded is no save.
func (t *Trail) Settle(ctx context.Context) {
	s := t.of.store
	_, seen := s.Session.Position()
	if seen == "" || seen == t.Memo.Saved.Checkpoint {
		return
	}
	switch r, err := s.Commits.Record(ctx, seen); {
	case err != nil: // the next event looks again
	case r.Session == s.Repo.Session():
		t.Memo.Saved = t.Here(seen)
	default:
		t.Memo.Saved.Checkpoint = seen
	}
}

// Keep writes down what is known and lets others at it. It is left to others if one of them
// was at it.
func (t *Trail) Keep() error {
	defer t.done()
	if !t.Alone {
		return nil
	}
	if t.read {
		b, err := json.Marshal(t.Digest)
		if err == nil {
			err = t.of.store.Session.Keep(digestPart, b)
		}
		if err != nil {
			return err
		}
	}
	return t.of.keep(memoPart, t.Memo)
}
