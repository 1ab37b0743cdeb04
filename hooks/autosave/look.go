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
	"github.com/git-sage/git-sage/hooks/transcript"
)

// trailWithin is how long the end of a turn may be held up by a transcript that was not
// looked at before: 300 MB take 4 s, which the ends of several turns share.
const trailWithin = time.Second

// trail reads the trail of the session. After an error it is there in part.
func (a *Agent) trail(ctx context.Context) (*trail, error) {
	ctx, cancel := context.WithTimeout(ctx, a.within(trailWithin))
	defer cancel()
	file := a.Transcript
	if !transcript.IsPath(file) {
		file = ""
	}
	t, err := a.state().Follow(ctx, file, a.Cost)
	if t == nil {
		return nil, err
	}
	t.Settle(ctx)
	return &trail{Trail: t}, err
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
		question, err = a.look(ctx, t)
	}
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, fs.ErrNotExist) {
		err = nil // the next one reads on; not every client keeps a transcript
	}
	if kept := t.Keep(); err == nil {
		err = kept
	}
	return question, err
}

// look is [Agent.Look] with the trail. In a session that no person attends nothing is said
// of it: what it comes to is saved at its end.
func (a *Agent) look(ctx context.Context, t *trail) (question string, err error) {
	s := a.settings()
	if s.Autosave == "" || s.Autosave != "silent" && !a.Attended() {
		return "", nil
	}
	if s.Drift > 0 {
		t.near = sync.OnceValue(func() *float64 { return a.nearness(ctx, t) })
	}
	t.encode = a.encoder(ctx)
	m := a.moment(t, s)
	if m != nil && a.awaitAnswer(ctx, t) {
		m = a.moment(t, s)
	}
	if m == nil { // or a summary has made room meanwhile
		return "", nil
	}
	m.said = a.sentenceOf(t, m)
	if m.said == "" && !m.full && s.Autosave != "ask" || t.hasTold(m.said) {
		return "", nil // there is nothing to tell, or it was told
	}
	switch s.Autosave {
	case "ask":
		question = a.question(m)
	case "suggest":
		a.await(t, m)
	case "silent":
		if err := a.saveSilently(ctx, t, m); err != nil { // a time that ran out here is no long transcript's
			return "", fmt.Errorf("%s: %v", m.why, err)
		}
	}
	a.markReminded(t, m)
	return question, nil
}

// question holds the agent until it has saved a moment. The person who set autosave to
// ask sees it: it is three lines of a terminal at most.
func (a *Agent) question(m *moment) string {
	return sentence(session.Reminder{Said: m.said, Why: m.why}, a.saveTool()) + " Then stop; do not answer the user again."
}

// The client writes its transcript in lots, a tenth of a second behind: when it says that
// the agent has answered, the answer is not there.
const (
	lagging  = 150 * time.Millisecond
	lookPace = 10 * time.Millisecond
)

// awaitAnswer reads on until the transcript has the answer, as far as it comes in time. It
// reports whether it had to.
func (a *Agent) awaitAnswer(ctx context.Context, t *trail) (read bool) {
	lookUntil(ctx, func() (done bool) {
		if !a.answerMissing(t) {
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
func (a *Agent) answerMissing(t *trail) bool {
	if a.Answer == "" || len(t.Digest.Texts) == 0 {
		return a.Answer != ""
	}
	last, said := t.Digest.Texts[len(t.Digest.Texts)-1], legible.OneLine(a.answered(t))
	return last.Person || !strings.HasPrefix(legible.OneLine(last.Text), string([]rune(said)[:min(40, len([]rune(said)))]))
}
