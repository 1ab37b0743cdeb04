package distill

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/git-sage/git-sage/converse"
)

// endpointWithin is what a model on a machine without a GPU may take for a long
// conversation.
const endpointWithin = 5 * time.Minute

// An endpoint is a model behind HTTP.
type endpoint struct {
	*converse.Endpoint
	s      Settings
	within time.Duration // of one question
}

func newEndpoint(s Settings, w converse.World) (*endpoint, error) {
	e, err := converse.Open(context.Background(), converse.Settings{Setting: setting, Target: s.Target, Model: s.Model, KeyEnv: s.KeyEnv}, w)
	if err != nil {
		return nil, err
	}
	return &endpoint{e, s, endpointWithin}, nil
}

func (e *endpoint) identity() string {
	return fmt.Sprintf("%x", sha256.Sum256([]byte(e.s.Target+"\x00"+e.s.Model+"\x00"+e.Key)))[:16]
}

func (e *endpoint) ask(ctx context.Context, conversation string) (reply, error) {
	within, cancel := context.WithTimeout(ctx, e.within)
	defer cancel()
	var body []byte
	var err error
	for _, request := range e.requests(conversation) {
		if body, err = e.send(within, request); !errors.Is(err, converse.ErrUnknownOption) {
			break
		}
	}
	switch {
	case ctx.Err() != nil:
		return reply{}, ctx.Err()
	case within.Err() != nil:
		return reply{}, fmt.Errorf("%s did not answer within %s", e.URL.Host, e.within)
	case err != nil:
		return reply{}, err
	case e.Messages:
		return e.fromMessages(body)
	}
	return e.fromCompletions(body)
}

// requests are the ways to ask, the best first: servers that speak as OpenAI's do not know
// all of its options.
func (e *endpoint) requests(conversation string) []map[string]any {
	if e.Messages {
		return []map[string]any{{
			"model": cmp.Or(e.s.Model, "default"), "max_tokens": maxOutput, "system": instructions,
			"messages":    []any{map[string]any{"role": "user", "content": conversation}},
			"tools":       []any{map[string]any{"name": "record", "description": "Takes the notes.", "input_schema": schema()}},
			"tool_choice": map[string]any{"type": "tool", "name": "record"},
		}}
	}
	said := []any{map[string]any{"role": "system", "content": instructions}, map[string]any{"role": "user", "content": conversation}}
	model := cmp.Or(e.s.Model, "default")
	return []map[string]any{
		{"model": model, "max_completion_tokens": maxOutput, "messages": said, "response_format": map[string]any{
			"type": "json_schema", "json_schema": map[string]any{"name": "record", "schema": schema()},
		}},
		{"model": model, "max_tokens": maxOutput, "messages": said},
	}
}

func (e *endpoint) send(ctx context.Context, request map[string]any) ([]byte, error) {
	resp, err := e.Post(ctx, request)
	if err != nil {
		return nil, err
	}
	return e.ReadAll(resp)
}

func (e *endpoint) fromMessages(body []byte) (reply, error) {
	var a struct {
		Model   string
		Content []struct {
			Type, Text string
			Input      json.RawMessage
		}
		Usage converse.Usage
	}
	if err := json.Unmarshal(body, &a); err != nil {
		return reply{}, fmt.Errorf("%w: %s", errForm, e.Discreet(string(body)))
	}
	r := reply{use: useOf(a.Usage, cmp.Or(a.Model, e.s.Model))}
	for _, c := range a.Content {
		switch {
		case c.Type == "tool_use":
			r.json = c.Input
		case c.Type == "text" && r.json == nil:
			r.json = converse.Object(c.Text)
		}
	}
	return r, e.answered(r, body)
}

func (e *endpoint) fromCompletions(body []byte) (reply, error) {
	var a struct {
		Model   string
		Choices []struct {
			Message struct{ Content string }
		}
		Usage struct {
			Input  int `json:"prompt_tokens"`
			Output int `json:"completion_tokens"`
		}
	}
	if err := json.Unmarshal(body, &a); err != nil {
		return reply{}, fmt.Errorf("%w: %s", errForm, e.Discreet(string(body)))
	}
	r := reply{use: Use{Model: cmp.Or(a.Model, e.s.Model), Input: a.Usage.Input, Output: a.Usage.Output}}
	if len(a.Choices) > 0 {
		r.json = converse.Object(a.Choices[0].Message.Content)
	}
	return r, e.answered(r, body)
}

func (e *endpoint) answered(r reply, body []byte) error {
	if len(r.json) > 0 {
		return nil
	}
	return fmt.Errorf("%w: %s", errForm, e.Discreet(string(body)))
}
