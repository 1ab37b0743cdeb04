package hooks

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"sync"
	"time"

	"github.com/git-sage/git-sage/gitstore/sage"
)

// stop looks whether what was said is worth saving, and says so, or saves it, as autosave
// is set. It answers nothing to an agent that goes on because a hook said so: else it
// would go on for ever.
func (e *event) stop(ctx context.Context) (string, error) {
	if e.input.Again || e.input.Agent != "" || e.input.transcript() == "" || e.mem.Store.Session() == "" {
		return "", nil
	}
	t, err := e.trail(ctx)
	if t == nil {
		return "", err
	}
	var text string
	if err == nil && t.alone {
		text, err = e.look(ctx, t)
	}
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, fs.ErrNotExist) {
		err = nil // the next one reads on; not every client keeps a transcript
	}
	return text, first(err, t.keep())
}

// trailWithin is how long the end of a turn may be held up by a transcript that was not
// looked at before: 300 MB take 4 s, which the ends of several turns share.
const trailWithin = time.Second

// trail reads the trail of the session. After an error it is there in part.
func (e *event) trail(ctx context.Context) (*trail, error) {
	ctx, cancel := context.WithTimeout(ctx, trailWithin)
	defer cancel()
	t, err := follow(ctx, e.mem.Store, e.input.transcript(), &e.cost)
	if t != nil {
		t.settle(ctx)
	}
	return t, err
}

// look finds what is worth saving, and answers.
func (e *event) look(ctx context.Context, t *trail) (string, error) {
	s := e.settings()
	if s.Autosave == "" {
		return "", nil
	}
	if s.Drift > 0 {
		t.near = sync.OnceValue(func() *float64 { return e.nearness(ctx, t) })
	}
	t.encode = e.encoder(ctx)
	if e.moment(t, s) == nil {
		return "", nil
	}
	e.catchUp(ctx, t)
	m := e.moment(t, s)
	if m == nil { // a summary has made room meanwhile
		return "", nil
	}
	text, err := e.answer(ctx, t, m, s.Autosave)
	if err != nil { // a time that ran out here is no long transcript's
		return "", fmt.Errorf("%s: %v", m.why, err)
	}
	e.told(t, m)
	return text, nil
}

// The client writes its transcript in lots, a tenth of a second behind: when it says that
// the agent has answered, the answer is not there. Where that matters, catchUp waits.
const (
	lagging  = 150 * time.Millisecond
	lookPace = 10 * time.Millisecond
)

// catchUp reads on until the transcript has the answer, as far as it comes in time.
func (e *event) catchUp(ctx context.Context, t *trail) {
	ctx, cancel := context.WithTimeout(ctx, lagging)
	defer cancel()
	tick := time.NewTicker(lookPace)
	defer tick.Stop()
	for e.lags(t) {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			at := t.digest.Position
			if t.digest.UpdateContext(ctx, t.memo.Transcript) != nil {
				return
			}
			t.read = t.read || t.digest.Position != at
		}
	}
}

// lags reports whether the answer is not in the transcript yet.
func (e *event) lags(t *trail) bool {
	if e.input.Answer == "" || len(t.digest.Texts) == 0 {
		return e.input.Answer != ""
	}
	last, said := t.digest.Texts[len(t.digest.Texts)-1], sage.OneLine(e.answered(t))
	return last.Person || !strings.HasPrefix(sage.OneLine(last.Text), string([]rune(said)[:min(40, len([]rune(said)))]))
}

// subagentStop says nothing: what an agent of the agent found comes back to that one,
// whose own answer is looked at. The client also fires it behind a compaction, for
// nobody, with a transcript that does not exist.
func (e *event) subagentStop(context.Context) (string, error) { return "", nil }

// answer does what autosave says at a moment worth saving.
func (e *event) answer(ctx context.Context, t *trail, m *moment, autosave string) (string, error) {
	notice := "git-sage: worth saving, " + m.why
	switch autosave {
	case "ask":
		return reply(map[string]any{"decision": "block", "reason": e.question(t, m), "systemMessage": notice})
	case "suggest": // the client shows the person what it tells the agent: so it is short, and all there is
		return addContext("Stop", e.hint(t, m))
	case "silent":
		return e.saveSilently(ctx, t, m)
	}
	return "", nil
}

func reply(answer map[string]any) (string, error) {
	out, err := json.Marshal(answer)
	return string(out) + "\n", err
}

// A draft is the call that would save a moment, with what the transcript tells.
type draft struct {
	Trigger  sage.Trigger `json:"trigger_event"`
	Question string       `json:"core_question"`
	Thesis   string       `json:"current_thesis"`
	Messages int          `json:"message_count"`
	Tokens   int          `json:"token_estimate"`
}

func (e *event) draft(t *trail, m *moment) draft {
	return draft{m.trigger, t.asked(), cmp.Or(e.concluded(t), m.said), t.messages(), t.tokens()}
}

// methodology is what the text that asks says of what to save: the eight points to
// extract, and what to keep, to sum up and to drop.
const methodology = `Give: core_question (what decision does it all drive toward?), current_thesis (your position in 1-2 sentences), confidence (0-1), open_questions (at most 5), sources (each with its decision-relevant take, and whether it supports, contradicts or nuances the thesis), tensions (where credible sources disagree), unique_contributions (found here, in no outside source), and in reasoning_trace what is done with it (goal, deadline).
Keep: the thesis, tensions, what the user found or decided, constraints that rule options out, open questions. Sum up: evidence, background, technical detail. Drop: tangents, settled questions, repetition, talk about the process.`

// question is what the agent is told at a moment worth saving.
func (e *event) question(t *trail, m *moment) string {
	call, err := encode(e.draft(t, m))
	if err != nil {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "git-sage: this may be worth a checkpoint (%s). If something was concluded, decided or ruled out that is not saved yet, "+
		"call sage_autosave_check once, with these fields mended and filled up:\n%s\n%s\n", m.why, call, methodology)
	if f := t.code(); len(f.explored)+len(f.changed) > 0 {
		fmt.Fprintf(&b, "The files go in by themselves (%d read, %d changed).\n", len(f.explored), len(f.changed))
	}
	b.WriteString("If nothing was, do nothing. Either way, do not answer the user again.")
	return b.String()
}

// brevity is the methodology for a hint. Names of fields say what to extract; what they
// mean stands in the tool's schema.
const brevity = `with confidence, open_questions (5 at most), sources (each with its take and its stance), tensions, unique_contributions, reasoning_trace (goal, deadline). ` +
	`Keep: the thesis, tensions, what the user found or decided, constraints, open questions. Sum up: evidence, background, detail. Drop: tangents, what is settled, repetition, talk about the process.`

// hint is the question in short.
func (e *event) hint(t *trail, m *moment) string {
	call, err := encode(e.draft(t, m))
	if err != nil {
		return ""
	}
	return fmt.Sprintf("git-sage: this may be worth a checkpoint (%s). If something new was concluded or ruled out, call sage_autosave_check once, mended and filled up:\n%s\n%s\nElse do nothing. Do not answer the user again.", m.why, call, brevity)
}

// encode is JSON for a model to read: < and > as they are.
func encode(v any) (string, error) {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return strings.TrimSpace(b.String()), err
}

// messages is how many messages the conversation has: what was said and answered, and the
// calls of tools.
func (t *trail) messages() int { return 2*t.digest.Turns + t.digest.Calls }

// tokens is how long the conversation is.
func (t *trail) tokens() int { return max(t.digest.Window, t.digest.Output) }
