package hooks

import (
	"cmp"
	"context"
	"encoding/json"
	"time"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/hooks/transcript"
	"github.com/git-sage/git-sage/hooks/trigger"
)

// The parts of what is kept of a session, see [gitstore.Store.Keep]: a memo is small and
// read by every event, a digest has up to 300 kB.
const (
	memoPart   = "memo"
	digestPart = "digest"
)

// A memo is what hooks remember of a session from one event to the next.
type memo struct {
	Format     int       `json:"format"`
	Transcript string    `json:"transcript,omitempty"`
	Saved      mark      `json:"saved,omitzero"`    // when it saved last
	Asked      mark      `json:"asked,omitzero"`    // when it was asked to, last
	AskedAt    time.Time `json:"asked_at,omitzero"` // by the clock
	Filled     int       `json:"filled,omitempty"`  // tokens in the window when that was what was asked for
	FilledAt   time.Time `json:"filled_at,omitzero"`
	Told       []string  `json:"told,omitempty"` // keys of conclusions that were pointed out
}

// memoFormat tells memos apart that mean something else by the same words.
const memoFormat = 1

// A mark is a place in a conversation, by what its digest counted until then.
type mark struct {
	Checkpoint string `json:"checkpoint,omitempty"` // that the session last saw there
	Offset     int64  `json:"offset,omitempty"`     // bytes of the transcript
	Turns      int    `json:"turns,omitempty"`
	Output     int    `json:"output,omitempty"` // tokens
}

// A trail is what is known of a session: the memo, and what its transcript tells.
type trail struct {
	s      *gitstore.Store
	memo   memo
	digest *transcript.Digest
	done   func()
	alone  bool // nobody else writes
	read   bool // the digest knows something new
	cost   *transcript.Cost
	near   func() *float64 // how near the last message is to those before; nil is not known
	encode trigger.Encode  // for a second opinion on what was said; nil is none
}

// readMemo is the memo of the store's session.
func readMemo(s *gitstore.Store) memo { return parseMemo(s.Kept(memoPart)) }

// parseMemo reads a memo; one that is damaged begins anew.
func parseMemo(b []byte) (m memo) {
	if json.Unmarshal(b, &m) != nil || m.Format != memoFormat {
		return memo{Format: memoFormat}
	}
	return m
}

// follow reads the trail of the store's session up to the end of its transcript; file
// is "" for the one that is known. It is nil without a transcript. What is read in part,
// since ctx ended or the file could not be read on, is a trail all the same.
func follow(ctx context.Context, s *gitstore.Store, file string, c *transcript.Cost) (*trail, error) {
	t := &trail{s: s, cost: c}
	t.done, t.alone = s.LockKept(ctx)
	t.memo = readMemo(s)
	if file = cmp.Or(file, t.memo.Transcript); file == "" {
		t.done()
		return nil, nil
	}
	t.digest = t.kept(file)
	t.memo.Transcript = file
	at := t.digest.Position
	err := t.digest.UpdateContext(ctx, file)
	t.read = t.digest.Position != at
	t.forgetEnd()
	return t, err
}

// kept is the digest as far as it is known; of another transcript it is empty.
func (t *trail) kept(file string) *transcript.Digest {
	o := transcript.Options{Root: t.s.Top(), SHA256: t.s.SHA256(), Redact: t.s.Redactor(), Cost: t.cost}
	if file == t.memo.Transcript {
		if d, err := transcript.Load(t.s.Kept(digestPart), o); err == nil {
			return d
		}
	}
	return transcript.New(o)
}

// forgetEnd takes back marks behind the end of the transcript: it is another one now.
func (t *trail) forgetEnd() {
	end := t.digest.Position.Offset
	for _, m := range []*mark{&t.memo.Saved, &t.memo.Asked} {
		if m.Offset > end {
			*m = mark{Checkpoint: m.Checkpoint}
		}
	}
	if t.memo.Filled > t.digest.Window { // it was summarised, or cleared
		t.memo.Filled = 0
	}
}

// here is the end of the conversation as far as it is known.
func (t *trail) here(checkpoint string) mark {
	return mark{checkpoint, t.digest.Position.Offset, t.digest.Turns, t.digest.Output}
}

// settle takes note of what the session saved since the trail was kept: then what was
// counted begins anew. A checkpoint of somebody else that it loaded is no save.
func (t *trail) settle(ctx context.Context) {
	_, seen := t.s.Position()
	if seen == "" || seen == t.memo.Saved.Checkpoint {
		return
	}
	switch r, err := t.s.Record(ctx, seen); {
	case err != nil: // the next event looks again
	case r.Session == t.s.Session():
		t.memo.Saved = t.here(seen)
	default:
		t.memo.Saved.Checkpoint = seen
	}
}

// keep writes down what is known. It is left to others if one of them was at it.
func (t *trail) keep() error {
	defer t.done()
	if !t.alone {
		return nil
	}
	if t.read {
		b, err := json.Marshal(t.digest)
		if err == nil {
			err = t.s.Keep(digestPart, b)
		}
		if err != nil {
			return err
		}
	}
	return keepMemo(t.s, t.memo)
}

func keepMemo(s *gitstore.Store, m memo) error {
	b, err := json.Marshal(m)
	if err != nil {
		return err
	}
	return s.Keep(memoPart, append(b, '\n'))
}

// noteTranscript remembers where the session's transcript is, for who saves on its behalf.
func (e *event) noteTranscript(ctx context.Context) error {
	s, file := e.mem.Store, e.input.transcript()
	if file == "" || s.Session() == "" || e.input.Agent != "" || readMemo(s).Transcript == file {
		return nil
	}
	done, alone := s.LockKept(ctx)
	defer done()
	m := readMemo(s)
	if !alone || m.Transcript == file {
		return nil
	}
	return keepMemo(s, memo{Format: memoFormat, Transcript: file, Saved: mark{Checkpoint: m.Saved.Checkpoint}})
}
