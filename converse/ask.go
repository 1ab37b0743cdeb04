package converse

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
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
	Text     func(string)        // told each piece of an answer as it comes
	Waiting  func(time.Duration) // told that a busy model is asked again after that; nil is nobody

	wait        func(context.Context, time.Duration) error
	first, next time.Duration
}

// Bounds of how long a model is waited for.
const (
	firstWithin = 5 * time.Minute // what a model on a machine without a GPU may take for a long question
	nextWithin  = time.Minute     // between two pieces of an answer
	mostTries   = 3
	mostWait    = 30 * time.Second // what a busy model may ask for; else it is told
)

// Ask asks. An answer that broke off is returned as far as it came, with the error.
func (a *Asker) Ask(ctx context.Context, q Request) (Answer, error) {
	if a.wait == nil {
		a.wait = wait
	}
	a.first, a.next = cmp.Or(a.first, firstWithin), cmp.Or(a.next, nextWithin)
	for try := 1; ; try++ {
		r, err := a.once(ctx, q)
		busy, ok := errors.AsType[*BusyError](err)
		if !ok || r.Text != "" || try == mostTries || busy.After > mostWait || ctx.Err() != nil {
			return r, err
		}
		pause := cmp.Or(busy.After, time.Duration(try*try)*time.Second)
		if a.Waiting != nil {
			a.Waiting(pause)
		}
		if err := a.wait(ctx, pause); err != nil {
			return r, err
		}
	}
}

// once asks once. Where nothing comes for too long it is given up.
func (a *Asker) once(ctx context.Context, q Request) (Answer, error) {
	within, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	late := time.AfterFunc(a.first, func() {
		cancel(&BusyError{Why: fmt.Sprintf("%s did not answer within %s", a.Name(), a.first)})
	})
	defer late.Stop()
	st := &stream{tell: a.Text, alive: func() { late.Reset(a.next) }}
	err := a.send(within, q, st)
	if ctx.Err() != nil {
		err = ctx.Err()
	} else if cause := context.Cause(within); cause != nil {
		err = cause
	}
	st.answer.Text = st.text.String()
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
	e, err := Open(ctx, a.Settings, a.World)
	if err != nil {
		return err
	}
	model := a.Settings.Model
	if model == "" {
		if model, err = e.usualModel(ctx); err != nil {
			return err
		}
		a.Settings.Model = model
	}
	st.answer.Use.Model = model
	for _, request := range e.requests(model, q) {
		resp, err2 := e.Post(ctx, request)
		if err = err2; errors.Is(err, ErrUnknownOption) {
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
	tell   func(string)
	alive  func()
	text   strings.Builder
	answer Answer
	ended  bool
}

func (st *stream) add(text string) {
	if text == "" || st.text.Len() > maxReply {
		return
	}
	st.text.WriteString(text)
	st.tell(text)
}

// ErrForm is an answer that does not read as the protocol says.
var errForm = errors.New("the answer does not have the form of the protocol")

// end judges a stream that came to its end.
func (st *stream) end(name string, err error) error {
	switch {
	case st.ended:
		return nil
	case err == nil || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		return &BusyError{Why: name + ": the answer broke off"}
	}
	return err
}
