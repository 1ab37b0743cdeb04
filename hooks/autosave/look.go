package autosave

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"sync"
	"time"

	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/hooks/session"
	"github.com/git-sage/git-sage/hooks/transcript/sessions"
)

// trailWithin is how long the end of a turn may be held up by a transcript that was not
// looked at before: 300 MB take 4 s, which the ends of several turns share.
const trailWithin = time.Second

// trail reads the trail of the session. After an error it is there in part.
func (a *Agent) trail(ctx context.Context) (*trail, error) {
	ctx, cancel := context.WithTimeout(ctx, a.within(trailWithin))
	defer cancel()
	file := a.Transcript
	if !sessions.IsPath(file) {
		file = ""
	}
	t, err := a.state().Follow(ctx, file, a.Cost)
	if t == nil {
		return nil, err
	}
	t.Settle(ctx)
	return &trail{Trail: t}, err
}

// A turn is the last one of a session, at whose end is decided whether it deserves a save.
type turn struct {
	*Agent
	*trail
	s Settings
}

// Look looks at the end of a turn whether what was said is worth saving. If it is, it waits
// for the next prompt or is saved, as autosave is set; where the person wants to be asked,
// question is what holds the agent until it has saved.
func (a *Agent) Look(ctx context.Context) (question string, err error) {
	t, err := a.trail(ctx)
	if t == nil {
		return "", err
	}
	if err == nil && t.Alone {
		question, err = (&turn{a, t, a.settings()}).look(ctx)
	}
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, fs.ErrNotExist) {
		err = nil // the next one reads on; not every client keeps a transcript
	}
	if kept := t.Keep(); err == nil {
		err = kept
	}
	return question, err
}

// look is [Agent.Look] with what it read. In a session that no person attends nothing is said
// of it: what it comes to is saved at its end.
func (t *turn) look(ctx context.Context) (question string, err error) {
	if t.s.Autosave == "" || t.s.Autosave != "silent" && !t.Attended() {
		return "", nil
	}
	if t.s.Drift > 0 {
		t.near = sync.OnceValue(func() *float64 { return t.nearness(ctx) })
	}
	t.encode = t.encoder(ctx)
	m := t.moment()
	if m != nil && t.awaitAnswer(ctx) {
		m = t.moment()
	}
	if m == nil { // or a summary has made room meanwhile
		return "", nil
	}
	m.said = t.sentenceOf(m)
	if m.said == "" && !m.full && t.s.Autosave != "ask" || t.hasTold(m.said) {
		return "", nil // there is nothing to tell, or it was told
	}
	switch t.s.Autosave {
	case "ask":
		question = t.question(m)
	case "suggest":
		t.await(m)
	case "silent":
		if err := t.saveSilently(ctx, m); err != nil { // a time that ran out here is no long transcript's
			return "", fmt.Errorf("%s: %v", m.why, err)
		}
	}
	t.markReminded(m)
	return question, nil
}

// question holds the agent until it has saved a moment. The person who set autosave to
// ask sees it: it is three lines of a terminal at most.
func (t *turn) question(m *moment) string {
	return sentence(session.Reminder{Said: m.said, Why: m.why}, t.saveTool()) + " Then stop; do not answer the user again."
}

// The client writes its transcript in lots, a tenth of a second behind: when it says that
// the agent has answered, the answer is not there.
const (
	lagging  = 150 * time.Millisecond
	lookPace = 10 * time.Millisecond
)

// awaitAnswer reads on until the transcript has the answer, as far as it comes in time. It
// reports whether it had to.
func (t *turn) awaitAnswer(ctx context.Context) (read bool) {
	lookUntil(ctx, func() (done bool) {
		if !t.answerMissing() {
			return true
		}
		read = true
		return t.ReadOn(ctx) != nil
	})
	return read
}

// awaitLastAnswer waits until the agent spoke last in the transcript, as far as that comes in
// time: an event that does not name the answer may be called before it is there.
func (a *Agent) awaitLastAnswer(ctx context.Context) {
	lookUntil(ctx, func() (done bool) {
		d, err := a.state().Digest(ctx, a.File(), nil)
		return err != nil || len(d.Texts) == 0 || !d.Texts[len(d.Texts)-1].Person
	})
}

// lookUntil looks again until done, for as long as the client lags behind.
func lookUntil(ctx context.Context, done func() bool) {
	ctx, cancel := context.WithTimeout(ctx, lagging)
	defer cancel()
	tick := time.NewTicker(lookPace)
	defer tick.Stop()
	for !done() && ctx.Err() == nil {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// answerMissing reports whether the answer is not in the transcript yet.
func (t *turn) answerMissing() bool {
	if t.Answer == "" || len(t.Digest.Texts) == 0 {
		return t.Answer != ""
	}
	last, said := t.Digest.Texts[len(t.Digest.Texts)-1], legible.OneLine(t.answered())
	return last.Person || !strings.HasPrefix(legible.OneLine(last.Text), string([]rune(said)[:min(40, len([]rune(said)))]))
}
