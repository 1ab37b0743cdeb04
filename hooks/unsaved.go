package hooks

import (
	"context"
	"errors"
	"io"
	"math"
	"slices"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/hooks/plugin"
	"github.com/git-sage/git-sage/hooks/salience"
	"github.com/git-sage/git-sage/hooks/transcript"
	"github.com/git-sage/git-sage/recall"
)

// A loss is what would be lost of a session.
type loss struct {
	*sage.Checkpoint
	after string // id of what somebody saved last in the session; "" is nothing
	id    string // as which it was saved
}

// saveUnsaved saves what the store's session came to since its last checkpoint. It is nil
// if that is nothing that is worth it.
func saveUnsaved(ctx context.Context, m *recall.Memory, file string, why sage.Trigger, cost *transcript.Cost) (*loss, error) {
	done := m.Store.Alone(ctx)
	defer done()
	l, err := unsaved(ctx, m, file, why, cost)
	if err != nil || l == nil {
		return nil, err
	}
	saved, err := m.Save(ctx, recall.Note{Draft: gitstore.Draft{Checkpoint: *l.Checkpoint, Automatic: true}, Unasked: true})
	if errors.Is(err, recall.ErrShallow) || errors.Is(err, recall.ErrRepeats) {
		return nil, nil
	}
	l.id = saved.ID
	return l, err
}

// unsaved is what the store's session said in a transcript and did not save; nil if that
// is nothing that is worth it.
func unsaved(ctx context.Context, m *recall.Memory, file string, why sage.Trigger, cost *transcript.Cost) (*loss, error) {
	d, err := digested(ctx, m.Store, file, cost)
	if err != nil || len(d.Texts) == 0 {
		return nil, err
	}
	s, l, err := savedBefore(ctx, m)
	if err != nil {
		return nil, err
	}
	s.Digest, s.First, s.Summary, s.Threshold = d, firstAsked(m, d, file), lastSummary(m.Store, s.Since), threshold(m)
	if l.Checkpoint = salience.Checkpoint(s, why); l.Checkpoint == nil {
		return nil, nil
	}
	return &l, nil
}

// threshold is salience_threshold of plugins.yaml. Of a broken one the watcher tells, and
// doctor.
func threshold(m *recall.Memory) float64 {
	c, _ := plugin.Load(m.Home)
	if c.Salience == nil {
		return 0 // the default
	}
	return max(*c.Salience, math.SmallestNonzeroFloat64)
}

// digested is what the transcript tells, up to its end. What another event has read of it
// is not read again.
func digested(ctx context.Context, s *gitstore.Store, file string, cost *transcript.Cost) (*transcript.Digest, error) {
	o := transcript.Options{Root: s.Top(), SHA256: s.SHA256(), Redact: s.Redactor(), Cost: cost}
	d, err := transcript.Load(s.Kept(digestPart), o)
	if err != nil {
		d = transcript.New(o)
	}
	return d, d.UpdateContext(ctx, file)
}

// mostBack is how far back a session's own checkpoints are looked for.
const mostBack = 100

// savedBefore tells what of the session is saved: when it saved last, what somebody
// thought, and the recovery behind that.
func savedBefore(ctx context.Context, m *recall.Memory) (s salience.Session, l loss, err error) {
	records, err := ownAndBehind(ctx, m.Store)
	if err != nil {
		return s, l, err
	}
	for _, r := range records {
		if r.Removed || r.Kind == gitstore.KindTombstone {
			continue
		}
		if r.Session != m.Store.Session() {
			s.Shown = shown(ctx, m, s.Shown, r)
			continue
		}
		if s.Since.IsZero() {
			s.Since = r.Recorded
			s.From = savedAt(m.Store, r.ID)
		}
		if r.Trigger == sage.Recovery && s.Recovery != nil {
			continue
		}
		c, err := m.Store.Load(ctx, r.ID)
		if err != nil {
			return s, l, err
		}
		if r.Trigger != sage.Recovery {
			s.Last, s.Shown, l.after = c, nil, r.ID
			return s, l, nil
		}
		s.Recovery = c
	}
	return s, l, nil
}

// shown is the newest of what others thought on the line.
func shown(ctx context.Context, m *recall.Memory, newer *sage.Checkpoint, r gitstore.Record) *sage.Checkpoint {
	if newer != nil || r.Trigger == sage.Recovery {
		return newer
	}
	c, _ := m.Store.Load(ctx, r.ID) // one that cannot be read was not shown
	return c
}

// ownAndBehind are the checkpoints from where the session stands, and before them those
// from its last save where that is on another line: HEAD may be on another branch since,
// which the line goes with.
func ownAndBehind(ctx context.Context, s *gitstore.Store) ([]gitstore.Record, error) {
	records, err := s.Log(ctx, gitstore.Query{Max: mostBack})
	id := readMemo(s).Saved.Checkpoint
	if err != nil || id == "" || slices.ContainsFunc(records, func(r gitstore.Record) bool { return r.ID == id }) {
		return records, err
	}
	elsewhere, err := s.Log(ctx, gitstore.Query{Max: mostBack, Revs: []string{id}})
	if err != nil { // it is gone
		return records, ctx.Err()
	}
	return append(elsewhere, records...), nil
}

// savedAt is where in the transcript a checkpoint was saved, if the session kept that;
// else 0.
func savedAt(s *gitstore.Store, id string) int64 {
	if at := readMemo(s).Saved; at.Checkpoint == id {
		return at.Offset
	}
	return 0
}

// maxFirst is how much of the first message is read: a question is cut far below that.
const maxFirst = 8 << 10

// firstAsked is what the person asked first: of a long session the digest has forgotten
// it, and the beginning of the transcript has it.
func firstAsked(m *recall.Memory, d *transcript.Digest, file string) string {
	said := 0
	for _, t := range d.Texts {
		if t.Person {
			said++
		}
	}
	for _, t := range d.Texts {
		if t.Person && said >= d.Turns {
			return t.Text
		}
	}
	first, _, err := m.Store.Redactor().Head(firstSaid(file), maxFirst)
	if err != nil {
		return ""
	}
	return first
}

// mostRecords is how many records the client may write before a person says something.
const mostRecords = 1000

func firstSaid(file string) string {
	r, err := transcript.Open(file, transcript.Position{})
	if err != nil {
		return ""
	}
	defer r.Close()
	for range mostRecords {
		rec, err := r.Next()
		if err != nil && err != io.EOF || rec == nil {
			return ""
		}
		if s := rec.Said(); s != "" {
			return s
		}
	}
	return ""
}
