package converse

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/git-sage/git-sage/internal/modelhttp"
)

// A Turn is what one side of a conversation said.
type Turn struct {
	Agent bool // else the person
	Text  string
}

// A Request is a conversation whose last turn wants an answer.
type Request struct {
	System string
	Turns  []Turn
	Most   int // tokens of the answer
}

// A Use is what an answer cost, in tokens.
type Use struct {
	Model     string
	Input     int
	CacheRead int // of the input
	Output    int
}

// An Answer is what a model said.
type Answer struct {
	Text string
	Use  Use
	Cut  bool // it ran out of tokens
}

// An Asker asks the model of some settings.
type Asker struct {
	Settings Settings
	World    World
	Text     func(string)                    // told each piece of an answer as it comes
	Waiting  func(time.Duration, *BusyError) // told that a busy model is asked again after that, and why; nil is nobody

	endpoint         *Endpoint // that was opened; nil is none
	wait             func(context.Context, time.Duration) error
	first, next, all time.Duration
}

// Bounds of how long a model is waited for.
const (
	firstWithin = 5 * time.Minute  // what a model on a machine without a GPU may take for a long question
	nextWithin  = time.Minute      // between two pieces of an answer
	allWithin   = 20 * time.Minute // for all of it, also where a server only says that it is alive
	mostTries   = 3
	mostWait    = 30 * time.Second // what a busy model may ask for; else it is told
)

// Prepare finds out who is asked, and reads the key of an endpoint.
func (a *Asker) Prepare(ctx context.Context) (err error) {
	if a.Settings, err = a.Settings.Resolve(a.World); err != nil || a.Settings.Target == Claude || a.endpoint != nil {
		return err
	}
	a.endpoint, err = Open(ctx, a.Settings, a.World)
	return err
}

// Ask asks. An answer that broke off is returned as far as it came, with the error.
func (a *Asker) Ask(ctx context.Context, q Request) (r Answer, err error) {
	a.first, a.next, a.all = cmp.Or(a.first, firstWithin), cmp.Or(a.next, nextWithin), cmp.Or(a.all, allWithin)
	tries := modelhttp.Tries{Most: mostTries, First: time.Second, Factor: 4, Longest: mostWait, Sleep: a.wait, Announce: a.Waiting}
	var broken error
	err = tries.Do(ctx, func() error {
		if r, broken = a.once(ctx, q); r.Text != "" { // whoever read it does not read it again
			return nil
		}
		return broken
	})
	if err == nil {
		err = broken
	}
	if _, refused := errors.AsType[*RefusedError](err); refused {
		a.endpoint = nil // the key may be another one next time
	}
	return r, err
}

// once asks once. Where nothing comes for too long it is given up.
func (a *Asker) once(ctx context.Context, q Request) (Answer, error) {
	within, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	giveUp := func(what string, after time.Duration) *time.Timer {
		return time.AfterFunc(after, func() {
			cancel(&BusyError{Why: fmt.Sprintf("%s %s within %s", a.Name(), what, after), Down: true})
		})
	}
	defer giveUp("did not end its answer", a.all).Stop()
	late := giveUp("did not answer", a.first)
	defer func() { late.Stop() }()
	st := &stream{name: a.Name(), tell: a.Text, alive: func() {
		late.Stop()
		late = giveUp("sent nothing more", a.next)
	}}
	err := a.send(within, q, st)
	if ctx.Err() != nil {
		err = ctx.Err()
	} else if cause := context.Cause(within); cause != nil {
		err = cause
	}
	st.answer.Text = st.text.String()
	if err == nil && strings.TrimSpace(st.answer.Text) == "" {
		err = fmt.Errorf("%s: the answer is empty", a.Name())
	}
	return st.answer, err
}

// Name is who is asked, for people.
func (a *Asker) Name() string {
	if a.Settings.Target == Claude {
		return Claude
	}
	_, rest, _ := strings.Cut(a.Settings.Target, "://")
	host, _, _ := strings.Cut(rest, "/")
	return host
}

func (a *Asker) send(ctx context.Context, q Request, st *stream) error {
	if a.Settings.Target == Claude {
		return a.program(ctx, q, st)
	}
	if err := a.Prepare(ctx); err != nil {
		return err
	}
	e, model := a.endpoint, a.Settings.Model
	if model == "" {
		var err error
		if model, err = e.usualModel(ctx); err != nil {
			return err
		}
		a.Settings.Model = model
	}
	st.answer.Use.Model = model
	var err error
	for _, request := range e.requests(model, q) {
		var resp *http.Response
		if resp, err = e.Post(ctx, request); errors.Is(err, ErrUnknownOption) {
			continue
		} else if err != nil {
			return err
		}
		defer resp.Body.Close()
		st.alive()
		if !strings.HasPrefix(resp.Header.Get("Content-Type"), "text/event-stream") {
			return e.whole(resp, st)
		}
		return e.events(resp.Body, st)
	}
	return err
}

// requests are the ways to ask, the best first: servers that speak as OpenAI's do not know
// all of its options.
func (e *Endpoint) requests(model string, q Request) []map[string]any {
	var said []any
	if !e.Messages {
		said = append(said, map[string]any{"role": "system", "content": q.System})
	}
	for _, t := range q.Turns {
		role := "user"
		if t.Agent {
			role = "assistant"
		}
		said = append(said, map[string]any{"role": role, "content": t.Text})
	}
	if e.Messages {
		return []map[string]any{{"model": model, "max_tokens": q.Most, "system": q.System, "messages": said, "stream": true}}
	}
	return []map[string]any{
		{"model": model, "max_completion_tokens": q.Most, "messages": said, "stream": true, "stream_options": map[string]any{"include_usage": true}},
		{"model": model, "max_tokens": q.Most, "messages": said, "stream": true},
	}
}

// usualModel is one that the endpoint has: of Anthropic's the newest Sonnet, of others the
// first in their list.
func (e *Endpoint) usualModel(ctx context.Context) (string, error) {
	u := *e.URL
	u.Path = strings.TrimSuffix(strings.TrimSuffix(u.Path, "/messages"), "/chat/completions") + "/models"
	resp, err := e.do(ctx, "GET", u.String(), nil)
	var body []byte
	if err == nil {
		body, err = e.ReadAll(resp)
	}
	if refused, ok := errors.AsType[*RefusedError](err); ok && strings.Contains(refused.Cure, "_key_env") {
		return "", err
	}
	if _, busy := errors.AsType[*BusyError](err); busy {
		return "", err
	}
	var list struct {
		Data []struct {
			ID string `json:"id"`
		} `json:"data"`
	}
	if err != nil || json.Unmarshal(body, &list) != nil || len(list.Data) == 0 {
		return "", &RefusedError{e.URL.Host + " does not list its models: name one", "git sage config set " + e.setting + "_model <model>"}
	}
	for _, m := range list.Data {
		if e.Messages && strings.Contains(m.ID, "sonnet") {
			return m.ID, nil
		}
	}
	return list.Data[0].ID, nil
}

// Object is the JSON object in a text that a model wrote around it; nil if there is none.
func Object(text string) []byte {
	from, to := strings.IndexByte(text, '{'), strings.LastIndexByte(text, '}')
	if from < 0 || to < from {
		return nil
	}
	return []byte(text[from : to+1])
}

// A stream is an answer as it comes.
type stream struct {
	name   string // who answers
	tell   func(string)
	alive  func()
	text   strings.Builder
	answer Answer
	ended  bool
	over   error // it is too long
}

func (st *stream) add(text string) {
	if text == "" || st.over != nil {
		return
	}
	if st.text.Len()+len(text) > maxReply {
		st.over = wrongError{tooLong(st.name)}
		return
	}
	st.text.WriteString(text)
	st.tell(text)
}

func tooLong(name string) error {
	return fmt.Errorf("%s: the answer exceeds %d MB", name, maxReply>>20)
}

// errForm is an answer that does not read as the protocol says.
var errForm = errors.New("the answer does not have the form of the protocol")

// end judges a stream that came to its end.
func (st *stream) end(err error) error {
	switch {
	case st.ended:
		return nil
	case err == nil || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		return &BusyError{Why: st.name + ": the answer broke off"}
	}
	return err
}
